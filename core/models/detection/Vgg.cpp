#include "core/models/detection/Vgg.h"

#include <ATen/ATen.h>

namespace trainyard {
namespace {

/// Each value by the squares of five channels around it. Source: Krizhevsky et al. 2012, "ImageNet Classification",
/// section 3.3; the constants as in Detectron.
at::Tensor localResponseNorm(const at::Tensor& images) {
    constexpr std::int64_t kWindow = 5;
    constexpr double kAlpha = 5e-4, kBeta = 0.75, kOffset = 2;
    const at::Tensor squares = at::constant_pad_nd(images * images, {0, 0, 0, 0, kWindow / 2, kWindow / 2});
    at::Tensor sum = squares.slice(1, 0, images.size(1));
    for (std::int64_t i = 1; i < kWindow; ++i)
        sum = sum + squares.slice(1, i, i + images.size(1));
    return images / (kOffset + kAlpha / kWindow * sum).pow(kBeta);
}

} // namespace

Vgg::Vgg(const std::string& kind, bool isStartFrozen) {
    TORCH_CHECK(kind == "vgg16" || kind == "vgg19" || kind == "vgg_m", "There is no VGG called ", kind,
                "; there are vgg16, vgg19 and vgg_m.");
    m_features = register_module("features", std::make_shared<torch::nn::Module>());
    const auto pool = [&](std::int64_t kernel) { m_layers.push_back(Pool{kernel}); };
    if (kind == "vgg_m") {
        addConvolution({3, 96, 7, 2, true, 0, 1, 1, false});
        m_layers.push_back(LocalNorm{});
        pool(3);
        if (isStartFrozen)
            freezeSoFar();
        addConvolution({96, 256, 5, 2, true, 0, 1, 1, false});
        m_layers.push_back(LocalNorm{});
        pool(3);
        addStack(3, kChannels);
        return;
    }
    const std::int64_t deep = kind == "vgg16" ? 3 : 4; // convolutions of the later stacks
    addStack(2, 64);
    pool(2);
    addStack(2, 128);
    pool(2);
    if (isStartFrozen)
        freezeSoFar();
    addStack(deep, 256);
    pool(2);
    addStack(deep, kChannels);
    pool(2);
    addStack(deep, kChannels);
}

void Vgg::addConvolution(const Convolution::Shape& shape) {
    m_layers.push_back(
        m_features->register_module(std::to_string(m_layers.size()), std::make_shared<Convolution>(shape)));
    m_layers.push_back(Relu{});
    m_channels = shape.out;
}

void Vgg::addStack(std::int64_t convolutions, std::int64_t channels) {
    for (std::int64_t i = 0; i < convolutions; ++i)
        addConvolution({m_channels, channels, 3});
}

void Vgg::freezeSoFar() {
    for (auto& parameter : parameters())
        parameter.set_requires_grad(false);
}

torch::Tensor Vgg::forward(torch::Tensor images) {
    for (const Layer& layer : m_layers) {
        if (const auto* convolution = std::get_if<std::shared_ptr<Convolution>>(&layer))
            images = (*convolution)->forward(images);
        else if (const auto* pool = std::get_if<Pool>(&layer))
            images = at::max_pool2d(images, {pool->kernel, pool->kernel}, {2, 2});
        else if (std::holds_alternative<Relu>(layer))
            images = images.relu_();
        else
            images = localResponseNorm(images);
    }
    return images;
}

} // namespace trainyard
