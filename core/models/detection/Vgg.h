#pragma once

#include "core/nn/Convolution.h"

#include <torch/nn/module.h>

#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace trainyard {

/// The convolutions of a VGG network, up to the ReLU of its last one: stride 16, 512 channels. Parameters
/// "features.NUMBER.weight" and ".bias", by torchvision's numbers for "vgg16" and "vgg19".
/// Source: Simonyan and Zisserman 2015, "Very Deep Convolutional Networks"; "vgg_m" is VGG_CNN_M_1024 of Chatfield et
/// al. 2014, with local response normalisation.
class Vgg final : public torch::nn::Module {
public:
    static constexpr std::int64_t kChannels = 512, kStride = 16;

    /// `kind` is "vgg16", "vgg19" or "vgg_m"; throws on others. Frozen are, as in Detectron, the layers before the
    /// second pooling (the first, for "vgg_m").
    Vgg(const std::string& kind, bool isStartFrozen);

    torch::Tensor forward(torch::Tensor images); ///< [N, 3, H, W] to [N, 512, H', W']

private:
    struct Relu {};
    struct LocalNorm {};
    struct Pool {
        std::int64_t kernel;
    };
    using Layer = std::variant<std::shared_ptr<Convolution>, Relu, LocalNorm, Pool>;

    void addConvolution(const Convolution::Shape& shape); ///< with its ReLU
    void addStack(std::int64_t convolutions, std::int64_t channels);
    void freezeSoFar();

    std::int64_t m_channels = 3; ///< of what was added last
    std::shared_ptr<torch::nn::Module> m_features;
    std::vector<Layer> m_layers; ///< by torchvision's numbers
};

} // namespace trainyard
