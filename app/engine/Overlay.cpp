#include "app/engine/Overlay.h"

#include "core/telemetry/RunLength.h"

#include <fmt/format.h>
#include <opencv2/imgproc.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace trainyard {

namespace {
constexpr int kFont = cv::FONT_HERSHEY_SIMPLEX;
const cv::Scalar kInk(32, 32, 32), kPaper(248, 248, 248), kWrong(200, 40, 30);

/// Okabe and Ito's colours, told apart by the colour-blind too.
cv::Scalar colourOf(int label) {
    static const std::array<cv::Scalar, 7> kColours = {
        cv::Scalar(0, 114, 178),   cv::Scalar(230, 159, 0),  cv::Scalar(0, 158, 115), cv::Scalar(213, 94, 0),
        cv::Scalar(204, 121, 167), cv::Scalar(86, 180, 233), cv::Scalar(240, 228, 66)};
    return kColours[std::size_t(std::max(0, label)) % kColours.size()];
}

cv::Mat colourCopy(const Image& image) {
    const cv::Mat view(image.height, image.width, image.channels == 1 ? CV_8UC1 : CV_8UC3,
                       const_cast<std::uint8_t*>(image.pixels.data())); // only read from
    cv::Mat copy;
    if (image.channels == 1)
        cv::cvtColor(view, copy, cv::COLOR_GRAY2RGB);
    else
        view.copyTo(copy);
    return copy;
}

Image toImage(const cv::Mat& mat) {
    Image image{mat.cols, mat.rows, 3, {}};
    image.pixels.resize(std::size_t(mat.cols) * std::size_t(mat.rows) * 3);
    for (int y = 0; y < mat.rows; ++y)
        std::copy_n(mat.ptr<std::uint8_t>(y), std::size_t(mat.cols) * 3, image.row(y));
    return image;
}

std::string ascii(const std::string& text) {
    std::string shown;
    for (const char byte : text) {
        const auto code = static_cast<unsigned char>(byte);
        if (code < 0x80)
            shown += code < 0x20 ? ' ' : byte;
        else if ((code & 0xC0) != 0x80)
            shown += '?';
    }
    return shown;
}

cv::Rect rectOf(const Box& box) {
    return {cv::Point(int(std::lround(box.x1)), int(std::lround(box.y1))),
            cv::Point(int(std::lround(box.x2)), int(std::lround(box.y2)))};
}

void drawLabel(cv::Mat& canvas, const std::string& text, cv::Point corner, const cv::Scalar& colour, double scale) {
    int baseline = 0;
    const cv::Size size = cv::getTextSize(text, kFont, scale, 1, &baseline);
    const int height = size.height + baseline + 2;
    corner.x = std::clamp(corner.x, 0, std::max(0, canvas.cols - size.width - 4));
    corner.y = std::clamp(corner.y - height, 0, std::max(0, canvas.rows - height));
    cv::rectangle(canvas, cv::Rect(corner.x, corner.y, size.width + 4, height), colour, cv::FILLED);
    cv::putText(canvas, text, {corner.x + 2, corner.y + size.height + 1}, kFont, scale, cv::Scalar::all(255), 1,
                cv::LINE_AA);
}
/// A third of the mask's pixels' colour becomes the class's.
void drawMask(cv::Mat& canvas, const RunLengthMask& mask, const cv::Scalar& colour) {
    if (mask.width != canvas.cols || mask.height != canvas.rows || !runlength::isWhole(mask))
        return; // of another picture
    auto pixels = runlength::pixels(mask);
    const cv::Mat shape(mask.height, mask.width, CV_8UC1, pixels.data());
    cv::Mat covered;
    cv::addWeighted(canvas, 0.65, cv::Mat(canvas.size(), CV_8UC3, colour), 0.35, 0, covered);
    covered.copyTo(canvas, shape);
}

/// Dots; hidden ones are rings.
void drawKeypoints(cv::Mat& canvas, const std::vector<Keypoint>& keypoints, const cv::Scalar& colour, int thickness) {
    for (const Keypoint& keypoint : keypoints) {
        const cv::Point at(int(std::lround(keypoint.at.x)), int(std::lround(keypoint.at.y)));
        if (keypoint.visibility > 1)
            cv::circle(canvas, at, 2 * thickness, colour, cv::FILLED, cv::LINE_AA);
        if (keypoint.visibility > 0)
            cv::circle(canvas, at, 2 * thickness, keypoint.visibility > 1 ? cv::Scalar::all(255) : colour, 1,
                       cv::LINE_AA);
    }
}
} // namespace

Image drawDetections(const Image& image, const std::vector<Detection>& detections,
                     const std::vector<std::string>& classes, const std::vector<ObjectAnnotation>& truth) {
    cv::Mat canvas = colourCopy(image);
    const int side = std::max(canvas.cols, canvas.rows);
    const int thickness = std::max(1, side / 400);
    const double scale = std::clamp(side / 1400.0, 0.35, 2.0);
    for (const Detection& detection : detections)
        if (detection.mask)
            drawMask(canvas, *detection.mask, colourOf(detection.label));
    for (const ObjectAnnotation& object : truth)
        cv::rectangle(canvas, rectOf(object.box), cv::Scalar::all(255), 1);
    for (const Detection& detection : detections)
        cv::rectangle(canvas, rectOf(detection.box), colourOf(detection.label), thickness);
    for (const Detection& detection : detections)
        drawKeypoints(canvas, detection.keypoints, colourOf(detection.label), thickness);
    for (const Detection& detection : detections) {
        const auto index = std::size_t(detection.label);
        const std::string name = index < classes.size() ? classes[index] : std::to_string(detection.label);
        drawLabel(canvas, fmt::format("{} {:.2f}", ascii(name), detection.score),
                  {int(detection.box.x1), int(detection.box.y1)}, colourOf(detection.label), scale);
    }
    return toImage(canvas);
}

