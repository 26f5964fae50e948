#include "core/models/detection/MapAverage.h"

#include <ATen/ATen.h>

#include <limits>

namespace trainyard {
namespace {

constexpr double kTiny = 1e-20; // Detectron's

/// [K] with as many axes as `maps`.
at::Tensor spread(const at::Tensor& values, const at::Tensor& maps) {
    std::vector<std::int64_t> sizes(std::size_t(maps.dim()), 1);
    sizes[0] = values.size(0);
    return values.reshape(sizes);
}

at::Tensor logitsOf(const at::Tensor& probabilities) {
    return -(1 / probabilities.to(at::kDouble).clamp_min(kTiny) - 1).clamp_min(kTiny).log();
}

} // namespace

void MapAverage::add(const at::Tensor& maps, const at::Tensor& isUsed) {
    const bool isMax = m_kind == "max";
    const at::Tensor values = m_kind == "logit_mean" ? logitsOf(maps) : maps;
    const double unused = isMax ? -std::numeric_limits<double>::infinity() : 0;
    const at::Tensor counted = at::where(spread(isUsed, values), values, at::full({}, unused, values.options()));
    const at::Tensor count = isUsed.to(values.scalar_type());
    if (!m_total.defined()) {
        m_total = counted;
        m_count = count;
        return;
    }
    m_total = isMax ? at::maximum(m_total, counted) : m_total + counted;
    m_count = m_count + count;
}

at::Tensor MapAverage::value() const {
    if (m_kind == "max")
        return m_total;
    const at::Tensor mean = m_total / spread(m_count, m_total);
    return m_kind == "logit_mean" ? at::sigmoid(mean).to(at::kFloat) : mean;
}

} // namespace trainyard
