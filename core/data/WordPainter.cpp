#include "core/data/WordPainter.h"

#include "core/data/OpenCvImage.h"
#include "core/data/WordShape.h"

#include <opencv2/imgproc.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace trainyard {
namespace {

/// A colour around its brightness; a grey picture keeps the brightness alone.
using Colour = std::array<float, 3>;

float brightness(const Colour& c) {
    return 0.299f * c[0] + 0.587f * c[1] + 0.114f * c[2];
}

Colour colourOf(float light, double vividness, int channels, Random& random) {
    Colour colour{light, light, light};
    if (channels == 1)
        return colour;
    for (float& c : colour)
        c += float(random.uniform(-1, 1) * vividness);
    const float shift = light - brightness(colour);
    for (float& c : colour)
        c = std::clamp(c + shift, 0.f, 255.f);
    return colour;
}

/// Smooth values in -1…1, as large as the picture, from a coarse random grid.
cv::Mat fieldOf(cv::Size size, int columns, int rows, int interpolation, Random& random) {
    cv::Mat coarse(rows, columns, CV_32FC1), field;
    for (int y = 0; y < rows; ++y)
        for (int x = 0; x < columns; ++x)
            coarse.at<float>(y, x) = float(random.uniform(-1, 1));
    cv::resize(coarse, field, size, 0, 0, interpolation);
    return field;
}

/// Gradients, blotches, stripes, grain or nothing.
cv::Mat textureOf(cv::Size size, Random& random) {
    const double kind = random.uniform();
    if (kind < 0.15)
        return cv::Mat::zeros(size, CV_32FC1);
    if (kind < 0.5)
        return fieldOf(size, 2, 2, cv::INTER_LINEAR, random);
    if (kind < 0.75) {
        const int columns = int(random.integer(3, 9)), rows = int(random.integer(2, 4));
        return fieldOf(size, columns, rows, cv::INTER_CUBIC, random);
    }
    if (kind < 0.85)
        return random.chance(0.5) ? fieldOf(size, 1, int(random.integer(3, 9)), cv::INTER_NEAREST, random)
                                  : fieldOf(size, int(random.integer(4, 20)), 1, cv::INTER_NEAREST, random);
    return fieldOf(size, std::max(2, size.width / 3), std::max(2, size.height / 3), cv::INTER_LINEAR, random);
}

/// The picture while it is painted: float, 0…255, `channels` values a pixel.
class Canvas {
public:
    Canvas(cv::Size size, int channels) : m_pixels(size, CV_32FC(channels)), m_channels(channels) {}

    cv::Mat& pixels() { return m_pixels; }

    void fill(const Colour& colour, const cv::Mat& texture, const Colour& amount) {
        for (int y = 0; y < m_pixels.rows; ++y) {
            float* to = m_pixels.ptr<float>(y);
            const float* field = texture.ptr<float>(y);
            for (int x = 0; x < m_pixels.cols; ++x)
                for (int c = 0; c < m_channels; ++c)
                    *to++ = colour[std::size_t(c)] + amount[std::size_t(c)] * field[x];
        }
    }

