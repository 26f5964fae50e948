#pragma once

#include "app/engine/Task.h"

namespace trainyard {

/// Boxes: scored as COCO does, drawn as rectangles.
class DetectionTask final : public Task {
public:
    explicit DetectionTask(std::vector<std::string> classes) : m_classes(std::move(classes)) {}

    TaskKind kind() const override { return TaskKind::Detection; }
    std::string name() const override { return "detection"; }
    std::vector<std::string> metricNames() const override;
    std::string mainMetric() const override { return "bbox/AP"; }
    bool isMoreBetter(const std::string&) const override { return true; }
    std::unique_ptr<Scorer> makeScorer(const Dataset& dataset) const override;
    void addJson(nlohmann::ordered_json& object, const Prediction& prediction) const override;
    Image picture(const Image& image, const Prediction& prediction, const SampleInfo* truth) const override;

private:
    std::vector<std::string> m_classes;
};

} // namespace trainyard
