#pragma once

#include "core/nn/Convolution.h"

#include <torch/nn/module.h>

#include <memory>
#include <vector>

namespace trainyard {

/// What the heads say of every anchor, levels one after the other, float32.
struct RetinaNetOutput {
    torch::Tensor logits;  ///< [N, R, K]
    torch::Tensor offsets; ///< [N, R, 4]
};

/// Some 3×3 convolutions with ReLU and a last one with `values` channels an anchor, shared by all levels.
class RetinaNetBranch final : public torch::nn::Module {
public:
    RetinaNetBranch(const std::string& lastName, std::int64_t channels, std::int64_t convolutions, std::int64_t anchors,
                    std::int64_t values);
    /// Levels [N, C, H, W] through the convolutions before the last.
    std::vector<torch::Tensor> look(const std::vector<torch::Tensor>& levels);
    /// What was looked at to [N, R, values] in float32.
    torch::Tensor read(const std::vector<torch::Tensor>& features);

private:
    std::int64_t m_values;
    std::vector<std::shared_ptr<Convolution>> m_convolutions;
    std::shared_ptr<Convolution> m_last;
};

/// The two branches, classification_head and regression_head. Parameter names as torchvision's. Where they share their
/// convolutions, these are the classification's.
class RetinaNetHead final : public torch::nn::Module {
public:
    /// `anchors` is how many stand at one place.
    RetinaNetHead(std::int64_t channels, std::int64_t convolutions, std::int64_t anchors, std::int64_t classes,
                  bool isShared = false);
    RetinaNetOutput forward(const std::vector<torch::Tensor>& levels);

private:
    bool m_isShared;
    std::shared_ptr<RetinaNetBranch> m_classification, m_regression;
};

} // namespace trainyard
