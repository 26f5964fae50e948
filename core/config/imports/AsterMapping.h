#pragma once

#include "core/config/imports/ImportTarget.h"
#include "core/config/imports/ProtobufText.h"

#include <set>
#include <string>

namespace trainyard::aster {

using protobuf::Message;

/// An ASTER configuration on its way to ours.
class Mapping {
public:
    Mapping(std::string file, ImportTarget& to) : to(to), m_file(std::move(file)) {}

    ImportTarget& to;

    /// Sets a key of ours that says what a field of theirs says; where we have no such key, the field is listed.
    bool put(const Message& message, const char* field, const std::string& key, FieldValue value);
    // Take a field over as it is, its default where it is not set.
    bool integer(const Message& message, const char* field, const std::string& key);
    bool real(const Message& message, const char* field, const std::string& key);
    bool flag(const Message& message, const char* field, const std::string& key);

    /// A field that is set and that we have nothing for.
    void unmapped(const Message& message, const char* field, const std::string& text = "");
    /// The same, unless it is set to what ours is anyway.
    void unmappedUnless(const Message& message, const char* field, const std::string& same,
                        const std::string& text = "");
    void adapt(const Message& message, const char* field, const std::string& text);
    void problem(const Message& message, const char* field, const std::string& text);

private:
    ConfigProblem placeOf(const Message& message, const char* field) const;

    std::string m_file;
};

// One function a part of the configuration.
void mapPredictors(Mapping& mapping, const Message& model);
void mapModel(Mapping& mapping, const Message& model);
void mapTraining(Mapping& mapping, const Message& pipeline);
/// What becomes of gradients before they are applied, and who takes part.
void mapGradients(Mapping& mapping, const Message& pipeline);
void mapEvaluation(Mapping& mapping, const Message& pipeline);

// What layers of several parts have in common.
/// "model.aster.NAME"
std::string modelKey(const char* name);
/// Ours has one factor for all kernels.
void mapRegularizer(Mapping& mapping, const Message& regularizer);
/// Convolutions ("CONV") and linear layers ("FC"): their values begin and are normalised as ours do.
void noteHyperparams(Mapping& mapping, const Message& hyper, const char* op);
/// "lstm", "peephole-lstm" or "gru", and its units.
void mapCell(Mapping& mapping, const Message& cell, const char* kindKey, const char* unitsKey);
/// How the values of an lstm_cell or gru_cell begin.
void noteCell(Mapping& mapping, const Message& inner);

/// The characters of a set, in their order; nothing, and a note or a problem, where they are not known here.
std::string charactersOf(Mapping& mapping, const Message& set);
/// "random_adjust_brightness max_delta=0.3", one a step; height and width of the last resizing, if there is one.
struct Steps {
    std::vector<std::string> texts;
    std::int64_t height = 0, width = 0;
};
Steps stepsOf(Mapping& mapping, const std::vector<const Message*>& steps);

} // namespace trainyard::aster
