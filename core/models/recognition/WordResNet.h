#pragma once

#include "core/config/RunConfig.h"
#include "core/models/recognition/Extractor.h"
#include "core/models/recognition/NormedConvolution.h"

namespace trainyard {

/// Two convolutions and a shortcut. The first unit of a block strides and has a 3 × 3 convolution on either way; the
/// others start with a 1 × 1 one and pass their input on as it is. Children conv1, conv2 and perhaps shortcut.
class WordResidualUnit final : public torch::nn::Module {
public:
    struct Shape {
        std::int64_t in, out;
        std::int64_t stride = 1, columnStride = 1;
        bool isFirst = false;
    };
    WordResidualUnit(const Shape& shape, const std::string& norm);
    torch::Tensor forward(const torch::Tensor& images);

private:
    std::shared_ptr<NormedConvolution> m_first, m_second, m_shortcut; ///< no shortcut but in the first unit
};

/// Five blocks that bring 32 rows down to one and the width to a quarter: with the full 50 layers, 32 × 100 pixels
/// become 25 steps of 512 channels. Children stem and block1 … block5. Source: Shi et al. 2018, "ASTER", table 1.
class WordResNet final : public Extractor {
public:
    WordResNet(const AsterConfig& config, const std::string& norm);

    std::vector<torch::Tensor> forward(const torch::Tensor& images) override;
    std::int64_t outputs() const override { return m_outputs; }
    std::int64_t maps() const override { return 1; }

private:
    std::shared_ptr<NormedConvolution> m_stem;
    std::vector<std::shared_ptr<WordResidualUnit>> m_units;
    std::int64_t m_outputs;
};

} // namespace trainyard
