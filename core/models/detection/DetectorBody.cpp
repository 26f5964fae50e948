#include "core/models/detection/DetectorBody.h"

#include <torch/nn/module.h>

namespace trainyard {
namespace {

ResNetShape shapeOf(const RcnnConfig& config, const std::string& norm) {
    ResNetShape shape;
    shape.depth = config.depth;
    shape.groups = config.groups;
    shape.widthPerGroup = config.groupWidth;
    shape.stridesOn1x1 = config.stridesOn1x1;
    shape.lastDilation = config.lastDilation;
    shape.norm = norm;
    shape.frozenStages = config.frozenStages;
    const bool isLastLeft = !config.pyramid && (config.box.head == "stage" || config.lastDilation == 1);
    shape.stages = isLastLeft ? 3 : 4;
    return shape;
}

std::vector<std::int64_t> channelsOf(const ResNetShape& shape) {
    std::vector<std::int64_t> channels;
    for (int number = 1; number <= int(shape.stages); ++number)
        channels.push_back(shape.channelsOf(number));
    return channels;
}

} // namespace

DetectorBody::DetectorBody(const RcnnConfig& config, const std::string& norm) : m_isFrozen(config.frozenBody) {
    if (config.body == "resnet") {
        addResNet(config, norm);
    } else {
        m_vgg = register_module("body", std::make_shared<Vgg>(config.body, config.frozenStages > 0));
        m_strides = {Vgg::kStride};
        m_channels = Vgg::kChannels;
    }
    if (m_isFrozen)
        for (auto& parameter : parameters())
            parameter.set_requires_grad(false);
}

void DetectorBody::addResNet(const RcnnConfig& config, const std::string& norm) {
    m_shape = shapeOf(config, norm);
    m_resNet = register_module("body", std::make_shared<ResNet>(*m_shape));
    if (!config.pyramid) {
        m_strides = {m_shape->strideOf(int(m_shape->stages))};
        m_channels = m_shape->channelsOf(int(m_shape->stages));
        return;
    }
    m_pyramid = register_module("fpn", std::make_shared<FeaturePyramid>(channelsOf(*m_shape), config.pyramidChannels,
                                                                        PyramidTop::Pool, config.headNorm));
    for (int number = 1; number <= int(m_shape->stages); ++number)
        m_strides.push_back(m_shape->strideOf(number));
    m_strides.push_back(2 * m_strides.back());
    m_channels = config.pyramidChannels;
}

std::vector<torch::Tensor> DetectorBody::forward(const torch::Tensor& images) {
    const c10::AutoGradMode gradients(!m_isFrozen && c10::GradMode::is_enabled());
    if (m_vgg)
        return {m_vgg->forward(images)};
    auto stages = m_resNet->allStages(images);
    return m_pyramid ? m_pyramid->forward(stages) : std::vector<torch::Tensor>{stages.back()};
}

void DetectorBody::train(bool isOn) {
    torch::nn::Module::train(isOn && !m_isFrozen);
}

} // namespace trainyard
