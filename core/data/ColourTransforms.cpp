#include "core/data/ColourTransforms.h"

#include "core/data/OpenCvImage.h"
#include "core/data/SamplePixels.h"

#include <opencv2/imgproc.hpp>

#include <algorithm>

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
    cv::Mat table(1, 256, CV_8U), pixels = matOf(image);
    for (int i = 0; i < 256; ++i)
        table.at<std::uint8_t>(i) = cv::saturate_cast<std::uint8_t>(mean + contrast * (brightness * i - mean));
    cv::LUT(pixels, table, pixels);
}

/// Moves every colour away from its grey, or towards it.
void saturate(Image& image, double saturation) {
    cv::Mat pixels = matOf(image), grey, spread;
    cv::cvtColor(pixels, grey, cv::COLOR_RGB2GRAY);
    cv::cvtColor(grey, spread, cv::COLOR_GRAY2RGB);
    cv::addWeighted(pixels, saturation, spread, 1 - saturation, 0, pixels);
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
    cv::Mat pixels = pixelsOf(sample);
    cv::GaussianBlur(pixels, pixels, {}, sigma);
}

void RandomNoise::apply(Sample& sample, Random& random) const {
    const double deviation = random.uniform(0, m_largest) * 255;
    if (deviation < 0.5)
        return;
    for (float& value : sample.values)
        value = std::clamp(value + float(deviation * random.normal()), 0.F, 255.F);
    if (!sample.values.empty())
        return;
    for (auto& value : sample.image.pixels)
        value = cv::saturate_cast<std::uint8_t>(value + deviation * random.normal());
}

} // namespace trainyard
