#include "app/engine/ViewedModel.h"

#include <fmt/format.h>
#include <torch/nn/module.h>

namespace trainyard {

Result<ViewedModel> ViewedModel::make(Model& model, const RunConfig& config) {
    auto views = planViews(config);
    DetectorStages* stages = views.size() > 1 ? dynamic_cast<DetectorStages*>(&model) : nullptr;
    if (views.size() > 1 && !stages)
        return Error{ErrorKind::Usage,
                     fmt::format("A {} cannot be shown an image in several views.", config.model.type),
                     "evaluate.augment", "Leave evaluate.augment away."};
    return ViewedModel(model, std::move(views), stages, config.evaluate.augment);
}

std::vector<Prediction> ViewedModel::predict(const std::vector<Batch>& batches) {
    if (!m_stages)
        return m_model.predict(batches.front());
    std::vector<View> views;
    for (const PlannedView& planned : m_views)
        views.push_back(planned.view);
    return m_combination.predict(*m_stages, views, batches);
}

} // namespace trainyard
