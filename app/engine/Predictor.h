#pragma once

#include "app/engine/LoadedModel.h"
#include "app/engine/ViewedModel.h"
#include "core/data/Dataset.h"
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
    /// A Usage error where the model cannot do what its configuration asks for.
    static Result<Predictor> make(LoadedModel loaded);

    /// A Data error names a file that is missing or damaged.
    Result<ImagePrediction> predict(const std::string& file);
    const Task& task() const { return *m_loaded.task; }

private:
    Predictor(LoadedModel loaded, ViewedModel viewed);
    Prediction predictSample(const Sample& sample);

    LoadedModel m_loaded;
    ViewedModel m_viewed; ///< of that model
};

} // namespace trainyard
