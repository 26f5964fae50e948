#pragma once

#include "app/workbench/engine/Engine.h"

namespace trainyard {

/// Makes the model that `config` describes, lets it look at blank images and throws it away: what it weighs is
/// measured, so that a new kind of model needs nothing here. Draws from LibTorch's generators: not beside a training.
Result<ModelWeight> weighModel(const RunConfig& config, const std::vector<std::string>& classes);

} // namespace trainyard
