#include "core/nn/RoiAlign.h"

#include "core/nn/RoiGeometry.h"
#include "core/nn/RoiMaps.h"
#include "core/nn/RoiVectors.h"
#ifdef TRAINYARD_HAS_CUDA
#include "core/nn/DeviceRois.h"
#endif

#include <ATen/Parallel.h>
#include <torch/csrc/autograd/custom_function.h>

#include <vector>

namespace trainyard {
namespace {

using roi::MapSize;
using roi::Tap;

constexpr const char* kAlignName = "RoIAlign";

/// One axis of one region: the cells each bin reads, each once, with their shares of the bin's mean. Bilinear weights
/// are a product of the axes', so that a bin's cells are the rows of one axis times the columns of the other.
template <class Real>
class AxisCells {
public:
    struct Cell {
        int index;
        Real share;
    };

    void fill(const roi::AlignAxis<Real>& axis, int bins, int length) {
        m_cells.clear();
        m_firsts.assign(1, 0);
        for (int bin = 0; bin < bins; ++bin) {
            for (int sample = 0; sample < axis.samples; ++sample)
                add({axis.place(bin, sample), length}, Real(axis.samples));
            m_firsts.push_back(m_cells.size());
        }
    }
    const Cell* begin(int bin) const { return m_cells.data() + m_firsts[std::size_t(bin)]; }
    const Cell* end(int bin) const { return m_cells.data() + m_firsts[std::size_t(bin) + 1]; }

private:
    void add(const roi::Neighbours<Real>& cells, Real samples) {
        if (cells.lowShare + cells.highShare <= Real(0))
            return;
        add(cells.low, cells.lowShare / samples);
        if (cells.highShare > Real(0))
            add(cells.high, cells.highShare / samples);
    }
    /// Places only rise within a bin, so that a cell seen before is one of the last two.
    void add(int index, Real share) {
        for (std::size_t back = 1; back <= 2 && m_cells.size() >= m_firsts.back() + back; ++back)
            if (Cell& cell = m_cells[m_cells.size() - back]; cell.index == index) {
                cell.share += share;
                return;
            }
        m_cells.push_back({index, share});
    }

    std::vector<Cell> m_cells;
    std::vector<std::size_t> m_firsts; ///< of each bin, and one past the last
};

/// Regions one at a time: which cells of a channels-last map make each bin. One thread's.
template <class Real>
class RegionBins {
public:
    RegionBins(const RoiAlignShape& shape, const MapSize& map) : m_shape(shape), m_map(map) {}

