#pragma once

#include "core/config/RunConfig.h"

namespace trainyard {

/// What the recogniser that `model.type` names reads and writes: for who makes its data ready, whichever it is.
struct WordInput {
    std::string section; ///< where its keys lie: "model.crnn", "model.aster"
    std::string alphabet;
    bool caseSensitive = false;
    std::int64_t height = 0, width = 0; ///< of the network's input, in pixels
    bool isVariable = false;            ///< images keep their aspect; `width` is the largest
    std::int64_t channels = 1;          ///< 1 grey, 3 colour
    std::int64_t longestWord = 0;       ///< in characters
    bool repeatsCost = false;           ///< whether a character that repeats the one before it takes room for two
};

/// That of a CRNN for a type that reads no words.
WordInput wordInput(const ModelConfig& model);

/// Puts `characters` (UTF-8) behind the alphabet of the recogniser at hand.
void addCharacters(ModelConfig& model, const std::string& characters);

} // namespace trainyard
