#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace trainyard {

/// Corners in pixels: x1 y1 is the top left, x2 y2 the bottom right; a box from 0 to 10 is 10 wide.
struct Box {
    float x1 = 0, y1 = 0, x2 = 0, y2 = 0;
    float width() const { return x2 - x1; }
    float height() const { return y2 - y1; }
    double area() const { return double(width()) * double(height()); }
    bool operator==(const Box&) const = default;
};

struct Point {
    float x = 0, y = 0;
    bool operator==(const Point&) const = default;
};

/// A mask in COCO's run lengths: column by column, first a run of zeros.
struct RunLengthMask {
    int width = 0, height = 0;
    std::vector<std::uint32_t> counts;
};

/// `visibility` as COCO counts it: 0 not labelled, 1 labelled but hidden, 2 visible.
struct Keypoint {
    Point at;
    int visibility = 0;
};

/// One object in an image. `label` counts the model's classes from 0.
struct ObjectAnnotation {
    std::int64_t id = 0; ///< the annotation's id in its file, or its number there
    int label = 0;
    Box box;
    bool isCrowd = false;   ///< an ignore region, in training and in evaluation
    bool isDifficult = false; ///< VOC: ignored by its evaluation
    double area = 0;        ///< as annotated (COCO's sizes go by it), else the box's
    std::vector<std::vector<Point>> polygons;
    std::optional<RunLengthMask> mask;
    std::vector<Keypoint> keypoints;
};

/// One object found.
struct Detection {
    int label = 0;
    float score = 0;
    Box box;
    std::optional<RunLengthMask> mask;
    std::vector<Keypoint> keypoints;
};

/// A word as its rectifier straightened it: 8 bits, row by row, and where the control points lie in the image file.
struct Rectification {
    int width = 0, height = 0, channels = 0;
    std::vector<std::uint8_t> pixels;
    std::vector<Point> points; ///< the upper row from left to right, then the lower one
};

/// What a model says of one image, in pixels of the image file. A recogniser fills `text` and `score`.
struct Prediction {
    std::vector<Detection> detections;
    std::string text;
    double score = 0;
    std::optional<Rectification> rectification = {}; ///< of a recogniser that has a rectifier
};

/// What is known about one sample without its pixels.
struct SampleInfo {
    std::string id;      ///< unique in its dataset: a file's name relative to the dataset, or "seed:index"
    std::string dataset; ///< its name
    std::int64_t imageId = 0; ///< COCO's image id, else the sample's index
    int width = 0, height = 0; ///< of the image file, upright
    double scaleX = 1, scaleY = 1; ///< network pixels by file pixels
    double offsetX = 0, offsetY = 0; ///< of the image inside the network input
    std::string transcript;
    std::vector<std::string> lexicon; ///< words among which the transcript is, where the data says so
    std::vector<ObjectAnnotation> objects; ///< in file pixels, for evaluation and pictures
};

} // namespace trainyard
