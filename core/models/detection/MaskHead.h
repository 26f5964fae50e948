#pragma once

#include "core/nn/Convolution.h"
#include "core/nn/Deconvolution.h"
#include "core/nn/Norm.h"
#include "core/telemetry/Annotation.h"

#include <torch/nn/module.h>

#include <memory>
#include <string>
#include <vector>

namespace trainyard {

struct MaskHeadShape {
    std::int64_t in = 256, width = 256;
    std::int64_t convolutions = 4;
    std::int64_t dilation = 1;
    std::string norm = "none"; ///< as `makeNorm` names them; with one, convolutions have no bias
};

/// Some 3×3 convolutions with ReLU over what was pooled of each region: children "0", "1", …, each with its convolution
/// "0" and norm "1", as torchvision's. Source: He et al. 2017, "Mask R-CNN".
class MaskHead final : public torch::nn::Module {
public:
    explicit MaskHead(const MaskHeadShape& shape);
    torch::Tensor forward(torch::Tensor regions); ///< [R, C, H, W] to [R, width, H, W]

private:
    std::vector<std::shared_ptr<Convolution>> m_convolutions;
    std::vector<std::shared_ptr<Norm>> m_norms;
};

/// Twice the size, then a mask for each class: children conv5_mask and mask_fcn_logits, as torchvision's.
class MaskPredictor final : public torch::nn::Module {
public:
    /// `masks` is 1 + classes, background included as in torchvision, or 1 for a mask that all classes share.
    MaskPredictor(std::int64_t in, std::int64_t width, std::int64_t masks);
    torch::Tensor forward(const torch::Tensor& regions); ///< [R, C, H, W] to logits [R, masks, 2 H, 2 W], float32

private:
    std::shared_ptr<Deconvolution> m_doubling;
    std::shared_ptr<Convolution> m_logits;
};

/// A mask of `box`, float [M, M], laid into a picture: float [height, width], 0 outside. The mask gets a border of one
/// cell, the box grows by as much and is cut to whole pixels. Source: Detectron; value as torchvision's.
at::Tensor pastedMask(const at::Tensor& mask, const Box& box, std::int64_t height, std::int64_t width);

/// The pixels where that is more than `threshold`.
RunLengthMask maskInPicture(const at::Tensor& mask, const Box& box, std::int64_t height, std::int64_t width,
                            double threshold = 0.5);

} // namespace trainyard
