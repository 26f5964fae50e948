#include "core/nn/Nms.h"

#include <torch/nn/module.h>

#include <algorithm>
#include <numeric>
#include <vector>

namespace trainyard {
namespace {

/// Boxes of one class in falling score, a column an array: the inner loop then runs over plain memory.
struct Columns {
    std::vector<float> x1, y1, x2, y2, area;
    std::vector<std::int64_t> row;

    void add(const float* box, std::int64_t boxRow) {
        x1.push_back(box[0]);
        y1.push_back(box[1]);
        x2.push_back(box[2]);
        y2.push_back(box[3]);
        area.push_back((box[2] - box[0]) * (box[3] - box[1]));
        row.push_back(boxRow);
    }
    void clear() {
        for (auto* column : {&x1, &y1, &x2, &y2, &area})
            column->clear();
        row.clear();
    }
    std::size_t size() const { return row.size(); }
};

/// Marks in `isGone` every box after `kept` that overlaps it too much; `goesAtLimit`: as much is too much.
template <bool goesAtLimit>
void suppressAfter(std::size_t kept, const Columns& boxes, float maxOverlap, std::vector<std::uint8_t>& isGone) {
    const float left = boxes.x1[kept], top = boxes.y1[kept], right = boxes.x2[kept], bottom = boxes.y2[kept];
    const float area = boxes.area[kept];
    const float *x1 = boxes.x1.data(), *y1 = boxes.y1.data(), *x2 = boxes.x2.data(), *y2 = boxes.y2.data();
    const float* areas = boxes.area.data();
    std::uint8_t* gone = isGone.data();
    for (std::size_t j = kept + 1, count = boxes.size(); j < count; ++j) {
        const float width = std::max(0.F, std::min(right, x2[j]) - std::max(left, x1[j]));
        const float height = std::max(0.F, std::min(bottom, y2[j]) - std::max(top, y1[j]));
        const float shared = width * height;
        const float limit = maxOverlap * (area + areas[j] - shared);
        gone[j] |= goesAtLimit ? shared >= limit : shared > limit;
    }
}

void appendKept(const Columns& boxes, float maxOverlap, BoxConvention convention, std::vector<std::int64_t>& kept) {
    const auto suppress = convention == BoxConvention::Detectron ? suppressAfter<true> : suppressAfter<false>;
    std::vector<std::uint8_t> isGone(boxes.size(), 0);
    for (std::size_t i = 0; i < boxes.size(); ++i) {
        if (isGone[i])
            continue;
        kept.push_back(boxes.row[i]);
        suppress(i, boxes, maxOverlap, isGone);
    }
}

void check(const at::Tensor& boxes, const at::Tensor& scores) {
    TORCH_CHECK(boxes.dim() == 2 && boxes.size(1) == 4, "nms: boxes must be [N, 4], not ", boxes.sizes());
    TORCH_CHECK(scores.dim() == 1 && scores.size(0) == boxes.size(0), "nms: scores must be [N], not ", scores.sizes());
}

at::Tensor plainCpu(const at::Tensor& tensor, at::ScalarType type) {
    return tensor.detach().to(at::kCPU, type).contiguous();
}

} // namespace

at::Tensor nms(const at::Tensor& boxes, const at::Tensor& scores, double maxOverlap, BoxConvention convention) {
    return batchedNms(boxes, scores, at::zeros({scores.size(0)}, at::kLong), maxOverlap, convention);
}

at::Tensor batchedNms(const at::Tensor& boxes, const at::Tensor& scores, const at::Tensor& labels, double maxOverlap,
                      BoxConvention convention) {
    check(boxes, scores);
    TORCH_CHECK(labels.sizes() == scores.sizes(), "nms: labels must be [N], not ", labels.sizes());
    const at::Tensor box = toEdges(plainCpu(boxes, at::kFloat), convention), score = plainCpu(scores, at::kFloat);
    const at::Tensor label = plainCpu(labels, at::kLong);
    const float* scoreOf = score.data_ptr<float>();
    const std::int64_t* labelOf = label.data_ptr<std::int64_t>();

    std::vector<std::int64_t> order(std::size_t(scores.size(0)));
    std::iota(order.begin(), order.end(), 0);
    const auto isBetter = [&](std::int64_t a, std::int64_t b) {
        return scoreOf[a] != scoreOf[b] ? scoreOf[a] > scoreOf[b] : a < b;
    };
    std::sort(order.begin(), order.end(), [&](std::int64_t a, std::int64_t b) {
        return labelOf[a] != labelOf[b] ? labelOf[a] < labelOf[b] : isBetter(a, b);
    });

    std::vector<std::int64_t> kept;
    Columns sameClass;
    for (std::size_t i = 0; i < order.size(); ++i) {
        sameClass.add(box.data_ptr<float>() + 4 * order[i], order[i]);
        if (i + 1 < order.size() && labelOf[order[i + 1]] == labelOf[order[i]])
            continue;
        appendKept(sameClass, float(maxOverlap), convention, kept);
        sameClass.clear();
    }
    std::sort(kept.begin(), kept.end(), isBetter);
    return at::tensor(kept, at::kLong).to(boxes.device());
}

} // namespace trainyard
