#pragma once

#include <ATen/core/Tensor.h>

#include <string>

namespace trainyard {

/// What the maps of several views of the same regions come to. Maps are float [K, …]; those of a view may stand for
/// some of the regions only.
class MapAverage {
public:
    /// "mean", "max", or of probabilities "logit_mean".
    explicit MapAverage(std::string kind) : m_kind(std::move(kind)) {}

    /// `isUsed` is bool [K].
    void add(const at::Tensor& maps, const at::Tensor& isUsed);
    bool isEmpty() const { return !m_total.defined(); }
    at::Tensor value() const;

private:
    std::string m_kind;
    at::Tensor m_total, m_count; ///< [K, …], [K]
};

} // namespace trainyard
