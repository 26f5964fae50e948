#include "core/config/imports/AsterMapping.h"

#include <fmt/format.h>

#include <sstream>

namespace trainyard::aster {
namespace {

constexpr const char* kSection = "model.aster.";
constexpr const char* kDigits = "0123456789";
constexpr const char* kSmall = "abcdefghijklmnopqrstuvwxyz";
constexpr const char* kCapitals = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";
constexpr const char* kMarks = "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~";

std::string key(const char* name) {
    return kSection + std::string(name);
}

/// Ours has one factor for all kernels.
void mapRegularizer(Mapping& mapping, const Message& regularizer) {
    for (const auto& [field, name] : {std::pair("l1_regularizer", "l1"), {"l2_regularizer", "l2"}}) {
        const double weight = regularizer.has(field) ? regularizer.message(field).real("weight") : 0.0;
        if (weight == 0)
            continue;
        if (mapping.to.set(key(name), weight))
            mapping.adapt(regularizer, field, fmt::format("{} holds for all kernels.", key(name)));
        else
            mapping.unmapped(regularizer, field);
    }
}

/// Convolutions and linear layers: their values begin and are normalised as ours do.
void noteHyperparams(Mapping& mapping, const Message& hyper) {
    mapRegularizer(mapping, hyper.message("regularizer"));
    mapping.unmappedUnless(hyper, "activation", "RELU");
    const Message& initial = hyper.message("initializer");
    mapping.unmapped(initial, "truncated_normal_initializer");
    mapping.unmapped(initial, "orthogonal_initializer");
    mapping.unmapped(initial, "uniform_initializer");
    const Message& scaling = initial.message("variance_scaling_initializer");
    mapping.unmappedUnless(scaling, "factor", "2.0");
    mapping.unmappedUnless(scaling, "uniform", "false");
    mapping.unmappedUnless(scaling, "mode", "FAN_IN");
    const Message& norm = hyper.message("batch_norm");
    mapping.unmappedUnless(norm, "decay", "0.99", "Running statistics keep 0.99 of what they were.");
    mapping.unmappedUnless(norm, "center", "true");
    mapping.unmappedUnless(norm, "scale", "false");
    mapping.unmappedUnless(norm, "epsilon", "0.001");
    mapping.unmappedUnless(norm, "train", "true");
}

/// "lstm", "peephole-lstm" or "gru", and its units.
void mapCell(Mapping& mapping, const Message& cell, const char* kindKey, const char* unitsKey) {
    const bool isGru = cell.chosen("rnn_cell") == "gru_cell";
    const Message& inner = cell.message(isGru ? "gru_cell" : "lstm_cell");
    mapping.integer(inner, "num_units", key(unitsKey));
    const bool hasPeepholes = !isGru && inner.flag("use_peepholes");
    const std::string kind = isGru ? "gru" : hasPeepholes ? "peephole-lstm" : "lstm";
    if (ImportTarget::has(key(kindKey)) || kind != "lstm")
        mapping.put(cell, isGru ? "gru_cell" : "lstm_cell", key(kindKey), kind);
    if (!isGru)
        mapping.unmappedUnless(inner, "forget_bias", "1.0");
    const Message& initial = inner.message("initializer");
    for (const char* other : {"truncated_normal_initializer", "variance_scaling_initializer", "uniform_initializer"})
        mapping.unmapped(initial, other, "Recurrent kernels begin orthogonal.");
    const Message& orthogonal = initial.message("orthogonal_initializer");
    mapping.unmappedUnless(orthogonal, "gain", "1.0");
    mapping.adapt(orthogonal, "seed", "every kernel begins by the run's seed and its own name.");
}

void mapRectifier(Mapping& mapping, const Message& model) {
    mapping.to.set(key("rectifier"), model.has("spatial_transformer"));
    if (!model.has("spatial_transformer"))
        return;
    const Message& stn = model.message("spatial_transformer");
    if (const std::string net = stn.message("convnet").chosen("convnet"); net != "stn_convnet")
        mapping.problem(stn, "convnet", "A spatial transformer here has an stn_convnet.");
    const Message& net = stn.message("convnet").message("stn_convnet");
    noteHyperparams(mapping, net.message("conv_hyperparams"));
    noteHyperparams(mapping, stn.message("fc_hyperparams"));
    mapping.integer(stn, "localization_h", key("localisation_height"));
    mapping.integer(stn, "localization_w", key("localisation_width"));
    mapping.integer(stn, "output_h", key("rectified_height"));
    mapping.integer(stn, "output_w", key("rectified_width"));
    mapping.real(stn, "margin_x", key("margin_x"));
    mapping.real(stn, "margin_y", key("margin_y"));
    mapping.integer(stn, "num_control_points", key("control_points"));
    for (const auto& [field, name] :
         {std::pair("init_bias_pattern", "initial_points"), {"activation", "point_activation"}})
        if (!mapping.to.set(key(name), stn.text(field)))
            mapping.problem(stn, field, fmt::format("{} cannot be \"{}\".", field, stn.text(field)));
}

void mapExtractor(Mapping& mapping, const Message& model) {
    const Message& net = model.message("feature_extractor").message("convnet");
    const bool isCrnn = net.chosen("convnet") == "crnn_net";
    if (net.chosen("convnet") != "resnet" && !isCrnn)
        return mapping.problem(net, "stn_convnet", "A feature extractor here is a resnet or a crnn_net.");
    const Message& inner = net.message(isCrnn ? "crnn_net" : "resnet");
    mapping.put(net, isCrnn ? "crnn_net" : "resnet", key("extractor"), std::string(isCrnn ? "crnn" : "resnet"));
    noteHyperparams(mapping, inner.message("conv_hyperparams"));
    const std::string branches = inner.text("net_type");
    const std::int64_t count = branches == "SINGLE_BRANCH" ? 1 : branches == "TWO_BRANCHES" ? 2 : 3;
    if (!isCrnn && (count != 1 || inner.text("net_depth") != "RESNET_50"))
        return mapping.problem(inner, count != 1 ? "net_type" : "net_depth",
                               "A resnet has a single branch and the depth RESNET_50; ASTER refuses others too.");
    mapping.to.set(key("branches"), count);
    const Message& stn = model.message("spatial_transformer").message("convnet").message("stn_convnet");
    const bool isTiny = isCrnn && inner.flag("tiny"), isTinyStn = stn.flag("tiny");
    mapping.to.set(key("tiny"), isTiny || isTinyStn);
    if (isCrnn && model.has("spatial_transformer") && isTiny != isTinyStn)
        mapping.adapt(isTiny ? inner : stn, "tiny", "the rectifier and the extractor are tiny together.");
}

void mapEncoder(Mapping& mapping, const Message& extractor) {
    const auto layers = extractor.messages("bidirectional_rnn");
    mapping.put(extractor, "bidirectional_rnn", key("layers"), std::int64_t(layers.size()));
    if (layers.empty())
        return mapping.problem(extractor, "bidirectional_rnn",
                               "A sequence encoder needs at least one bidirectional_rnn.");
    const Message& first = *layers.front();
    const Message& cell = first.message("fw_bw_rnn_cell");
    mapCell(mapping, cell, "encoder_cell", "hidden");
    for (const Message* layer : layers) {
        const Message& other = layer->message("fw_bw_rnn_cell");
        const char* kind = other.chosen("rnn_cell") == "gru_cell" ? "gru_cell" : "lstm_cell";
        if (other.chosen("rnn_cell") != cell.chosen("rnn_cell") ||
            other.message(kind).integer("num_units") != cell.message(kind).integer("num_units") ||
            layer->integer("num_output_units") != first.integer("num_output_units"))
            return mapping.problem(*layer, "fw_bw_rnn_cell", "All layers of the encoder must be alike.");
        mapping.unmappedUnless(*layer, "static", "true", "Whether the graph is unrolled changes nothing.");
        mapRegularizer(mapping, layer->message("rnn_regularizer"));
        noteHyperparams(mapping, layer->message("fc_hyperparams"));
    }
    if (first.integer("num_output_units") > 0)
        mapping.integer(first, "num_output_units", key("sequence_units"));
    else
        mapping.problem(first, "num_output_units",
                        "Layers of the encoder have a projection here: num_output_units must be "
                        "above 0.");
}

void mapLoss(Mapping& mapping, const Message& loss) {
    const Message& sequence = loss.message("sequence_cross_entropy_loss");
    mapping.real(sequence, "weight", key("loss_weight"));
    mapping.adapt(sequence, "sequence_normalize", "it has no effect in ASTER, and none here.");
    mapping.unmappedUnless(sequence, "sample_normalize", "true", "Losses are means over samples.");
}

/// What is the same in both directions is taken from the first.
void mapDecoder(Mapping& mapping, const Message& attention) {
    mapCell(mapping, attention.message("rnn_cell"), "decoder_cell", "decoder_units");
    mapRegularizer(mapping, attention.message("rnn_regularizer"));
    mapping.integer(attention, "num_attention_units", key("attention_units"));
    mapping.integer(attention, "max_num_steps", key("max_steps"));
    mapping.integer(attention, "beam_width", key("beam_width"));
    if (ImportTarget::has(key("multi_attention")) || attention.flag("multi_attention"))
        mapping.flag(attention, "multi_attention", key("multi_attention"));
    if (ImportTarget::has(key("sync")) || !attention.flag("sync"))
        mapping.flag(attention, "sync", key("sync"));
    mapLoss(mapping, attention.message("loss"));
    const Message& language = attention.message("lm_rnn_cell");
    const auto cells = language.messages("rnn_cell");
    if (!cells.empty()) {
        const Message& lstm = cells.front()->message("lstm_cell");
        mapping.integer(lstm, "num_units", key("language_units"));
        if (cells.size() > 1 || cells.front()->chosen("rnn_cell") == "gru_cell")
            mapping.unmapped(language, "rnn_cell", "A language model here is one LSTM cell.");
    }
    mapping.unmapped(language, "restore_path");
    const Message& labels = attention.message("label_map");
    const std::string alphabet = charactersOf(mapping, labels.message("character_set"));
    mapping.to.set(key("alphabet"), alphabet);
    const bool hasCapitals = alphabet.find_first_of(kCapitals) != std::string::npos;
    mapping.to.set(key("case_sensitive"), hasCapitals && alphabet.find_first_of(kSmall) != std::string::npos);
    mapping.unmappedUnless(labels, "label_offset", "2", "Characters count from 2, behind start and end.");
    mapping.adapt(labels, "unk_label", "words with unknown characters are treated as data.on_unknown_character says.");
}

void mapPredictors(Mapping& mapping, const Message& model) {
    const auto predictors = model.messages("predictor");
    if (predictors.empty() || predictors.size() > 2)
        return mapping.problem(model, "predictor", "A recogniser here has one predictor, or one for each direction.");
    std::set<bool> reversed;
    std::set<std::string> names;
    for (const Message* predictor : predictors) {
        if (predictor->chosen("predictor") != "attention_predictor")
            return mapping.problem(*predictor, "ctc_predictor",
                                   "A predictor here is an attention_predictor; for CTC train "
                                   "the model crnn.");
        reversed.insert(predictor->message("attention_predictor").flag("reverse"));
        if (!names.insert(predictor->text("name")).second || predictor->text("name").find('/') != std::string::npos)
            return mapping.problem(*predictor, "name", "Each predictor must have a name of its own, without \"/\".");
    }
    if (reversed.size() != predictors.size())
        return mapping.problem(model, "predictor", "Two predictors here read in the two directions.");
    mapping.to.set(key("directions"), std::string(predictors.size() == 2 ? "both"
                                                  : *reversed.begin()    ? "backward"
                                                                         : "forward"));
    mapDecoder(mapping, predictors.front()->message("attention_predictor"));
    if (predictors.size() == 2) {
        const Message& first = predictors[0]->message("attention_predictor");
        const Message& second = predictors[1]->message("attention_predictor");
        for (const char* same : {"num_attention_units", "max_num_steps", "beam_width"})
            if (first.integer(same) != second.integer(same))
                mapping.problem(second, same, fmt::format("{} must be the same in both directions.", same));
    }
}

} // namespace

std::string charactersOf(Mapping& mapping, const Message& set) {
    const std::string source = set.chosen("source");
    if (source == "built_in_set") {
        const std::string name = set.text("built_in_set");
        std::string all = kDigits;
        all += kSmall;
        if (name != "LOWERCASE")
            all += kCapitals;
        return name == "ALLCASES_SYMBOLS" ? all + kMarks : all;
    }
    std::string all;
    if (source == "text_string") { // characters stand apart
        std::istringstream stream(set.text("text_string"));
        for (std::string character; stream >> character;)
            all += character;
        return all;
    }
    if (source.empty())
        mapping.problem(set, "built_in_set", "A character set says where its characters come from.");
    else
        mapping.problem(set, "text_file",
                        fmt::format("Its characters are in the file {}; write them into the configuration "
                                    "as text_string, with blanks between.",
                                    set.text("text_file")));
    return all;
}

void mapModel(Mapping& mapping, const Message& model) {
    if (model.chosen("model").empty())
        return mapping.problem(model, "multi_predictors_recognition_model", "The configuration has no model.");
    const Message& net = model.message("multi_predictors_recognition_model");
    mapping.to.set("model.type", std::string("aster"));
    mapping.to.set("model.norm", std::string("batch"));
    mapping.to.set(key("channels"), std::int64_t(3));
    mapRectifier(mapping, net);
    mapExtractor(mapping, net);
    mapEncoder(mapping, net.message("feature_extractor"));
    mapPredictors(mapping, net);
    const double weight = net.message("regression_loss").message("l2_regression_loss").real("weight");
    if (ImportTarget::has(key("keypoint_weight")) || net.flag("keypoint_supervision"))
        mapping.put(net, "keypoint_supervision", key("keypoint_weight"),
                    net.flag("keypoint_supervision") ? weight : 0.0);
}

} // namespace trainyard::aster