Image rectifiedImage(const Rectification& rectification) {
    return {rectification.width, rectification.height, rectification.channels, rectification.pixels};
}

Image drawRectification(const Image& image, const Rectification& rectification) {
    constexpr double kHeight = 96; // of the word, drawn
    const double factor = std::max(1.0, kHeight / std::max(1, image.height));
    cv::Mat word = colourCopy(image);
    cv::resize(word, word, {}, factor, factor, cv::INTER_LINEAR);
    double room = 0; // that points outside need
    for (const Point& point : rectification.points)
        room = std::max(
            {room, -double(point.x), -double(point.y), double(point.x) - image.width, double(point.y) - image.height});
    const int border = int(std::ceil(std::min(room, double(std::max(image.width, image.height))) * factor)) + 4;
    cv::copyMakeBorder(word, word, border, border, border, border, cv::BORDER_CONSTANT, kPaper);
    const std::size_t half = rectification.points.size() / 2;
    for (std::size_t k = 0; k < rectification.points.size(); ++k) {
        const auto at = [&](std::size_t i) {
            const Point& p = rectification.points[i];
            return cv::Point(border + int(std::lround(double(p.x) * factor)),
                             border + int(std::lround(double(p.y) * factor)));
        };
        const cv::Scalar colour = colourOf(k < half ? 3 : 0); // the upper edge, the lower edge
        if (k + 1 != half && k + 1 < rectification.points.size())
            cv::line(word, at(k), at(k + 1), colour, 1, cv::LINE_AA);
        cv::circle(word, at(k), 3, colour, cv::FILLED, cv::LINE_AA);
    }
    cv::Mat straight = colourCopy(rectifiedImage(rectification));
    cv::resize(straight, straight, {}, 2, 2, cv::INTER_LINEAR);
    cv::Mat canvas(word.rows + straight.rows + 4, std::max(word.cols, straight.cols + 2 * border), CV_8UC3, kPaper);
    word.copyTo(canvas(cv::Rect(0, 0, word.cols, word.rows)));
    straight.copyTo(canvas(cv::Rect(border, word.rows, straight.cols, straight.rows)));
    return toImage(canvas);
}

Image drawReading(const Image& image, const std::string& text, double score, const std::string& truth) {
    cv::Mat word = colourCopy(image);
    const double factor = std::max(1.0, 64.0 / word.rows); // small crops are drawn large enough to look at
    cv::resize(word, word, {}, factor, factor, cv::INTER_LINEAR);
    const bool isWrong = !truth.empty() && truth != text;
    std::string line = fmt::format("{}  {:.2f}", text.empty() ? "(nothing)" : ascii(text), score);
    if (isWrong)
        line += "  not " + ascii(truth);
    const double scale = 0.5;
    int baseline = 0;
    const cv::Size size = cv::getTextSize(line, kFont, scale, 1, &baseline);
    const int strip = size.height + baseline + 8;
    cv::Mat canvas(word.rows + strip, std::max(word.cols, size.width + 8), CV_8UC3, kPaper);
    word.copyTo(canvas(cv::Rect(0, 0, word.cols, word.rows)));
    cv::putText(canvas, line, {4, word.rows + size.height + 4}, kFont, scale, isWrong ? kWrong : kInk, 1, cv::LINE_AA);
    return toImage(canvas);
}

Image contactSheet(const std::vector<Image>& pictures, int columns, int cellWidth, int cellHeight,
                   std::vector<Box>* places) {
    constexpr int kGap = 12;
    const int rows = (int(pictures.size()) + columns - 1) / columns;
    std::vector<cv::Mat> scaled;
    std::vector<int> widths(std::size_t(columns), 0), heights(std::size_t(rows), 0);
    for (const Image& image : pictures) {
        cv::Mat picture = colourCopy(image);
        const double factor = std::min({double(cellWidth) / picture.cols, double(cellHeight) / picture.rows, 1.0});
        if (factor < 1)
            cv::resize(picture, picture,
                       {std::max(1, int(picture.cols * factor)), std::max(1, int(picture.rows * factor))}, 0, 0,
                       cv::INTER_AREA);
        const int row = int(scaled.size()) / columns, column = int(scaled.size()) % columns;
        widths[std::size_t(column)] = std::max(widths[std::size_t(column)], picture.cols);
        heights[std::size_t(row)] = std::max(heights[std::size_t(row)], picture.rows);
        scaled.push_back(picture);
    }
    const auto sum = [](const std::vector<int>& sizes) {
        return std::accumulate(sizes.begin(), sizes.end(), kGap * (int(sizes.size()) + 1));
    };
    cv::Mat sheet(sum(heights), sum(widths), CV_8UC3, kPaper);
    int x = kGap, y = kGap;
    for (std::size_t i = 0; i < scaled.size(); ++i) {
        scaled[i].copyTo(sheet(cv::Rect(x, y, scaled[i].cols, scaled[i].rows)));
        if (places)
            places->push_back({float(x), float(y), float(x + scaled[i].cols), float(y + scaled[i].rows)});
        x += widths[i % std::size_t(columns)] + kGap;
        if ((i + 1) % std::size_t(columns) == 0) {
            x = kGap;
            y += heights[i / std::size_t(columns)] + kGap;
        }
    }
    return toImage(sheet);
}

} // namespace trainyard
