#include "core/models/detection/MaskTargets.h"

#include "core/nn/RoiAlign.h"
#include "core/telemetry/PolygonMask.h"
#include "core/telemetry/RunLength.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>

namespace trainyard {
namespace {

/// x' = (x - start) × factor along one axis.
struct Scaling {
    double start, factor;

    double of(float x) const { return (double(x) - start) * factor; }
};

/// uint8 [height, width], 1 where any of the polygons is.
at::Tensor drawn(const std::vector<std::vector<Point>>& polygons, const Scaling& x, const Scaling& y,
                 std::int64_t height, std::int64_t width) {
    at::Tensor mask = at::zeros({height, width}, at::kByte);
    for (const auto& polygon : polygons) {
        std::vector<double> corners;
        for (const Point& corner : polygon)
            corners.insert(corners.end(), {x.of(corner.x), y.of(corner.y)});
        auto pixels = runlength::pixels(masks::fromPolygon(corners, int(width), int(height)));
        mask.bitwise_or_(at::from_blob(pixels.data(), {height, width}, at::kByte));
    }
    return mask.clamp_max_(1);
}

at::Tensor decoded(const RunLengthMask& mask) {
    auto pixels = runlength::pixels(mask);
    return at::from_blob(pixels.data(), {mask.height, mask.width}, at::kByte).clamp_max(1);
}

/// Pixel numbers under the centres of `size` cells from `start` on, of which `step` pixels make one.
std::vector<std::int64_t> pixelsUnder(double start, double step, std::int64_t size) {
    std::vector<std::int64_t> pixels;
    for (std::int64_t i = 0; i < size; ++i)
        pixels.push_back(std::int64_t(std::floor(start + (double(i) + 0.5) * step)));
    return pixels;
}

at::Tensor sampled(const RunLengthMask& mask, const Box& box, double width, double height, std::int64_t size) {
    const at::Tensor picture = decoded(mask), out = at::zeros({size, size}, at::kByte);
    const auto columns = pixelsUnder(box.x1, width / double(size), size);
    const auto rows = pixelsUnder(box.y1, height / double(size), size);
    for (std::int64_t y = 0; y < size; ++y)
        for (std::int64_t x = 0; x < size; ++x) {
            const std::int64_t row = rows[std::size_t(y)], column = columns[std::size_t(x)];
            if (row >= 0 && row < mask.height && column >= 0 && column < mask.width)
                out.data_ptr<std::uint8_t>()[y * size + x] =
                    picture.data_ptr<std::uint8_t>()[row * mask.width + column];
        }
    return out;
}

Box boxAt(const at::Tensor& regions, std::int64_t row) {
    const float* corners = regions.data_ptr<float>() + 4 * row;
    return {corners[0], corners[1], corners[2], corners[3]};
}

/// float [K, size, size]: the drawn shape, averaged over each cell of each region.
at::Tensor averaged(const ObjectShape& shape, const at::Tensor& regions, const MaskGrid& grid) {
    const at::Tensor picture = shape.polygons.empty() && shape.mask
                                   ? decoded(*shape.mask).slice(0, 0, grid.pictureHeight).slice(1, 0, grid.pictureWidth)
                                   : drawn(shape.polygons, {0, 1}, {0, 1}, grid.pictureHeight, grid.pictureWidth);
    const at::Tensor rois = at::cat({at::zeros({regions.size(0), 1}), regions}, 1);
    return roiAlign(picture.to(at::kFloat).unsqueeze(0).unsqueeze(0), rois, {grid.size, grid.size, 1}).squeeze(1);
}

} // namespace

at::Tensor maskInBox(const ObjectShape& shape, const Box& box, std::int64_t size) {
    const double width = std::max(double(box.x2) - double(box.x1), 1.0);
    const double height = std::max(double(box.y2) - double(box.y1), 1.0);
    if (shape.polygons.empty() && shape.mask)
        return sampled(*shape.mask, box, width, height, size);
    return drawn(shape.polygons, {box.x1, double(size) / width}, {box.y1, double(size) / height}, size, size);
}

at::Tensor maskTargets(const std::vector<ObjectShape>& shapes, const at::Tensor& regions, const at::Tensor& owners,
                       const MaskGrid& grid, BoxConvention convention) {
    const at::Tensor boxes = regions.to(at::kFloat).contiguous(), owner = owners.contiguous();
    const at::Tensor targets = at::zeros({boxes.size(0), grid.size, grid.size});
    if (convention == BoxConvention::Detectron) {
        for (std::int64_t k = 0; k < boxes.size(0); ++k)
            targets[k].copy_(
                maskInBox(shapes.at(std::size_t(owner.data_ptr<std::int64_t>()[k])), boxAt(boxes, k), grid.size));
        return targets;
    }
    for (std::size_t i = 0; i < shapes.size(); ++i) // a drawn picture at a time
        if (const at::Tensor own = at::nonzero(owner == std::int64_t(i)).squeeze(1); own.size(0) > 0)
            targets.index_copy_(0, own, averaged(shapes[i], boxes.index_select(0, own), grid));
    return targets;
}

at::Tensor ownersByTightBox(const std::vector<ObjectShape>& shapes, const std::vector<bool>& isCrowd,
                            const at::Tensor& regions) {
    std::vector<float> corners;
    std::vector<std::int64_t> rows;
    for (std::size_t i = 0; i < shapes.size(); ++i) {
        if (isCrowd.at(i))
            continue;
        const Box box = shapes[i].bounds();
        corners.insert(corners.end(), {box.x1, box.y1, box.x2, box.y2});
        rows.push_back(std::int64_t(i));
    }
    if (regions.size(0) == 0)
        return at::empty({0}, at::kLong);
    TORCH_CHECK(!rows.empty(), "Regions of an image without objects have no mask.");
    const at::Tensor boxes = at::tensor(corners).reshape({-1, 4});
    return at::tensor(rows).index_select(0, pairwiseIou(regions, boxes, BoxConvention::Detectron).argmax(1));
}

at::Tensor maskLoss(const at::Tensor& logits, const at::Tensor& labels, const at::Tensor& targets) {
    if (targets.numel() == 0)
        return logits.sum() * 0;
    const at::Tensor rows = at::arange(labels.size(0), labels.options());
    const at::Tensor classes = logits.size(1) == 1 ? at::zeros_like(labels) : labels;
    const at::Tensor own = logits.index({rows, classes}), counts = (targets >= 0).to(logits.scalar_type());
    const at::Tensor losses =
        at::binary_cross_entropy_with_logits(own, targets.clamp_min(0), {}, {}, at::Reduction::None);
    return (losses * counts).sum() / counts.sum().clamp_min(1);
}

} // namespace trainyard
