#include "core/nn/PointSampling.h"

#include <torch/nn/module.h>

namespace trainyard {
namespace {

constexpr std::int64_t kBilinear = 0, kBorder = 1; // of at::grid_sampler

/// Coordinates of an axis of `size` pixels as the grid sampler counts them, from -1 at the first pixel to 1 at the
/// last.
at::Tensor asGrid(const at::Tensor& coordinates, std::int64_t size) {
    TORCH_CHECK(size >= 2, "sampleAt: an image must have two pixels each way at least.");
    const at::Tensor pixels = (coordinates * double(size)).clamp(0, double(size - 2));
    return pixels * (2.0 / double(size - 1)) - 1;
}

} // namespace

at::Tensor sampleAt(const at::Tensor& images, const at::Tensor& points) {
    const at::Tensor grid =
        at::stack({asGrid(points.select(3, 0), images.size(3)), asGrid(points.select(3, 1), images.size(2))}, 3);
    return at::grid_sampler(images, grid, kBilinear, kBorder, /*align_corners=*/true)
        .contiguous(at::MemoryFormat::ChannelsLast);
}

} // namespace trainyard
