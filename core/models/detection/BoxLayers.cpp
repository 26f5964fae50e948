#include "core/models/detection/BoxLayers.h"

#include <torch/nn/module.h>

namespace trainyard {

ConvolutionBoxHead::ConvolutionBoxHead(const ConvolutionBoxHeadShape& shape) : m_width(shape.width) {
    Convolution::Shape convolution{shape.in, shape.channels, 3};
    convolution.hasBias = shape.norm == "none";
    for (std::int64_t i = 0; i < shape.convolutions; ++i) {
        auto block = register_module(std::to_string(i), std::make_shared<torch::nn::Module>());
        m_convolutions.push_back(block->register_module("0", std::make_shared<Convolution>(convolution)));
        m_norms.push_back(makeNorm(shape.norm, shape.channels));
        if (shape.norm != "none")
            block->register_module("1", m_norms.back());
        convolution.in = shape.channels;
    }
    m_last =
        register_module(std::to_string(shape.convolutions + 1),
                        std::make_shared<Dense>(shape.channels * shape.resolution * shape.resolution, shape.width));
}

torch::Tensor ConvolutionBoxHead::forward(const torch::Tensor& regions) {
    torch::Tensor features = regions;
    for (std::size_t i = 0; i < m_convolutions.size(); ++i)
        features = m_norms[i]->forward(m_convolutions[i]->forward(features)).relu_();
    return m_last->forward(features.flatten(1)).relu_();
}

StageBoxHead::StageBoxHead(const ResNetShape& shape)
    : m_outputs(shape.channelsOf(4)), m_stage(register_module("layer4", std::make_shared<ResNetStage>(shape, 4))) {}

std::shared_ptr<BoxHead> makeBoxHead(const RcnnConfig& config, const DetectorBody& body) {
    const BoxHeadConfig& box = config.box;
    if (box.head == "stage")
        return std::make_shared<StageBoxHead>(stageShapeOf(body));
    if (box.head == "convolutions")
        return std::make_shared<ConvolutionBoxHead>(ConvolutionBoxHeadShape{
            body.channels(), box.channels, box.convolutions, box.resolution, box.width, config.headNorm});
    return std::make_shared<TwoLayerHead>(body.channels() * box.resolution * box.resolution, box.width);
}

const ResNetShape& stageShapeOf(const DetectorBody& body) {
    TORCH_CHECK(body.shape() && body.shape()->stages == 3, "The body leaves no last stage to the heads.");
    return *body.shape();
}

} // namespace trainyard
