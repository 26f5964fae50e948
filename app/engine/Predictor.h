#pragma once

#include "app/engine/LoadedModel.h"
#include "core/data/Transforms.h"
#include "core/telemetry/Annotation.h"

#include <string>
#include <vector>

namespace trainyard {

/// What a model says of one image file.
struct ImagePrediction {
    Image image; ///< as decoded, upright
    Prediction prediction;
};

/// Runs a loaded model over image files, one at a time. One thread.
class Predictor {
public:
    explicit Predictor(LoadedModel loaded);

    /// A Data error names a file that is missing or damaged.
    Result<ImagePrediction> predict(const std::string& file);
    const Task& task() const { return *m_loaded.task; }

private:
    Prediction predictSample(Sample sample);

    LoadedModel m_loaded;
    TransformChain m_transforms;
};

} // namespace trainyard
