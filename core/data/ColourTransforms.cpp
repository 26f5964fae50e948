#include "core/data/ColourTransforms.h"

#include "core/data/OpenCvImage.h"

#include <opencv2/imgproc.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace trainyard {
namespace {

double factor(double amount, Random& random) {
    return random.uniform(std::max(0.0, 1 - amount), 1 + amount);
}

double meanOf(const Image& image) {
    const cv::Scalar mean = cv::mean(matOf(image));
    return image.channels == 1 ? mean[0] : (mean[0] + mean[1] + mean[2]) / 3;
}

void applyTable(Image& image, double brightness, double contrast) {
    const double mean = meanOf(image) * brightness;
    std::array<std::uint8_t, 256> table;
    for (int i = 0; i < 256; ++i)
        table[std::size_t(i)] = cv::saturate_cast<std::uint8_t>(mean + contrast * (brightness * i - mean));
    for (auto& value : image.pixels)
        value = table[value];
}

/// Moves every colour away from its grey, or towards it; in 1/256 steps, for speed.
void saturate(Image& image, double saturation) {
    const int share = int(std::lround(saturation * 256));
    for (std::size_t i = 0; i + 2 < image.pixels.size(); i += 3) {
        std::uint8_t* p = &image.pixels[i];
        const int grey = (77 * p[0] + 150 * p[1] + 29 * p[2]) >> 8;
        for (int c = 0; c < 3; ++c)
            p[c] = std::uint8_t(std::clamp(grey + ((share * (p[c] - grey)) >> 8), 0, 255));
    }
}

} // namespace

void ColourJitter::apply(Sample& sample, Random& random) const {
    const double brightness = factor(m_brightness, random), contrast = factor(m_contrast, random);
    const double saturation = factor(m_saturation, random);
    if (m_brightness > 0 || m_contrast > 0)
        applyTable(sample.image, brightness, contrast);
    if (m_saturation > 0 && sample.image.channels == 3)
        saturate(sample.image, saturation);
}

void RandomBlur::apply(Sample& sample, Random& random) const {
    const double sigma = random.uniform(0, m_largest);
    if (sigma < 0.25)
        return;
    cv::Mat pixels = matOf(sample.image);
    cv::GaussianBlur(pixels, pixels, {}, sigma);
}

void RandomNoise::apply(Sample& sample, Random& random) const {
    const double deviation = random.uniform(0, m_largest) * 255;
    if (deviation < 0.5)
        return;
    for (auto& value : sample.image.pixels)
        value = cv::saturate_cast<std::uint8_t>(value + deviation * random.normal());
}

} // namespace trainyard
