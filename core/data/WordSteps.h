#pragma once

#include "core/config/DataSteps.h"
#include "core/config/WordInput.h"
#include "core/data/Transforms.h"

namespace trainyard {

/// Adds what a configured step does to pictures; a step on texts does nothing to them. `input` gives the sizes that a
/// step leaves open.
///
/// Steps compute with numbers from 0 to 255, and those that change colours keep within. Colours of a grey picture stay
/// as they are. Source: the steps of ASTER's trainer (TensorFlow's Object Detection API), there on a scale from 0 to 1.
void addStep(TransformChain& chain, const DataStep& step, const WordInput& input);

} // namespace trainyard
