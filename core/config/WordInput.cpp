#include "core/config/WordInput.h"

namespace trainyard {
namespace {

constexpr std::int64_t kPixelsAStep = 4; // of a CRNN

/// What both kinds name alike.
template <class Config>
WordInput common(const std::string& section, const Config& config) {
    return {.section = section,
            .alphabet = config.alphabet,
            .caseSensitive = config.caseSensitive,
            .height = config.height,
            .width = config.width,
            .channels = config.channels};
}

} // namespace

WordInput wordInput(const ModelConfig& model) {
    if (model.type == "aster") {
        WordInput input = common("model.aster", model.aster);
        input.longestWord = model.aster.maxSteps - (model.aster.sync ? 1 : 2); // the end takes a step, a first look too
        return input;
    }
    WordInput input = common("model.crnn", model.crnn);
    input.longestWord = model.crnn.width / kPixelsAStep;
    input.repeatsCost = true; // CTC puts a blank between
    input.isVariable = model.crnn.variableWidth;
    return input;
}

void addCharacters(ModelConfig& model, const std::string& characters) {
    (model.type == "aster" ? model.aster.alphabet : model.crnn.alphabet) += characters;
}

} // namespace trainyard
