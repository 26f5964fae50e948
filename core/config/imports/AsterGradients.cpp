#include "core/base/Text.h"
#include "core/config/imports/AsterMapping.h"
#include "core/config/imports/AsterVariables.h"

#include <fmt/format.h>

namespace trainyard::aster {
namespace {

PredictorNames predictorNames(const Message& pipeline) {
    PredictorNames names;
    for (const Message* predictor :
         pipeline.message("model").message("multi_predictors_recognition_model").messages("predictor"))
        (predictor->message("attention_predictor").flag("reverse") ? names.backward : names.forward) =
            predictor->text("name");
    return names;
}

/// Its expressions speak of variables of TensorFlow; ours of the parameters that hold the same.
void mapFreeze(Mapping& mapping, const Message& pipeline) {
    const Message& training = pipeline.message("train_config");
    std::vector<std::string> expressions;
    for (const protobuf::Value* value : training.all("freeze_variables"))
        expressions.push_back(std::get<std::string>(value->content));
    if (expressions.empty())
        return;
    const auto frozen = frozenNames(variableNames(mapping.to.config().model, predictorNames(pipeline)), expressions);
    if (!frozen)
        return mapping.problem(training, "freeze_variables", frozen.error().what);
    for (const std::string& unused : frozen->unused)
        mapping.unmapped(training, "freeze_variables", fmt::format("No variable's name begins with \"{}\".", unused));
    for (const std::string& name : frozen->partly)
        mapping.unmapped(training, "freeze_variables",
                         fmt::format("Only a part of {} is meant, which stays trained.", name));
    if (frozen->patterns.empty())
        return;
    mapping.to.set("solve.freeze", frozen->patterns);
    mapping.adapt(training, "freeze_variables",
                  fmt::format("the same is called {} here.", text::joined(frozen->patterns)));
}

} // namespace

void mapGradients(Mapping& mapping, const Message& pipeline) {
    const Message& training = pipeline.message("train_config");
    mapping.put(training, "gradient_clipping_by_norm", "solve.clip_each_norm",
                training.real("gradient_clipping_by_norm"));
    const double factor = training.real("bias_grad_multiplier"); // solve.bias_pattern finds the same names as theirs
    mapping.put(training, "bias_grad_multiplier", "solve.bias_multiplier", factor == 0 ? 1.0 : factor);
    mapFreeze(mapping, pipeline);
    mapping.unmapped(training, "fine_tune_checkpoint",
                     "Checkpoints of TensorFlow are not read; name weights of ours in model.weights.");
    mapping.unmapped(training, "from_detection_checkpoint");
    mapping.unmapped(training, "startup_delay_steps", "ASTER does not read it either.");
    mapping.unmappedUnless(training, "sync_replicas", "true", "Replicas always update together.");
    const std::int64_t replicas = training.integer("replicas_to_aggregate");
    if (replicas > 1) {
        mapping.put(training, "replicas_to_aggregate", "solve.accumulate", replicas);
        mapping.adapt(training, "replicas_to_aggregate",
                      "solve.accumulate adds up as many batches on one device; divide it by your devices.");
    }
}

} // namespace trainyard::aster
