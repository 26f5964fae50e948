#include "core/models/detection/Suppression.h"

#include "core/nn/Nms.h"

#include <ATen/ATen.h>

#include <algorithm>

namespace trainyard {
namespace {

ScoredBoxes tensorsOf(const std::vector<Detection>& detections) {
    const auto count = std::int64_t(detections.size());
    ScoredBoxes all{at::empty({count, 4}), at::empty({count}), at::empty({count}, at::kLong)};
    for (std::int64_t i = 0; i < count; ++i) {
        const Detection& one = detections[std::size_t(i)];
        float* box = all.boxes.data_ptr<float>() + 4 * i;
        box[0] = one.box.x1, box[1] = one.box.y1, box[2] = one.box.x2, box[3] = one.box.y2;
        all.scores.data_ptr<float>()[i] = one.score;
        all.labels.data_ptr<std::int64_t>()[i] = one.label;
    }
    return all;
}

std::vector<Detection> detectionsOf(const ScoredBoxes& boxes) {
    const at::Tensor corners = boxes.boxes.contiguous(), scores = boxes.scores.contiguous(),
                     labels = boxes.labels.contiguous();
    std::vector<Detection> detections;
    for (std::int64_t i = 0; i < scores.size(0); ++i) {
        const float* box = corners.data_ptr<float>() + 4 * i;
        Detection& one = detections.emplace_back();
        one.label = int(labels.data_ptr<std::int64_t>()[i]);
        one.score = scores.data_ptr<float>()[i];
        one.box = {box[0], box[1], box[2], box[3]};
    }
    return detections;
}

ScoredBoxes rowsOf(const ScoredBoxes& all, const at::Tensor& rows) {
    return {all.boxes.index_select(0, rows), all.scores.index_select(0, rows), all.labels.index_select(0, rows)};
}

ScoredBoxes kept(const ScoredBoxes& all, const SuppressionRules& rules) {
    if (!rules.softening)
        return rowsOf(all, batchedNms(all.boxes, all.scores, all.labels, rules.nmsIou));
    const Rescored rescored = softNms(all.boxes, all.scores, all.labels, *rules.softening);
    ScoredBoxes boxes = rowsOf(all, rescored.rows);
    boxes.scores = rescored.scores;
    return boxes;
}

} // namespace

std::vector<Detection> suppressed(const std::vector<Detection>& candidates, const SuppressionRules& rules) {
    if (candidates.empty())
        return {};
    const ScoredBoxes all = tensorsOf(candidates);
    ScoredBoxes boxes = kept(all, rules);
    if (rules.voting && boxes.scores.size(0) > 0) {
        boxes = voteBoxes(boxes, all, *rules.voting);
        const c10::optional<bool> isStable = true;
        boxes = rowsOf(boxes, std::get<1>(boxes.scores.sort(isStable, 0, /*descending=*/true)));
    }
    const std::int64_t count = std::min(boxes.scores.size(0), std::max<std::int64_t>(rules.maxDetections, 0));
    return detectionsOf(
        {boxes.boxes.slice(0, 0, count), boxes.scores.slice(0, 0, count), boxes.labels.slice(0, 0, count)});
}

} // namespace trainyard
