#pragma once

#include "core/base/Error.h"
#include "core/nn/Convolution.h"
#include "core/nn/Norm.h"

#include <torch/nn/module.h>

#include <memory>
#include <string>
#include <vector>

namespace trainyard {

/// One residual block: a path of convolutions beside a shortcut. Children conv1, bn1, conv2, … and downsample.0/.1.
class ResidualBlock final : public torch::nn::Module {
public:
    struct Shape {
        std::int64_t in, width, out;
        std::int64_t stride = 1;
        bool isBottleneck = false; ///< 1×1, 3×3, 1×1 in place of 3×3, 3×3
    };
    ResidualBlock(const Shape& shape, const std::string& norm);
    /// Leaves `features` alone; what lies between is changed in place, as no backward pass needs it.
    torch::Tensor forward(const torch::Tensor& features);

private:
    void add(const Convolution::Shape& shape, const std::string& norm);

    std::vector<std::shared_ptr<Convolution>> m_convolutions;
    std::vector<std::shared_ptr<Norm>> m_norms;
    std::shared_ptr<Convolution> m_shortcut; ///< null where the shortcut is the identity
    std::shared_ptr<Norm> m_shortcutNorm;
};

/// ResNet without its classifier, parameter names as torchvision's.
/// Source: He et al. 2016, "Deep Residual Learning"; the stride sits on the 3×3 convolution, as in torchvision.
class ResNet final : public torch::nn::Module {
public:
    /// `depth` is 18, 34 or 50 (throws on others). The stem (1) and first stages (2: layer1 too, …, 5: all) are frozen.
    ResNet(std::int64_t depth, const std::string& norm, std::int64_t frozenStages);

    /// Images [N, 3, H, W] to the features of layer2, layer3 and layer4: strides 8, 16, 32.
    std::vector<torch::Tensor> forward(const torch::Tensor& images);
    /// Channels of these three.
    std::vector<std::int64_t> channels() const;

    /// Frozen stages stay in eval mode, so that their running statistics stay as they are.
    void train(bool isOn = true) override;

private:
    using Stage = std::vector<std::shared_ptr<ResidualBlock>>;
    void addStage(int number, std::int64_t blocks, std::int64_t width, std::int64_t stride, const std::string& norm);
    std::vector<std::shared_ptr<torch::nn::Module>> frozenModules() const;

    std::int64_t m_frozenStages;
    bool m_isBottleneck;
    std::int64_t m_channels = 64; ///< of the newest stage while building, of layer4 afterwards
    std::shared_ptr<Convolution> m_stem;
    std::shared_ptr<Norm> m_stemNorm;
    std::vector<Stage> m_stages;
};

} // namespace trainyard
