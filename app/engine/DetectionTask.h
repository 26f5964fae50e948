#pragma once

#include "app/engine/DetectionOutputs.h"
#include "app/engine/Task.h"
#include "core/evaluate/VocEvaluation.h"

namespace trainyard {

/// Boxes, masks, keypoints or proposals: scored as COCO does (boxes of VOC data as VOC does, too), boxes drawn as
/// rectangles.
class DetectionTask final : public Task {
public:
    DetectionTask(const RunConfig& config, std::vector<std::string> classes);

    TaskKind kind() const override { return TaskKind::Detection; }
    std::string name() const override { return "detection"; }
    std::vector<std::string> metricNames() const override;
    std::string mainMetric() const override { return m_outputs.areProposals ? "proposals/AR1000" : "bbox/AP"; }
    bool isMoreBetter(const std::string&) const override { return true; }
    std::unique_ptr<Scorer> makeScorer(const Dataset& dataset) const override;
    void addJson(nlohmann::ordered_json& object, const Prediction& prediction) const override;
    Image picture(const Image& image, const Prediction& prediction, const SampleInfo* truth) const override;

private:
    /// The rule by which VOC's average precision is wanted for data of a format.
    std::optional<VocRule> vocRule(const std::string& format) const;

    std::vector<std::string> m_classes;
    DetectionOutputs m_outputs;
    std::string m_voc; ///< evaluate.voc
    bool m_isBestByVoc = false;
};

} // namespace trainyard
