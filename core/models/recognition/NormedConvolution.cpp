#include "core/models/recognition/NormedConvolution.h"

namespace trainyard {

NormedConvolution::NormedConvolution(Convolution::Shape shape, const std::string& norm, bool hasRelu)
    : m_hasRelu(hasRelu) {
    shape.hasBias = norm == "none";
    shape.isPaddedAtEnd = true;
    m_convolution = register_module("conv", std::make_shared<Convolution>(shape));
    m_norm = register_module("norm", makeNorm(norm, shape.out, kAsterNorm));
}

torch::Tensor NormedConvolution::forward(const torch::Tensor& images) {
    const torch::Tensor features = m_norm->forward(m_convolution->forward(images));
    return m_hasRelu ? features.relu() : features;
}

} // namespace trainyard
