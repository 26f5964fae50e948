#pragma once

#include "core/models/Model.h"
#include "core/nn/ThinPlateSpline.h"
#include "tests/core/models/Reference.h"

namespace trainyard::testing {

/// The small network of make_aster_reference.py.
inline AsterConfig smallAster() {
    AsterConfig config;
    config.alphabet = "abcde";
    config.height = 40;
    config.width = 72;
    config.rectifiedWidth = 40;
    config.controlPoints = 6;
    config.marginX = config.marginY = 0.1;
    config.tiny = true;
    config.stemChannels = 4;
    config.residualUnits = {1, 2, 1, 1, 1};
    config.hidden = 6;
    config.sequenceUnits = 8;
    config.decoderUnits = 7;
    config.attentionUnits = 5;
    config.maxSteps = 6;
    return config;
}
inline AsterConfig smallBranchedAster() {
    AsterConfig config = smallAster();
    config.extractor = "crnn";
    config.branches = 3;
    config.rectifiedWidth = 48;
    return config;
}

/// The values that `fill` of make_aster_reference.py gives, its exceptions too.
inline void fillLikeAsterReference(torch::nn::Module& model, const AsterConfig& config) {
    const torch::NoGradGuard noGradients;
    const torch::Tensor basis = model.named_buffers()["rectifier.basis"].clone();
    fillLikeReference(model);
    model.named_buffers()["rectifier.basis"].copy_(basis);
    for (const auto& item : model.named_parameters()) {
        const std::string& name = item.key();
        const bool isDecoders = name.find("_decoder.") != std::string::npos;
        if ((isDecoders || name.rfind("encoder", 0) == 0) && item.value().dim() == 2)
            item.value().mul_(5);
        if (endsWith(name, "label_weight") || endsWith(name, "output.weight"))
            item.value().mul_(2);
        if (endsWith(name, "_decoder.output.bias"))
            item.value()[1] -= 2;
    }
    const ControlPoints points{config.controlPoints, config.marginX, config.marginY};
    model.named_parameters()["rectifier.fc2.bias"].copy_(points.pattern("sine").flatten());
    model.named_parameters()["rectifier.fc2.weight"].mul_(0.1);
}

/// Words "add", "ebcaabe" (longer than the steps) and "".
inline Batch asterBatch() {
    Batch batch;
    batch.images = noise("aster images", {3, 3, 40, 72}).to(torch::kFloat);
    batch.targets["labels"] = torch::tensor({1, 4, 4, 5, 2, 3, 1, 1, 2, 5}, torch::kLong);
    batch.targets["lengths"] = torch::tensor({3, 7, 0}, torch::kLong);
    batch.samples.resize(3);
    return batch;
}

inline std::int64_t countOf(const torch::nn::Module& module) {
    std::int64_t count = 0;
    for (const auto& parameter : module.parameters())
        count += parameter.numel();
    return count;
}

} // namespace trainyard::testing