    void read(const Real* region) {
        const int height = int(m_shape.height), width = int(m_shape.width), samples = int(m_shape.samples);
        const Real scale = Real(m_shape.scale);
        m_image = std::int64_t(region[0]);
        m_columns.fill({region[1], region[3], scale, m_shape.isAligned, width, samples}, width, int(m_map.width));
        m_rows.fill({region[2], region[4], scale, m_shape.isAligned, height, samples}, height, int(m_map.height));
    }
    const std::vector<Tap<Real>>& taps(int row, int column) {
        m_taps.clear();
        for (auto y = m_rows.begin(row); y != m_rows.end(row); ++y) {
            const std::int64_t line = (m_image * m_map.height + y->index) * m_map.width;
            for (auto x = m_columns.begin(column); x != m_columns.end(column); ++x)
                m_taps.push_back({(line + x->index) * m_map.channels, y->share * x->share});
        }
        return m_taps;
    }

private:
    RoiAlignShape m_shape;
    MapSize m_map;
    std::int64_t m_image = 0;
    AxisCells<Real> m_rows, m_columns;
    std::vector<Tap<Real>> m_taps;
};

/// Calls `work` with each bin's taps and its number, for regions [first, last).
template <class Real, class Work>
void forEachBin(const Real* rois, std::int64_t first, std::int64_t last, const RoiAlignShape& shape, const MapSize& map,
                const Work& work) {
    RegionBins<Real> bins(shape, map);
    for (std::int64_t region = first; region < last; ++region) {
        bins.read(rois + 5 * region);
        for (std::int64_t bin = 0; bin < shape.height * shape.width; ++bin)
            work(bins.taps(int(bin / shape.width), int(bin % shape.width)), region * shape.height * shape.width + bin);
    }
}

at::Tensor alignOnCpu(const at::Tensor& features, const at::Tensor& rois, const RoiAlignShape& shape) {
    const MapSize map(features.sizes());
    const at::Tensor plain = features.contiguous(at::MemoryFormat::ChannelsLast);
    const auto real = roi::realType(features.scalar_type());
    const at::Tensor out = at::empty({rois.size(0), map.channels, shape.height, shape.width},
                                     features.options().dtype(real), at::MemoryFormat::ChannelsLast);
    roi::withTypes(features.scalar_type(), [&](auto stored, auto computed) {
        using Real = decltype(computed);
        const auto* cells = plain.data_ptr<decltype(stored)>();
        const Real* regions = rois.data_ptr<Real>();
        Real* values = out.data_ptr<Real>();
        at::parallel_for(0, rois.size(0), 4, [&](std::int64_t first, std::int64_t last) {
            forEachBin(regions, first, last, shape, map, [&](const std::vector<Tap<Real>>& taps, std::int64_t bin) {
                roi::gatherTaps(values + bin * map.channels, cells, taps.data(), std::int64_t(taps.size()),
                                map.channels);
            });
        });
    });
    return out.to(features.scalar_type());
}

/// Threads share the channels, not the regions: no two write one value, and its sum has one order.
at::Tensor gradientOnCpu(const at::Tensor& gradient, const at::Tensor& rois, at::IntArrayRef sizes,
                         const RoiAlignShape& shape) {
    const MapSize map(sizes);
    const at::Tensor plain = gradient.to(rois.scalar_type()).contiguous(at::MemoryFormat::ChannelsLast);
    const at::Tensor out = at::empty(sizes, plain.options(), at::MemoryFormat::ChannelsLast).zero_();
    roi::withTypes(rois.scalar_type(), [&](auto, auto computed) {
        using Real = decltype(computed);
        const Real* regions = rois.data_ptr<Real>();
        const Real* in = plain.data_ptr<Real>();
        Real* values = out.data_ptr<Real>();
        at::parallel_for(0, map.channels, 16, [&](std::int64_t first, std::int64_t last) {
            forEachBin(regions, 0, rois.size(0), shape, map, [&](const std::vector<Tap<Real>>& taps, std::int64_t bin) {
                roi::spreadTaps(values + first, in + bin * map.channels + first, taps.data(), std::int64_t(taps.size()),
                                last - first);
            });
        });
    });
    return out;
}

at::Tensor forwardOn(const at::Tensor& features, const at::Tensor& rois, const RoiAlignShape& shape) {
    if (features.device().is_cpu())
        return alignOnCpu(features, rois, shape);
#ifdef TRAINYARD_HAS_CUDA
    if (features.device().is_cuda())
        return roiAlignOnDevice(features, rois, shape);
#endif
    roi::failWithoutKernel(kAlignName);
}

at::Tensor gradientOn(const at::Tensor& gradient, const at::Tensor& rois, at::IntArrayRef sizes,
                      const RoiAlignShape& shape) {
#ifdef TRAINYARD_HAS_CUDA
    if (gradient.device().is_cuda() && !at::globalContext().deterministicAlgorithms())
        return roiAlignGradientOnDevice(gradient, rois, sizes, shape);
#endif
    return gradientOnCpu(gradient.cpu(), rois.cpu(), sizes, shape).to(gradient.device());
}

class RoiAlignFunction : public torch::autograd::Function<RoiAlignFunction> {
public:
    static at::Tensor forward(torch::autograd::AutogradContext* context, const at::Tensor& features,
                              const at::Tensor& rois, const RoiAlignShape& shape) {
        context->save_for_backward({rois});
        context->saved_data["sizes"] = features.sizes().vec();
        context->saved_data["type"] = std::int64_t(features.scalar_type());
        context->saved_data["shape"] =
            std::vector<std::int64_t>{shape.height, shape.width, shape.samples, shape.isAligned ? 1 : 0};
        context->saved_data["scale"] = shape.scale;
        return forwardOn(features, rois, shape);
    }

    static torch::autograd::variable_list backward(torch::autograd::AutogradContext* context,
                                                   torch::autograd::variable_list gradients) {
        const auto sizes = context->saved_data["sizes"].toIntVector();
        const auto numbers = context->saved_data["shape"].toIntVector();
        const RoiAlignShape shape{numbers[0], numbers[1], context->saved_data["scale"].toDouble(), numbers[2],
                                  numbers[3] != 0};
        const auto type = at::ScalarType(context->saved_data["type"].toInt());
        const at::Tensor none;
        return {gradientOn(gradients[0], context->get_saved_variables()[0], sizes, shape).to(type), none, none};
    }
};

} // namespace

at::Tensor roiAlign(const at::Tensor& features, const at::Tensor& rois, const RoiAlignShape& shape) {
    roi::check(kAlignName, features, rois, shape.height, shape.width);
    return RoiAlignFunction::apply(features, roi::plainRois(kAlignName, features, rois), shape);
}

} // namespace trainyard
