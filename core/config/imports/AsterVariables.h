#pragma once

#include "core/base/Error.h"
#include "core/config/RunConfig.h"

#include <string>
#include <vector>

namespace trainyard::aster {

/// A variable of ASTER's network and the parameter of ours that holds it. One of theirs may be in several of ours (a
/// recurrent kernel lies in parts here), and several of theirs in one of ours (the kernels of a GRU's gates).
struct VariableName {
    std::string variable;  ///< "FeatureExtractor/Convnet/ResNet/Conv0/weights"
    std::string parameter; ///< "extractor.stem.conv.weight"
};

/// What ASTER calls its two predictors.
struct PredictorNames {
    std::string forward, backward; ///< empty where there is no such direction
};

/// Every trained variable of the network that `model` describes, in the order in which it is passed.
/// Source: the variable scopes of bgshih/aster, and the layers of TensorFlow 1.4 within them.
std::vector<VariableName> variableNames(const ModelConfig& model, const PredictorNames& predictors);

/// What the regular expressions of `freeze_variables` pick, in our names.
struct FrozenNames {
    std::vector<std::string> patterns; ///< for solve.freeze: whole modules where all of one is meant, else names
    std::vector<std::string> unused;   ///< expressions that find no variable
    std::vector<std::string> partly;   ///< parameters of which they pick only a part: these stay trained
};
/// Each of `expressions` is looked for from the start of a variable's name. A Usage error where one cannot be read.
Result<FrozenNames> frozenNames(const std::vector<VariableName>& names, const std::vector<std::string>& expressions);

} // namespace trainyard::aster
