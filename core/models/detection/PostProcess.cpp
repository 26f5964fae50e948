#include "core/models/detection/PostProcess.h"

#include "core/nn/Boxes.h"
#include "core/nn/Nms.h"

#include <torch/nn/module.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace trainyard {
namespace {

/// One class of one anchor.
struct Candidate {
    float logit;
    std::int64_t place; ///< row × K + class

    bool operator<(const Candidate& other) const {
        return logit != other.logit ? logit > other.logit : place < other.place;
    }
};

float logitOf(double score) {
    if (score <= 0)
        return -std::numeric_limits<float>::infinity();
    if (score >= 1)
        return std::numeric_limits<float>::infinity();
    return float(std::log(score / (1 - score)));
}

float sigmoid(float logit) {
    return 1 / (1 + std::exp(-logit));
}

/// Appends the best candidates of places [begin, end) that score more than `threshold`.
void appendBest(const float* logits, std::int64_t begin, std::int64_t end, double threshold, std::int64_t most,
                std::vector<Candidate>& all) {
    const float least = logitOf(threshold);
    std::vector<Candidate> level;
    for (std::int64_t place = begin; place < end; ++place)
        if (logits[place] > least)
            level.push_back({logits[place], place});
    const auto count = std::min(std::int64_t(level.size()), most);
    std::partial_sort(level.begin(), level.begin() + count, level.end());
    all.insert(all.end(), level.begin(), level.begin() + count);
}

std::vector<Candidate> candidates(const AnchorScores& scores, const DetectionRules& rules) {
    const at::Tensor logits = scores.logits.contiguous();
    const std::int64_t classes = logits.size(1);
    std::vector<Candidate> all;
    std::int64_t row = 0;
    for (const std::int64_t rows : scores.rowsALevel) {
        const bool isAll = rules.convention == BoxConvention::Detectron && row + rows == logits.size(0);
        appendBest(logits.data_ptr<float>(), row * classes, (row + rows) * classes, isAll ? 0 : rules.scoreThreshold,
                   rules.topCandidates, all);
        row += rows;
    }
    return all;
}

at::Tensor clipped(const at::Tensor& boxes, const Box& picture) {
    const at::Tensor x = boxes.slice(1, 0, 4, 2).clamp(picture.x1, picture.x2);
    const at::Tensor y = boxes.slice(1, 1, 4, 2).clamp(picture.y1, picture.y2);
    return at::stack({x, y}, 2).reshape({-1, 4}); // x1 y1 x2 y2
}

} // namespace

std::vector<Detection> findObjects(const AnchorScores& scores, const Box& picture, const DetectionRules& rules) {
    const std::vector<Candidate> found = candidates(scores, rules);
    std::vector<std::int64_t> rows, labels;
    std::vector<float> values;
    for (const Candidate& candidate : found) {
        rows.push_back(candidate.place / scores.logits.size(1));
        labels.push_back(candidate.place % scores.logits.size(1));
        values.push_back(sigmoid(candidate.logit));
    }
    const at::Tensor row = at::tensor(rows, at::kLong);
    const BoxCoder coder{{1, 1, 1, 1}, BoxCoder{}.largestLogSize, rules.convention};
    const at::Tensor decoded = coder.decode(scores.offsets.index_select(0, row), scores.anchors.index_select(0, row));
    const at::Tensor own = fromEdges(clipped(toEdges(decoded, rules.convention), picture), rules.convention);
    const at::Tensor kept =
        batchedNms(own, at::tensor(values, at::kFloat), at::tensor(labels, at::kLong), rules.nmsIou, rules.convention);
    const at::Tensor boxes = toEdges(own, rules.convention).contiguous();

    std::vector<Detection> detections;
    for (std::int64_t i = 0; i < std::min(kept.size(0), rules.maxDetections); ++i) {
        const std::int64_t k = kept.data_ptr<std::int64_t>()[i];
        const float* box = boxes.data_ptr<float>() + 4 * k;
        Detection detection;
        detection.label = int(labels[std::size_t(k)]);
        detection.score = values[std::size_t(k)];
        detection.box = {box[0], box[1], box[2], box[3]};
        detections.push_back(detection);
    }
    return detections;
}

Box pictureInNetwork(const SampleInfo& sample, double height, double width) {
    const auto beginning = [](double offset, double scale, int size) { // a mirrored picture ends at its offset
        return float(std::max(0.0, offset + std::min(0.0, scale * size)));
    };
    return {beginning(sample.offsetX, sample.scaleX, sample.width),
            beginning(sample.offsetY, sample.scaleY, sample.height), float(width), float(height)};
}

Box toFilePixels(const Box& box, const SampleInfo& sample) {
    const auto back = [](float value, double offset, double scale, int size) {
        const double pixel = (value - offset) / scale;
        return float(size > 0 ? std::clamp(pixel, 0.0, double(size)) : pixel);
    };
    return {back(box.x1, sample.offsetX, sample.scaleX, sample.width),
            back(box.y1, sample.offsetY, sample.scaleY, sample.height),
            back(box.x2, sample.offsetX, sample.scaleX, sample.width),
            back(box.y2, sample.offsetY, sample.scaleY, sample.height)};
}

} // namespace trainyard
