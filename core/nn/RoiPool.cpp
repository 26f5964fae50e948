#include "core/nn/RoiPool.h"

#include "core/nn/RoiGeometry.h"
#include "core/nn/RoiMaps.h"
#include "core/nn/RoiVectors.h"
#ifdef TRAINYARD_HAS_CUDA
#include "core/nn/DeviceRois.h"
#endif

#include <ATen/Parallel.h>
#include <torch/csrc/autograd/custom_function.h>

#include <algorithm>
#include <limits>

namespace trainyard {
namespace {

using roi::MapSize;

constexpr const char* kPoolName = "RoIPool";

/// The largest of every bin, and the cell of its image that it came from (-1: none), both channels-last.
struct Pooled {
    at::Tensor values, owners;
};

template <class Stored, class Real>
struct MaximumOf {
    const Stored* cells;
    MapSize map;
    RoiPoolShape shape;

    /// Fills the bins of one region.
    void fill(const Real* region, Real* values, std::int32_t* owners) const {
        using Axis = roi::PoolAxis<Real>;
        const Real scale = Real(shape.scale);
        const Axis columns = Axis::roundedCorners(region[1], region[3], scale, int(shape.width), int(map.width));
        const Axis rows = Axis::roundedCorners(region[2], region[4], scale, int(shape.height), int(map.height));
        const Stored* image = cells + std::int64_t(region[0]) * map.cells() * map.channels;
        for (int row = 0; row < int(shape.height); ++row)
            for (int column = 0; column < int(shape.width); ++column) {
                fillBin(image, {rows.begin(row), rows.end(row), columns.begin(column), columns.end(column)}, values,
                        owners);
                values += map.channels;
                owners += map.channels;
            }
    }

private:
    struct Bin {
        int top, bottom, left, right;
    };
    void fillBin(const Stored* image, const Bin& bin, Real* values, std::int32_t* owners) const {
        const bool isEmpty = bin.bottom <= bin.top || bin.right <= bin.left;
        std::fill(values, values + map.channels, isEmpty ? Real(0) : -std::numeric_limits<Real>::infinity());
        std::fill(owners, owners + map.channels, isEmpty ? -1 : bin.top * int(map.width) + bin.left);
        for (int y = bin.top; y < bin.bottom; ++y)
            for (int x = bin.left; x < bin.right; ++x) {
                const std::int32_t place = y * std::int32_t(map.width) + x;
                roi::keepLarger(values, owners, image + place * map.channels, place, map.channels);
            }
    }
};

Pooled poolOnCpu(const at::Tensor& features, const at::Tensor& rois, const RoiPoolShape& shape) {
    const MapSize map(features.sizes());
    const at::Tensor plain = features.contiguous(at::MemoryFormat::ChannelsLast);
    const auto options = features.options().dtype(roi::realType(features.scalar_type()));
    const std::vector<std::int64_t> sizes = {rois.size(0), map.channels, shape.height, shape.width};
    const Pooled out{at::empty(sizes, options, at::MemoryFormat::ChannelsLast),
                     at::empty(sizes, options.dtype(at::kInt), at::MemoryFormat::ChannelsLast)};
    const std::int64_t values = shape.height * shape.width * map.channels; // of a region
    roi::withTypes(features.scalar_type(), [&](auto stored, auto computed) {
        using Real = decltype(computed);
        const MaximumOf<decltype(stored), Real> maximum{plain.data_ptr<decltype(stored)>(), map, shape};
        at::parallel_for(0, rois.size(0), 4, [&](std::int64_t first, std::int64_t last) {
            for (std::int64_t region = first; region < last; ++region)
                maximum.fill(rois.data_ptr<Real>() + 5 * region, out.values.data_ptr<Real>() + region * values,
                             out.owners.data_ptr<std::int32_t>() + region * values);
        });
    });
    return {out.values.to(features.scalar_type()), out.owners};
}

/// Threads share the channels: no two write one value, and its sum has one order.
at::Tensor gradientOnCpu(const at::Tensor& gradient, const Pooled& pooled, const at::Tensor& rois,
                         at::IntArrayRef sizes) {
    const MapSize map(sizes);
    const at::Tensor plain = gradient.to(rois.scalar_type()).contiguous(at::MemoryFormat::ChannelsLast);
    const at::Tensor out = at::empty(sizes, plain.options(), at::MemoryFormat::ChannelsLast).zero_();
    const std::int64_t bins = gradient.size(2) * gradient.size(3);
    const std::int32_t* owners = pooled.owners.data_ptr<std::int32_t>();
    roi::withTypes(rois.scalar_type(), [&](auto, auto computed) {
        using Real = decltype(computed);
        const Real *in = plain.data_ptr<Real>(), *regions = rois.data_ptr<Real>();
        Real* values = out.data_ptr<Real>();
        at::parallel_for(0, map.channels, 16, [&](std::int64_t first, std::int64_t last) {
            for (std::int64_t bin = 0; bin < rois.size(0) * bins; ++bin) {
                Real* image = values + std::int64_t(regions[5 * (bin / bins)]) * map.cells() * map.channels;
                for (std::int64_t c = first; c < last; ++c)
                    if (const std::int64_t owner = owners[bin * map.channels + c]; owner >= 0)
                        image[owner * map.channels + c] += in[bin * map.channels + c];
            }
        });
    });
    return out;
}

Pooled forwardOn(const at::Tensor& features, const at::Tensor& rois, const RoiPoolShape& shape) {
    if (features.device().is_cpu())
        return poolOnCpu(features, rois, shape);
#ifdef TRAINYARD_HAS_CUDA
    if (features.device().is_cuda()) {
        const auto [values, owners] = roiPoolOnDevice(features, rois, shape);
        return {values, owners};
    }
#endif
    roi::failWithoutKernel(kPoolName);
}

at::Tensor gradientOn(const at::Tensor& gradient, const Pooled& pooled, const at::Tensor& rois, at::IntArrayRef sizes) {
#ifdef TRAINYARD_HAS_CUDA
    if (gradient.device().is_cuda() && !at::globalContext().deterministicAlgorithms())
        return roiPoolGradientOnDevice(gradient, pooled.owners, rois, sizes);
#endif
    return gradientOnCpu(gradient.cpu(), {{}, pooled.owners.cpu()}, rois.cpu(), sizes).to(gradient.device());
}

class RoiPoolFunction : public torch::autograd::Function<RoiPoolFunction> {
public:
    static at::Tensor forward(torch::autograd::AutogradContext* context, const at::Tensor& features,
                              const at::Tensor& rois, const RoiPoolShape& shape) {
        const Pooled pooled = forwardOn(features, rois, shape);
        context->save_for_backward({pooled.owners, rois});
        context->saved_data["sizes"] = features.sizes().vec();
        context->saved_data["type"] = std::int64_t(features.scalar_type());
        return pooled.values;
    }

    static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context,
                                                   torch::autograd::variable_list gradients) {
        const auto saved = context->get_saved_variables();
        const auto sizes = context->saved_data["sizes"].toIntVector();
        const auto type = at::ScalarType(context->saved_data["type"].toInt());
        const at::Tensor none;
        return {gradientOn(gradients[0], {{}, saved[0]}, saved[1], sizes).to(type), none, none};
    }
};

} // namespace

at::Tensor roiPool(const at::Tensor& features, const at::Tensor& rois, const RoiPoolShape& shape) {
    roi::check(kPoolName, features, rois, shape.height, shape.width);
    return RoiPoolFunction::apply(features, roi::plainRois(kPoolName, features, rois), shape);
}

} // namespace trainyard
