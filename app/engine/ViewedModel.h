#pragma once

#include "app/engine/Views.h"
#include "core/base/Error.h"
#include "core/models/Model.h"

#include <vector>

namespace trainyard {

/// A model that is asked about an image as often as its configuration wants: once, or in several views whose answers
/// are combined. Borrows the model. One thread.
class ViewedModel {
public:
    /// A Usage error names a model that cannot be asked about views.
    static Result<ViewedModel> make(Model& model, const RunConfig& config);

    /// For each of them a batch is wanted.
    const std::vector<PlannedView>& views() const { return m_views; }
    /// One prediction an image. `batches` are the same images in each view, on the model's device.
    std::vector<Prediction> predict(const std::vector<Batch>& batches);

private:
    ViewedModel(Model& model, std::vector<PlannedView> views, DetectorStages* stages, AugmentConfig augment)
        : m_model(model), m_views(std::move(views)), m_stages(stages), m_combination(std::move(augment)) {}

    Model& m_model;
    std::vector<PlannedView> m_views;
    DetectorStages* m_stages; ///< null where there is the plain view alone
    ViewCombination m_combination;
};

} // namespace trainyard
