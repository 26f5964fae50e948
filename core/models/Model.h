#pragma once

#include "core/base/Error.h"
#include "core/config/RunConfig.h"
#include "core/models/Batch.h"

#include <torch/nn/module.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace trainyard {

/// A network of either family, seen as the trainer sees it. Parameter names are torchvision's where it has the model.
/// Owned by one replica, used on its thread.
class Model : public torch::nn::Module {
public:
    /// Scalar float32 losses by name, whose sum is minimised; each is a mean over the samples of the batch, so that
    /// the mean over equal parts of a batch is the loss of the whole. Called in train mode, perhaps under autocast.
    using Losses = std::vector<std::pair<std::string, torch::Tensor>>;
    virtual Losses losses(const Batch& batch) = 0;

    /// One prediction a sample, in pixels of the image file. Called in eval mode without gradients.
    virtual std::vector<Prediction> predict(const Batch& batch) = 0;

    /// What else is worth knowing about the last call of `losses` (an accuracy, a count), by name.
    virtual std::vector<std::pair<std::string, double>> metrics() const { return {}; }

    /// What the model can show of itself: pictures as uint8 [C, H, W], C 1 or 3, and values whose distribution is worth
    /// following. Called in eval mode without gradients.
    struct Summary {
        std::vector<std::pair<std::string, torch::Tensor>> pictures, values;
    };
    virtual Summary summary(const Batch&) { return {}; }

    /// Prefixes of parameters that depend on the number of classes or characters: a fine-tune may start them anew.
    virtual std::vector<std::string> classDependent() const = 0;
};

/// What a model must know about the data.
struct ModelContext {
    std::vector<std::string> classes; ///< detection
    std::uint64_t seed = 1;           ///< initial values are a function of this
};

/// Makes the model that `config.model.type` names, on the CPU in float32, initialised by `context.seed`, channels-last.
Result<std::shared_ptr<Model>> makeModel(const RunConfig& config, const ModelContext& context);

} // namespace trainyard
