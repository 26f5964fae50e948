#pragma once

#include "core/config/RcnnConfig.h"
#include "core/models/detection/FeaturePyramid.h"
#include "core/models/detection/ResNet.h"
#include "core/models/detection/Vgg.h"

#include <torch/nn/module.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace trainyard {

/// What makes features of images for a detector by regions: a body, and a pyramid on top where the configuration has
/// one (levels P2 … P6, strides 4 … 64). Otherwise one level of stride 16: layer3 of a ResNet, or its dilated layer4,
/// or a VGG's last. Children "body" and "fpn", as torchvision's. A frozen body gets no gradient and stays in eval mode.
class DetectorBody final : public torch::nn::Module {
public:
    DetectorBody(const RcnnConfig& config, const std::string& norm);

    /// Images [N, 3, H, W] to levels, finest first.
    std::vector<torch::Tensor> forward(const torch::Tensor& images);

    const std::vector<std::int64_t>& strides() const { return m_strides; } ///< of each level
    std::int64_t channels() const { return m_channels; }                   ///< of every level
    /// The network whose last stage the body leaves to the heads; nothing for a VGG.
    const std::optional<ResNetShape>& shape() const { return m_shape; }

    void train(bool isOn = true) override;

private:
    void addResNet(const RcnnConfig& config, const std::string& norm);

    bool m_isFrozen;
    std::optional<ResNetShape> m_shape;
    std::shared_ptr<ResNet> m_resNet; ///< or else the next
    std::shared_ptr<Vgg> m_vgg;
    std::shared_ptr<FeaturePyramid> m_pyramid; ///< null without one
    std::vector<std::int64_t> m_strides;
    std::int64_t m_channels = 0;
};

} // namespace trainyard
