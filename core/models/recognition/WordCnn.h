#pragma once

#include "core/config/RunConfig.h"
#include "core/models/recognition/Extractor.h"
#include "core/models/recognition/NormedConvolution.h"

namespace trainyard {

/// The CRNN's seven convolutions as ASTER has them: the lower poolings and the last convolution are not padded, so 32 ×
/// 100 pixels become 23 steps. A second and a third branch leave the trunk after its fourth convolution, have weights
/// of their own and pool more along the width: 11 and 6 steps. Children trunk and branch0 …
class WordCnn final : public Extractor {
public:
    WordCnn(const AsterConfig& config, const std::string& norm);

    std::vector<torch::Tensor> forward(const torch::Tensor& images) override;
    std::int64_t outputs() const override { return m_outputs; }
    std::int64_t maps() const override { return std::int64_t(m_branches.size()); }

private:
    using Layers = std::vector<std::shared_ptr<NormedConvolution>>;
    Layers addLayers(const std::string& name, std::size_t from, std::size_t to);
    torch::Tensor branchOf(std::size_t number, torch::Tensor features);

    std::vector<std::int64_t> m_widths; ///< of the input, then of each convolution
    std::string m_norm;
    Layers m_trunk;
    std::vector<Layers> m_branches;
    std::int64_t m_outputs;
};

} // namespace trainyard
