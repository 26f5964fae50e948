#pragma once

#include <torch/nn/module.h>

#include <memory>
#include <string_view>

namespace trainyard {

/// A normalisation over the channels of [N, C, H, W].
class Norm : public torch::nn::Module {
public:
    virtual torch::Tensor forward(const torch::Tensor& images) = 0;
};

/// What may differ between networks of one kind of norm. `momentum` is the share of the new batch in running
/// statistics.
struct NormOptions {
    double epsilon = 1e-5;
    double momentum = 0.1;
    bool hasScale = true; ///< else there is an offset alone
};

/// What `model.norm` names, for `channels` channels, at scale 1 and offset 0:
/// "batch" (batch normalisation; parameters and buffers as torch's), "group" (independent of the batch; at most 32
/// groups, source: Wu and He 2018), "frozen" (a fixed scale and offset, buffers as torchvision's FrozenBatchNorm2d),
/// "affine" (the same as two buffers, weight and bias, without statistics: Detectron's AffineChannel),
/// "none" (passes everything). Throws on any other name.
std::shared_ptr<Norm> makeNorm(std::string_view kind, std::int64_t channels, const NormOptions& options = {});

/// The largest number of groups up to 32 that divides `channels`.
std::int64_t groupsFor(std::int64_t channels);

} // namespace trainyard
