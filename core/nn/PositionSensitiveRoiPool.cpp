#include "core/nn/RoiGeometry.h"
#include "core/nn/RoiMaps.h"
#include "core/nn/RoiPool.h"
#ifdef TRAINYARD_HAS_CUDA
#include "core/nn/DeviceRois.h"
#endif

#include <ATen/Parallel.h>
#include <torch/csrc/autograd/custom_function.h>

#include <vector>

namespace trainyard {
namespace {

using roi::MapSize;

constexpr const char* kName = "Position-sensitive RoIPool";

/// The cells of one bin in one image.
struct Patch {
    std::int64_t image;
    int top, bottom, left, right;

    std::int64_t cells() const {
        return bottom > top && right > left ? std::int64_t(bottom - top) * (right - left) : 0;
    }
};

/// The patch of every bin of every region; a bin reads channels of its own alone.
template <class Real>
std::vector<Patch> patchesOf(const at::Tensor& rois, const MapSize& map, const PositionSensitiveShape& shape) {
    using Axis = roi::PoolAxis<Real>;
    const int bins = int(shape.bins);
    const auto axisOf = shape.isDetectron ? Axis::scaledAfterRounding : Axis::halfOpen;
    std::vector<Patch> patches;
    patches.reserve(std::size_t(rois.size(0) * bins * bins));
    for (std::int64_t i = 0; i < rois.size(0); ++i) {
        const Real* region = rois.data_ptr<Real>() + 5 * i;
        const Axis columns = axisOf(region[1], region[3], Real(shape.scale), bins, int(map.width));
        const Axis rows = axisOf(region[2], region[4], Real(shape.scale), bins, int(map.height));
        for (int row = 0; row < bins; ++row)
            for (int column = 0; column < bins; ++column)
                patches.push_back({std::int64_t(region[0]), rows.begin(row), rows.end(row), columns.begin(column),
                                   columns.end(column)});
    }
    return patches;
}

template <class Real>
Real sumOf(const Real* plane, const Patch& patch, std::int64_t width) {
    Real sum = 0;
    for (int y = patch.top; y < patch.bottom; ++y)
        for (int x = patch.left; x < patch.right; ++x)
            sum += plane[y * width + x];
    return sum;
}

template <class Real>
void addTo(Real* plane, const Patch& patch, std::int64_t width, Real value) {
    for (int y = patch.top; y < patch.bottom; ++y)
        for (int x = patch.left; x < patch.right; ++x)
            plane[y * width + x] += value;
}

/// Calls `work(plane, patch, value)` for every value of the output: the number of the channel plane it reads, of all
/// images, and its own. Threads share the channels, so that no two meet in a plane.
template <class Real, class Work>
void forEachValue(const at::Tensor& rois, const MapSize& map, const PositionSensitiveShape& shape, const Work& work) {
    const auto patches = patchesOf<Real>(rois, map, shape);
    const std::int64_t bins = shape.bins * shape.bins;
    at::parallel_for(0, map.channels, 1, [&](std::int64_t first, std::int64_t last) {
        for (std::int64_t channel = first; channel < last; ++channel)
            for (std::int64_t region = 0; region < rois.size(0); ++region) {
                const Patch& patch = patches[std::size_t(region * bins + channel % bins)];
                if (patch.cells() > 0)
                    work(patch.image * map.channels + channel, patch, region * map.channels + channel);
            }
    });
}

at::Tensor poolOnCpu(const at::Tensor& features, const at::Tensor& rois, const PositionSensitiveShape& shape) {
    const MapSize map(features.sizes());
    const at::Tensor plain = features.to(rois.scalar_type()).contiguous();
    const at::Tensor out =
        at::zeros({rois.size(0), map.channels / (shape.bins * shape.bins), shape.bins, shape.bins}, plain.options());
    roi::withTypes(rois.scalar_type(), [&](auto, auto computed) {
        using Real = decltype(computed);
        const Real* cells = plain.data_ptr<Real>();
        Real* values = out.data_ptr<Real>();
        forEachValue<Real>(rois, map, shape, [&](std::int64_t plane, const Patch& patch, std::int64_t value) {
            values[value] = sumOf(cells + plane * map.cells(), patch, map.width) / Real(patch.cells());
        });
    });
    return out.to(features.scalar_type());
}

at::Tensor gradientOnCpu(const at::Tensor& gradient, const at::Tensor& rois, at::IntArrayRef sizes,
                         const PositionSensitiveShape& shape) {
    const MapSize map(sizes);
    const at::Tensor plain = gradient.to(rois.scalar_type()).contiguous();
    const at::Tensor out = at::zeros(sizes, plain.options());
    roi::withTypes(rois.scalar_type(), [&](auto, auto computed) {
        using Real = decltype(computed);
        const Real* in = plain.data_ptr<Real>();
        Real* cells = out.data_ptr<Real>();
        forEachValue<Real>(rois, map, shape, [&](std::int64_t plane, const Patch& patch, std::int64_t value) {
            addTo(cells + plane * map.cells(), patch, map.width, in[value] / Real(patch.cells()));
        });
    });
    return out;
}

at::Tensor forwardOn(const at::Tensor& features, const at::Tensor& rois, const PositionSensitiveShape& shape) {
    if (features.device().is_cpu())
        return poolOnCpu(features, rois, shape);
#ifdef TRAINYARD_HAS_CUDA
    if (features.device().is_cuda())
        return positionSensitiveRoiPoolOnDevice(features, rois, shape);
#endif
    roi::failWithoutKernel(kName);
}

at::Tensor gradientOn(const at::Tensor& gradient, const at::Tensor& rois, at::IntArrayRef sizes,
                      const PositionSensitiveShape& shape) {
#ifdef TRAINYARD_HAS_CUDA
    if (gradient.device().is_cuda() && !at::globalContext().deterministicAlgorithms())
        return positionSensitiveGradientOnDevice(gradient, rois, sizes, shape);
#endif
    return gradientOnCpu(gradient.cpu(), rois.cpu(), sizes, shape).to(gradient.device());
}

class PositionSensitiveFunction : public torch::autograd::Function<PositionSensitiveFunction> {
public:
    static at::Tensor forward(torch::autograd::AutogradContext* context, const at::Tensor& features,
                              const at::Tensor& rois, const PositionSensitiveShape& shape) {
        context->save_for_backward({rois});
        context->saved_data["sizes"] = features.sizes().vec();
        context->saved_data["type"] = std::int64_t(features.scalar_type());
        context->saved_data["bins"] = shape.bins;
        context->saved_data["scale"] = shape.scale;
        context->saved_data["isDetectron"] = shape.isDetectron;
        return forwardOn(features, rois, shape);
    }

    static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context,
                                                   torch::autograd::variable_list gradients) {
        auto& data = context->saved_data;
        const PositionSensitiveShape shape{data["bins"].toInt(), data["scale"].toDouble(),
                                           data["isDetectron"].toBool()};
        const auto sizes = data["sizes"].toIntVector();
        const at::Tensor none;
        return {gradientOn(gradients[0], context->get_saved_variables()[0], sizes, shape)
                    .to(at::ScalarType(data["type"].toInt())),
                none, none};
    }
};

} // namespace

at::Tensor positionSensitiveRoiPool(const at::Tensor& features, const at::Tensor& rois,
                                    const PositionSensitiveShape& shape) {
    roi::check(kName, features, rois, shape.bins, shape.bins);
    TORCH_CHECK(features.size(1) % (shape.bins * shape.bins) == 0, kName, ": ", features.size(1),
                " channels cannot be shared out among ", shape.bins, " × ", shape.bins, " bins");
    return PositionSensitiveFunction::apply(features, roi::plainRois(kName, features, rois), shape);
}

} // namespace trainyard
