#include "core/models/detection/KeypointTargets.h"

#include <ATen/ATen.h>

namespace trainyard {
namespace {

/// The cell of each coordinate [K, P] between `low` and `high` [K, 1].
at::Tensor cellsAlong(const at::Tensor& places, const at::Tensor& low, const at::Tensor& high, std::int64_t size) {
    const at::Tensor cells = ((places - low) * (double(size) / (high - low))).floor();
    return at::where(places == high, at::full_like(cells, double(size - 1)), cells);
}

at::Tensor isOnMap(const at::Tensor& cells, std::int64_t size) {
    return (cells >= 0).logical_and(cells < size); // before they are whole numbers: a region without area divides by 0
}

} // namespace

KeypointTargets keypointTargets(const at::Tensor& keypoints, const at::Tensor& regions, std::int64_t size) {
    const auto side = [&](std::int64_t i) { return regions.slice(1, i, i + 1); };
    const at::Tensor x = cellsAlong(keypoints.select(2, 0), side(0), side(2), size);
    const at::Tensor y = cellsAlong(keypoints.select(2, 1), side(1), side(3), size);
    const at::Tensor counts = (keypoints.select(2, 2) > 0).logical_and(isOnMap(x, size)).logical_and(isOnMap(y, size));
    const at::Tensor cells = at::where(counts, y * size + x, at::zeros_like(x)).to(at::kLong);
    return {cells, counts};
}

at::Tensor holdsVisibleKeypoint(const at::Tensor& keypoints, const at::Tensor& regions) {
    const at::Tensor x = keypoints.select(2, 0), y = keypoints.select(2, 1);
    const auto side = [&](std::int64_t i) { return regions.slice(1, i, i + 1); };
    const at::Tensor isInside =
        (x >= side(0)).logical_and(x <= side(2)).logical_and(y >= side(1)).logical_and(y <= side(3));
    return isInside.logical_and(keypoints.select(2, 2) > 0).any(1);
}

at::Tensor keypointLoss(const at::Tensor& logits, const KeypointTargets& targets, double normaliser) {
    const at::Tensor rows = at::nonzero(targets.isCounted.reshape(-1)).squeeze(1);
    if (rows.size(0) == 0)
        return logits.sum() * 0;
    const at::Tensor maps = logits.flatten(2).flatten(0, 1).index_select(0, rows);
    const at::Tensor sum =
        at::cross_entropy_loss(maps, targets.cells.reshape(-1).index_select(0, rows), {}, at::Reduction::Sum);
    return sum / (normaliser > 0 ? normaliser : double(rows.size(0)));
}

} // namespace trainyard
