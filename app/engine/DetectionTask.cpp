#include "app/engine/DetectionTask.h"

#include "app/engine/Overlay.h"
#include "core/evaluate/CocoResults.h"

#include <nlohmann/json.hpp>

namespace trainyard {

namespace {
/// Boxes of one dataset, as COCO scores them.
class BoxScorer final : public Scorer {
public:
    BoxScorer(std::vector<std::string> classes, std::vector<std::int64_t> categoryIds)
        : m_evaluation(CocoType::Boxes, std::move(classes)), m_categoryIds(std::move(categoryIds)) {}

    void add(const SampleInfo& truth, const Prediction& prediction) override {
        m_evaluation.add(truth, prediction.detections);
        m_images.push_back({truth.imageId, prediction.detections});
    }
    std::vector<std::pair<std::string, double>> metrics() const override { return m_evaluation.metrics(); }
    std::vector<ClassScore> classScores() const override { return m_evaluation.classScores(); }
    std::string results() const override { return cocoResults(CocoType::Boxes, m_images, m_categoryIds); }

private:
    CocoEvaluation m_evaluation;
    std::vector<ImageDetections> m_images;
    std::vector<std::int64_t> m_categoryIds;
};
} // namespace

std::vector<std::string> DetectionTask::metricNames() const {
    std::vector<std::string> names;
    for (const auto& [name, value] : CocoEvaluation(CocoType::Boxes, m_classes).metrics())
        names.push_back(name);
    return names;
}

std::unique_ptr<Scorer> DetectionTask::makeScorer(const Dataset& dataset) const {
    std::vector<std::int64_t> ids = dataset.categoryIds();
    for (std::size_t i = ids.size(); i < m_classes.size(); ++i)
        ids.push_back(std::int64_t(i) + 1); // a format without ids counts its classes from 1
    return std::make_unique<BoxScorer>(m_classes, std::move(ids));
}

void DetectionTask::addJson(nlohmann::ordered_json& object, const Prediction& prediction) const {
    object["detections"] = nlohmann::ordered_json::array();
    for (const Detection& found : prediction.detections) {
        const auto label = std::size_t(found.label);
        object["detections"].push_back(
            {{"label", label < m_classes.size() ? m_classes[label] : std::to_string(found.label)},
             {"score", found.score},
             {"box", {found.box.x1, found.box.y1, found.box.x2, found.box.y2}}});
    }
}

Image DetectionTask::picture(const Image& image, const Prediction& prediction, const SampleInfo* truth) const {
    return drawDetections(image, prediction.detections, m_classes,
                          truth ? truth->objects : std::vector<ObjectAnnotation>{});
}

} // namespace trainyard
