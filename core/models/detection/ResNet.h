#pragma once

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
        std::int64_t groups = 1;   ///< of a bottleneck's 3×3
        std::int64_t dilation = 1; ///< of a bottleneck's 3×3
        bool stridesOn1x1 = false; ///< in a bottleneck, otherwise on the 3×3
    };
    ResidualBlock(const Shape& shape, const std::string& norm);
    /// Leaves `features` alone; what lies between is changed in place, as no backward pass needs it.
    torch::Tensor forward(const torch::Tensor& features);

private:
    void add(Convolution::Shape shape, const std::string& norm);

    std::vector<std::shared_ptr<Convolution>> m_convolutions;
    std::vector<std::shared_ptr<Norm>> m_norms;
    std::shared_ptr<Convolution> m_shortcut; ///< null where the shortcut is the identity
    std::shared_ptr<Norm> m_shortcutNorm;
};

/// Whether there is a ResNet of so many layers.
bool isResNetDepth(std::int64_t depth);

/// Residual networks and what was made of them.
struct ResNetShape {
    std::int64_t depth = 50;         ///< 18, 34, 50, 101 or 152
    std::int64_t groups = 1;         ///< ResNeXt: 32 or 64; with depth 50 and above only
    std::int64_t widthPerGroup = 64; ///< ResNeXt: 4 or 8
    bool stridesOn1x1 = false;       ///< as in the first ResNets and Detectron's; torchvision strides on the 3×3
    std::int64_t lastDilation = 1;   ///< of layer4; above 1 it keeps layer3's stride
    std::int64_t stages = 4;         ///< 3 leaves layer4 out, which then is the head of each region
    std::string norm = "batch";      ///< as `makeNorm` names them
    std::int64_t frozenStages = 0;   ///< 1: the stem, 2: layer1 too, …, 5: all

    bool isBottleneck() const { return depth >= 50; }
    /// Channels that come out of layer `number` (1 … 4).
    std::int64_t channelsOf(int number) const;
    /// Input pixels by cell of layer `number`.
    std::int64_t strideOf(int number) const;
};

/// One stage, layer `number` of a network of `shape`: children "0", "1", …
class ResNetStage final : public torch::nn::Module {
public:
    ResNetStage(const ResNetShape& shape, int number);
    torch::Tensor forward(torch::Tensor features);

private:
    std::vector<std::shared_ptr<ResidualBlock>> m_blocks;
};

/// ResNet and ResNeXt without their classifier, parameter names as torchvision's.
/// Source: He et al. 2016, "Deep Residual Learning"; Xie et al. 2017, "Aggregated Residual Transformations".
class ResNet final : public torch::nn::Module {
public:
    /// Throws on a depth that there is not, on groups of narrow networks, and on other than 3 or 4 stages.
    explicit ResNet(const ResNetShape& shape);
    ResNet(std::int64_t depth, const std::string& norm, std::int64_t frozenStages);

    /// Images [N, 3, H, W] to the features of layer2, layer3 and layer4: strides 8, 16, 32.
    std::vector<torch::Tensor> forward(const torch::Tensor& images);
    /// Channels of these.
    std::vector<std::int64_t> channels() const;

    /// The features of every layer, layer1 (stride 4) first.
    std::vector<torch::Tensor> allStages(const torch::Tensor& images);
    const ResNetShape& shape() const { return m_shape; }

    /// Frozen stages stay in eval mode, so that their running statistics stay as they are.
    void train(bool isOn = true) override;

private:
    std::vector<std::shared_ptr<torch::nn::Module>> frozenModules() const;

    ResNetShape m_shape;
    std::shared_ptr<Convolution> m_stem;
    std::shared_ptr<Norm> m_stemNorm;
    std::vector<std::shared_ptr<ResNetStage>> m_stages;
};

} // namespace trainyard