    /// Lays `colour` over the picture where `coverage`, moved by (dx, dy), says so.
    void lay(const cv::Mat& coverage, const Colour& colour, float opacity, int dx = 0, int dy = 0) {
        const float share = opacity / 255.f;
        for (int y = std::max(0, dy); y < std::min(m_pixels.rows, m_pixels.rows + dy); ++y) {
            const std::uint8_t* from = coverage.ptr(y - dy);
            float* row = m_pixels.ptr<float>(y);
            for (int x = std::max(0, dx); x < std::min(m_pixels.cols, m_pixels.cols + dx); ++x) {
                const float alpha = from[x - dx] * share;
                float* to = row + x * m_channels;
                for (int c = 0; c < m_channels; ++c)
                    to[c] += alpha * (colour[std::size_t(c)] - to[c]);
            }
        }
    }

private:
    cv::Mat m_pixels;
    int m_channels;
};

/// Normal values to draw noise from: a table read from a random place is thirty times faster than drawing each.
const std::vector<float>& noiseTable() {
    static const std::vector<float> table = [] {
        std::vector<float> values(1 << 16);
        Random random(0x6e6f697365);
        for (float& value : values)
            value = float(random.normal());
        return values;
    }();
    return table;
}

void addNoise(cv::Mat& pixels, float deviation, Random& random) {
    const auto& table = noiseTable();
    std::size_t at = std::size_t(random.integer(0, (1 << 16) - 1));
    for (int y = 0; y < pixels.rows; ++y) {
        float* row = pixels.ptr<float>(y);
        for (int i = 0; i < pixels.cols * pixels.channels(); ++i)
            row[i] += deviation * table[at++ & 0xFFFF];
    }
}

/// A part of a picture, at a random place, as large as asked.
void fillFromPicture(cv::Mat& pixels, const Image& picture, Random& random) {
    const double scale =
        std::max({double(pixels.cols) / picture.width, double(pixels.rows) / picture.height, random.uniform(0.4, 1.2)});
    const int width = std::clamp(int(pixels.cols / scale), 1, picture.width);
    const int height = std::clamp(int(pixels.rows / scale), 1, picture.height);
    const int left = int(random.integer(0, picture.width - width)),
              top = int(random.integer(0, picture.height - height));
    cv::Mat resized;
    cv::resize(matOf(picture)(cv::Rect(left, top, width, height)), resized, pixels.size(), 0, 0, cv::INTER_LINEAR);
    resized.convertTo(pixels, CV_32F);
}

/// A straight edge near the word, as signs and frames have them.
void addLine(cv::Mat& pixels, const Colour& colour, Random& random) {
    const bool isAbove = random.chance(0.5);
    const double edge = random.uniform(0, 0.12) * pixels.rows, tilt = random.uniform(-0.04, 0.04) * pixels.rows;
    const double y = isAbove ? edge : pixels.rows - 1 - edge;
    cv::line(pixels, cv::Point2d(0, y - tilt), cv::Point2d(pixels.cols, y + tilt),
             cv::Scalar(colour[0], colour[1], colour[2]), int(random.integer(1, 2)), cv::LINE_AA);
}

/// Loses detail as a distant or cheap camera does.
void coarsen(cv::Mat& pixels, double factor) {
    cv::Mat small;
    const cv::Size size(std::max(4, int(pixels.cols / factor)), std::max(4, int(pixels.rows / factor)));
    cv::resize(pixels, small, size, 0, 0, cv::INTER_AREA);
    cv::resize(small, pixels, pixels.size(), 0, 0, cv::INTER_LINEAR);
}

/// Brightness of the letters, at least 60 (mostly) from the background's.
float letterLight(float background, Random& random) {
    const double least = random.chance(0.8) ? 90 : 60;
    const double below = std::max(0.0, background - least), above = std::max(0.0, 255 - background - least);
    const double at = random.uniform(0, below + above);
    return float(at < below ? at : background + least + (at - below));
}

} // namespace

WordPainter::WordPainter(const RenderedWordsConfig& config, int channels, Fonts fonts, std::vector<Image> pictures)
    : m_config(config), m_channels(channels), m_fonts(std::move(fonts)), m_pictures(std::move(pictures)) {}

Image WordPainter::paint(const std::u32string& word, Random& random) const {
    const Font& font = *m_fonts[std::size_t(random.integer(0, std::int64_t(m_fonts.size()) - 1))];
    const cv::Mat letters = bendWord(setWord(word, font, random), m_config, random);
    Canvas canvas(letters.size(), m_channels);
    float light = float(random.uniform(0, 255));
    const double vividness = 8 + 60 * std::pow(random.uniform(), 2.0); // most signs are plain, some are loud
    if (!m_pictures.empty()) {
        fillFromPicture(canvas.pixels(),
                        m_pictures[std::size_t(random.integer(0, std::int64_t(m_pictures.size()) - 1))], random);
        const cv::Scalar mean = cv::mean(canvas.pixels());
        light = m_channels == 1 ? float(mean[0]) : brightness({float(mean[0]), float(mean[1]), float(mean[2])});
    } else {
        const double strength = random.uniform(5, 35);
        const Colour amount = colourOf(float(strength), strength / 2, m_channels, random);
        const Colour wall = colourOf(light, vividness, m_channels, random);
        canvas.fill(wall, textureOf(letters.size(), random), amount);
    }
    const Colour ink = colourOf(letterLight(light, random), vividness, m_channels, random);
    if (random.chance(0.12))
        addLine(canvas.pixels(), colourOf(float(random.uniform(0, 255)), 60, m_channels, random), random);
    if (random.chance(0.15)) { // shadow
        const int dx = int(random.integer(-2, 2)), dy = int(random.integer(1, 2));
        const Colour shade = colourOf(light * 0.35f, 10, m_channels, random);
        canvas.lay(letters, shade, float(random.uniform(0.3, 0.7)), dx, dy);
    } else if (random.chance(0.08)) { // outline
        cv::Mat wider;
        cv::dilate(letters, wider, cv::Mat());
        const float edge = brightness(ink) > light ? light * 0.4f : 255 - (255 - light) * 0.4f;
        canvas.lay(wider, colourOf(edge, 40, m_channels, random), 0.9f);
    }
    canvas.lay(letters, ink, float(random.uniform(0.8, 1.0)));
    if (random.chance(0.15))
        coarsen(canvas.pixels(), random.uniform(1.2, 1.9));
    if (const double sigma = random.uniform(0, std::max(0.0, m_config.blur)); sigma > 0.25)
        cv::GaussianBlur(canvas.pixels(), canvas.pixels(), {}, sigma);
    if (const double deviation = random.uniform(0, std::max(0.0, m_config.noise)) * 255; deviation > 0.5)
        addNoise(canvas.pixels(), float(deviation), random);
    cv::Mat bytes;
    canvas.pixels().convertTo(bytes, CV_8U);
    return imageOf(bytes);
}

} // namespace trainyard
