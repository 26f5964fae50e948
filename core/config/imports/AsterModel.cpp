#include "core/config/imports/AsterMapping.h"

#include <fmt/format.h>

namespace trainyard::aster {
namespace {

/// Whether layers are normalised is one choice here, for the rectifier and the extractor together.
void mapNorm(Mapping& mapping, const Message& net) {
    const Message& stn = net.message("spatial_transformer");
    const Message& convnet = net.message("feature_extractor").message("convnet");
    const Message& inner = convnet.message(convnet.chosen("convnet") == "crnn_net" ? "crnn_net" : "resnet");
    const std::pair<const Message*, const char*> layers[] = {
        {&inner, "conv_hyperparams"},
        {&stn.message("convnet").message("stn_convnet"), "conv_hyperparams"},
        {&stn, "fc_hyperparams"}};
    bool isNormed = false, isPlain = false;
    for (const auto& [owner, field] : layers)
        if (owner->has(field))
            (owner->message(field).has("batch_norm") ? isNormed : isPlain) = true;
    mapping.to.set("model.norm", std::string(isPlain && !isNormed ? "none" : "batch"));
    for (const auto& [owner, field] : layers)
        if (isNormed && owner->has(field) && !owner->message(field).has("batch_norm"))
            mapping.adapt(*owner, field, "model.norm holds for these layers too.");
}

void noteActivations(Mapping& mapping, const Message& part) {
    mapping.unmappedUnless(part, "summarize_activations", "false",
                           "Event files show the rectifier, and gradients and weights of every layer.");
}

void mapRectifier(Mapping& mapping, const Message& model) {
    mapping.to.set(modelKey("rectifier"), model.has("spatial_transformer"));
    if (!model.has("spatial_transformer"))
        return;
    const Message& stn = model.message("spatial_transformer");
    if (const std::string net = stn.message("convnet").chosen("convnet"); net != "stn_convnet")
        mapping.problem(stn, "convnet", "A spatial transformer here has an stn_convnet.");
    const Message& net = stn.message("convnet").message("stn_convnet");
    noteHyperparams(mapping, net.message("conv_hyperparams"), "CONV");
    noteHyperparams(mapping, stn.message("fc_hyperparams"), "FC");
    noteActivations(mapping, net);
    mapping.integer(stn, "localization_h", modelKey("localisation_height"));
    mapping.integer(stn, "localization_w", modelKey("localisation_width"));
    mapping.integer(stn, "output_h", modelKey("rectified_height"));
    mapping.integer(stn, "output_w", modelKey("rectified_width"));
    mapping.real(stn, "margin_x", modelKey("margin_x"));
    mapping.real(stn, "margin_y", modelKey("margin_y"));
    mapping.integer(stn, "num_control_points", modelKey("control_points"));
    for (const auto& [field, name] :
         {std::pair("init_bias_pattern", "initial_points"), {"activation", "point_activation"}})
        if (!mapping.to.set(modelKey(name), stn.text(field)))
            mapping.problem(stn, field, fmt::format("{} cannot be \"{}\".", field, stn.text(field)));
}

void mapExtractor(Mapping& mapping, const Message& model) {
    const Message& net = model.message("feature_extractor").message("convnet");
    const bool isCrnn = net.chosen("convnet") == "crnn_net";
    if (net.chosen("convnet") != "resnet" && !isCrnn)
        return mapping.problem(net, "stn_convnet", "A feature extractor here is a resnet or a crnn_net.");
    const Message& inner = net.message(isCrnn ? "crnn_net" : "resnet");
    mapping.put(net, isCrnn ? "crnn_net" : "resnet", modelKey("extractor"), std::string(isCrnn ? "crnn" : "resnet"));
    noteHyperparams(mapping, inner.message("conv_hyperparams"), "CONV");
    noteActivations(mapping, inner);
    const std::string branches = inner.text("net_type");
    const std::int64_t count = branches == "SINGLE_BRANCH" ? 1 : branches == "TWO_BRANCHES" ? 2 : 3;
    if (!isCrnn && (count != 1 || inner.text("net_depth") != "RESNET_50"))
        return mapping.problem(inner, count != 1 ? "net_type" : "net_depth",
                               "A resnet has a single branch and the depth RESNET_50; ASTER refuses others too.");
    mapping.to.set(modelKey("branches"), count);
    const Message& stn = model.message("spatial_transformer").message("convnet").message("stn_convnet");
    const bool isTiny = isCrnn && inner.flag("tiny"), isTinyStn = stn.flag("tiny");
    mapping.to.set(modelKey("tiny"), isTiny || isTinyStn);
    if (isCrnn && model.has("spatial_transformer") && isTiny != isTinyStn)
        mapping.adapt(isTiny ? inner : stn, "tiny", "the rectifier and the extractor are tiny together.");
}

void mapEncoder(Mapping& mapping, const Message& extractor) {
    const auto layers = extractor.messages("bidirectional_rnn");
    mapping.put(extractor, "bidirectional_rnn", modelKey("layers"), std::int64_t(layers.size()));
    if (layers.empty())
        return mapping.problem(extractor, "bidirectional_rnn",
                               "A sequence encoder needs at least one bidirectional_rnn.");
    const Message& first = *layers.front();
    const Message& cell = first.message("fw_bw_rnn_cell");
    mapCell(mapping, cell, "encoder_cell", "hidden");
    for (const Message* layer : layers) {
        if (const std::string other = first.differenceFrom(*layer, {"static", "summarize_activations"}); !other.empty())
            return mapping.problem(*layer, other.c_str(), "All layers of the encoder must be alike.");
        mapping.unmappedUnless(*layer, "static", "true", "Whether the graph is unrolled changes nothing.");
        noteActivations(mapping, *layer);
    }
    mapRegularizer(mapping, first.message("rnn_regularizer"));
    noteHyperparams(mapping, first.message("fc_hyperparams"), "FC");
    mapping.unmapped(first.message("fc_hyperparams"), "batch_norm", "Projections are not normalised.");
    if (first.integer("num_output_units") > 0)
        mapping.integer(first, "num_output_units", modelKey("sequence_units"));
    else
        mapping.problem(first, "num_output_units",
                        "Layers of the encoder have a projection here: num_output_units must be "
                        "above 0.");
}

} // namespace

void mapModel(Mapping& mapping, const Message& model) {
    if (model.chosen("model").empty())
        return mapping.problem(model, "multi_predictors_recognition_model", "The configuration has no model.");
    const Message& net = model.message("multi_predictors_recognition_model");
    mapping.to.set("model.type", std::string("aster"));
    mapNorm(mapping, net);
    mapping.to.set(modelKey("channels"), std::int64_t(3));
    mapRectifier(mapping, net);
    mapExtractor(mapping, net);
    mapEncoder(mapping, net.message("feature_extractor"));
    noteActivations(mapping, net.message("feature_extractor"));
    mapPredictors(mapping, net);
    mapping.put(net, "keypoint_supervision", modelKey("keypoint_weight"),
                net.flag("keypoint_supervision")
                    ? net.message("regression_loss").message("l2_regression_loss").real("weight")
                    : 0.0);
    if (!net.flag("keypoint_supervision"))
        mapping.adapt(net, "regression_loss", "without keypoint_supervision it is the loss of nothing.");
    else if (net.message("regression_loss").has("sequence_cross_entropy_loss"))
        mapping.problem(net, "regression_loss", "The loss of control points is an l2_regression_loss.");
}

} // namespace trainyard::aster
