#include "core/data/WordShape.h"

#include <opencv2/imgproc.hpp>

#include <algorithm>
#include <cmath>
#include <numbers>

namespace trainyard {
namespace {

/// The smallest part of `coverage` that holds all its ink.
cv::Mat trimmed(const cv::Mat& coverage) {
    const cv::Rect ink = cv::boundingRect(coverage);
    return ink.empty() ? coverage : coverage(ink);
}

void addGlyph(cv::Mat& canvas, const Glyph& glyph, int x, int y) {
    for (int row = 0; row < glyph.height; ++row) {
        const int to = y + row;
        if (to < 0 || to >= canvas.rows)
            continue;
        const std::uint8_t* from = glyph.coverage.data() + std::size_t(row) * std::size_t(glyph.width);
        std::uint8_t* target = canvas.ptr(to);
        for (int column = std::max(0, -x); column < glyph.width && x + column < canvas.cols; ++column)
            target[x + column] = std::max(target[x + column], from[column]);
    }
}

/// How a picture's pixels find their place in the line.
struct Bend {
    cv::Matx33d toText;    ///< picture to upright text, in text pixels
    double width, height;  ///< of the text in the picture
    double bend, slant;    ///< in text pixels; in columns a row
    double scaleX, scaleY; ///< text pixels to line pixels
};

void fillMap(const Bend& b, cv::Mat& mapX, cv::Mat& mapY) {
    const auto& m = b.toText;
    for (int y = 0; y < mapX.rows; ++y) {
        float* toX = mapX.ptr<float>(y);
        float* toY = mapY.ptr<float>(y);
        for (int x = 0; x < mapX.cols; ++x) {
            const double u = x + 0.5, v = y + 0.5;
            const double depth = 1.0 / (m(2, 0) * u + m(2, 1) * v + m(2, 2));
            const double tx = (m(0, 0) * u + m(0, 1) * v + m(0, 2)) * depth;
            const double ty = (m(1, 0) * u + m(1, 1) * v + m(1, 2)) * depth;
            const double across = 2 * tx / b.width - 1;
            const double bentY = ty - b.bend * (across * across - 1.0 / 3);
            const double slantX = tx + b.slant * (bentY - b.height / 2);
            toX[x] = float(slantX * b.scaleX - 0.5);
            toY[x] = float(bentY * b.scaleY - 0.5);
        }
    }
}

} // namespace

cv::Mat setWord(const std::u32string& word, const Font& font, Random& random) {
    constexpr int kEm = Font::kEm;
    const bool isWide = random.chance(0.12);
    const double spacing = kEm * (isWide ? random.uniform(0.1, 0.35) : random.uniform(-0.03, 0.08));
    double length = 2 * kEm;
    for (const char32_t character : word)
        length += font.glyph(character).advance + std::max(0.0, spacing);
    cv::Mat canvas = cv::Mat::zeros(kEm * 2, int(length) + kEm, CV_8UC1);
    double pen = kEm;
    for (const char32_t character : word) {
        const Glyph& glyph = font.glyph(character);
        addGlyph(canvas, glyph, int(std::lround(pen)) + glyph.left, kEm * 3 / 2 - glyph.top);
        pen += std::max(glyph.advance + spacing, kEm * 0.1);
    }
    return trimmed(canvas);
}

cv::Mat bendWord(const cv::Mat& wholeLine, const RenderedWordsConfig& config, Random& random) {
    cv::Mat line = wholeLine;
    const double height = random.uniform(18, 38);
    const double stretch = std::exp(random.uniform(-0.25, 0.2));
    const double width = std::clamp(height * line.cols / std::max(1, line.rows) * stretch, 6.0, 480.0);
    if (line.rows > 1.8 * height) // halving first keeps thin strokes whole
        cv::resize(wholeLine, line, {}, 0.5, 0.5, cv::INTER_AREA);
    Bend bend;
    bend.width = width;
    bend.height = height;
    bend.bend = random.chance(0.6) ? random.uniform(-1, 1) * config.curvature * height : 0;
    bend.slant = random.uniform(-1, 1) * config.slant;
    bend.scaleX = line.cols / width;
    bend.scaleY = line.rows / height;
    const double shift = config.perspective * height;
    const double turn = config.tilt > 0 ? random.uniform(-1, 1) * config.tilt * std::numbers::pi / 180 : 0;
    const double sine = std::sin(turn), cosine = std::cos(turn);
    const double bentHeight = height + std::abs(bend.bend) * 4 / 3; // with what the bend needs above and below
    const double slantWidth = width + std::abs(bend.slant) * bentHeight;
    // half of what the turned word needs beyond its own width and height
    const double turnX = (slantWidth * std::abs(cosine) + bentHeight * std::abs(sine) - slantWidth) / 2;
    const double turnY = (slantWidth * std::abs(sine) + bentHeight * std::abs(cosine) - bentHeight) / 2;
    const double extraX = std::abs(bend.slant) * height / 2 + shift / 2 + turnX;
    const double extraY = std::abs(bend.bend) * 2 / 3 + shift / 2 + turnY;
    const double left = extraX + random.uniform(0, 0.3) * height, right = extraX + random.uniform(0, 0.3) * height;
    const double top = extraY + random.uniform(0, 0.25) * height, bottom = extraY + random.uniform(0, 0.25) * height;
    const auto moved = [&](double x, double y) {
        const double dx = random.uniform(-1, 1) * shift, dy = random.uniform(-1, 1) * shift;
        const double fromMiddleX = x - width / 2, fromMiddleY = y - height / 2;
        const double turnedX = width / 2 + fromMiddleX * cosine - fromMiddleY * sine,
                     turnedY = height / 2 + fromMiddleX * sine + fromMiddleY * cosine;
        return cv::Point2f(float(left + turnedX + dx), float(top + turnedY + dy));
    };
    cv::Point2f corners[4];
    corners[0] = moved(0, 0);
    corners[1] = moved(width, 0);
    corners[2] = moved(width, height);
    corners[3] = moved(0, height);
    const cv::Point2f text[4] = {{0, 0}, {float(width), 0}, {float(width), float(height)}, {0, float(height)}};
    bend.toText = cv::Matx33d(cv::getPerspectiveTransform(corners, text).ptr<double>());
    const cv::Size size(int(std::lround(left + width + right)), int(std::lround(top + height + bottom)));
    cv::Mat mapX(size, CV_32FC1), mapY(size, CV_32FC1), coverage;
    fillMap(bend, mapX, mapY);
    cv::remap(line, coverage, mapX, mapY, cv::INTER_LINEAR, cv::BORDER_CONSTANT, cv::Scalar(0));
    return coverage;
}

} // namespace trainyard
