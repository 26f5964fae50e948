#pragma once

#include "core/nn/Convolution.h"
#include "core/nn/Deconvolution.h"

#include <torch/nn/module.h>

#include <memory>
#include <vector>

namespace trainyard {

/// Some 3×3 convolutions with ReLU over what was pooled of each region: children "0", "2", "4", …, as torchvision's.
/// Source: He et al. 2017, "Mask R-CNN".
class KeypointHead final : public torch::nn::Module {
public:
    KeypointHead(std::int64_t in, std::int64_t width = 512, std::int64_t convolutions = 8);
    torch::Tensor forward(torch::Tensor regions); ///< [R, C, H, W] to [R, width, H, W]

private:
    std::vector<std::shared_ptr<Convolution>> m_convolutions;
};

/// A heat map for each keypoint, four times the size: learnt to the double, bilinear from there. Child
/// kps_score_lowres, as torchvision's.
class KeypointPredictor final : public torch::nn::Module {
public:
    KeypointPredictor(std::int64_t in, std::int64_t keypoints);
    torch::Tensor forward(const torch::Tensor& regions); ///< to logits [R, keypoints, 4 H, 4 W], float32

private:
    std::shared_ptr<Deconvolution> m_doubling;
};

/// The best place of each keypoint of each region: float [R, P, 3], x, y and the logit there. `logits` is [R, P, S, S],
/// `regions` [R, 4] in the pixels that are answered in. Heat maps are scaled to whole pixels of their region (bicubic),
/// whose best one counts by its middle. On the CPU. Source: Detectron; value as torchvision's.
at::Tensor keypointsOf(const at::Tensor& logits, const at::Tensor& regions);

} // namespace trainyard
