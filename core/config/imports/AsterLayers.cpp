#include "core/config/imports/AsterMapping.h"

#include <fmt/format.h>

namespace trainyard::aster {

std::string modelKey(const char* name) {
    return "model.aster." + std::string(name);
}

void mapRegularizer(Mapping& mapping, const Message& regularizer) {
    for (const auto& [field, name] : {std::pair("l1_regularizer", "l1"), {"l2_regularizer", "l2"}}) {
        const double weight = regularizer.has(field) ? regularizer.message(field).real("weight") : 0.0;
        if (weight == 0)
            continue;
        if (mapping.to.set(modelKey(name), weight))
            mapping.adapt(regularizer, field, fmt::format("{} holds for all kernels.", modelKey(name)));
        else
            mapping.unmapped(regularizer, field);
    }
}

void noteHyperparams(Mapping& mapping, const Message& hyper, const char* op) {
    mapRegularizer(mapping, hyper.message("regularizer"));
    mapping.unmappedUnless(hyper, "op", op, "ASTER then leaves the layers that this is about as they are.");
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

void noteCell(Mapping& mapping, const Message& inner) {
    if (inner.type().find("forget_bias"))
        mapping.unmappedUnless(inner, "forget_bias", "1.0");
    const Message& initial = inner.message("initializer");
    for (const char* other : {"truncated_normal_initializer", "variance_scaling_initializer", "uniform_initializer"})
        mapping.unmapped(initial, other, "Recurrent kernels begin orthogonal.");
    const Message& orthogonal = initial.message("orthogonal_initializer");
    mapping.unmappedUnless(orthogonal, "gain", "1.0");
    mapping.adapt(orthogonal, "seed", "every kernel begins by the run's seed and its own name.");
}

void mapCell(Mapping& mapping, const Message& cell, const char* kindKey, const char* unitsKey) {
    const bool isGru = cell.chosen("rnn_cell") == "gru_cell";
    const Message& inner = cell.message(isGru ? "gru_cell" : "lstm_cell");
    mapping.integer(inner, "num_units", modelKey(unitsKey));
    const bool hasPeepholes = !isGru && inner.flag("use_peepholes");
    const std::string kind = isGru ? "gru" : hasPeepholes ? "peephole-lstm" : "lstm";
    if (ImportTarget::has(modelKey(kindKey)) || kind != "lstm")
        mapping.put(cell, isGru ? "gru_cell" : "lstm_cell", modelKey(kindKey), kind);
    noteCell(mapping, inner);
}

} // namespace trainyard::aster
