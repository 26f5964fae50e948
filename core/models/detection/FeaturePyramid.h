#pragma once

#include "core/nn/Convolution.h"
#include "core/nn/Norm.h"

#include <torch/nn/module.h>

#include <memory>
#include <string>
#include <vector>

namespace trainyard {

/// What a pyramid has above the level of its coarsest feature.
enum class PyramidTop {
    None,
    Pool,        ///< one level, every second cell of the one below
    FromPyramid, ///< two levels, convolved from the coarsest of the pyramid
    FromBody,    ///< two levels, convolved from the coarsest feature itself
};

/// Features, finest first and each half the size of the one before, become levels of equal channels and more of them
/// on top. Parameter names as torchvision's; with a norm (any but "none", as `makeNorm` names them) convolutions have
/// no bias. Source: Lin et al. 2017, "Feature Pyramid Networks"; extra levels as in RetinaNet.
class FeaturePyramid final : public torch::nn::Module {
public:
    FeaturePyramid(const std::vector<std::int64_t>& inputChannels, std::int64_t channels,
                   PyramidTop top = PyramidTop::FromPyramid, const std::string& norm = "none");
    std::vector<torch::Tensor> forward(const std::vector<torch::Tensor>& features);

private:
    /// A convolution and its norm, as children "0" and "1" of a module of its own.
    struct Block {
        std::shared_ptr<Convolution> convolution;
        std::shared_ptr<Norm> norm; ///< null without one

        torch::Tensor operator()(const torch::Tensor& images) const;
    };
    static Block addBlock(torch::nn::Module& parent, std::size_t number, Convolution::Shape shape,
                          const std::string& norm);

    PyramidTop m_top;
    std::vector<Block> m_inner, m_layers;
    std::shared_ptr<Convolution> m_p6, m_p7; ///< null unless the top is convolved
};

} // namespace trainyard
