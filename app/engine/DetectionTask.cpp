#include "app/engine/DetectionTask.h"

#include "app/engine/DetectionScorer.h"
#include "app/engine/Overlay.h"
#include "core/telemetry/RunLength.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace trainyard {

namespace {
/// x, y, visibility of each, as COCO writes them.
std::vector<double> triplesOf(const std::vector<Keypoint>& keypoints) {
    std::vector<double> triples;
    for (const Keypoint& one : keypoints)
        triples.insert(triples.end(), {one.at.x, one.at.y, double(one.visibility)});
    return triples;
}

/// What a picture beside the truth shows: scores count down to 0.05 in an evaluation, and hundreds of boxes hide it.
std::vector<Detection> surest(const std::vector<Detection>& detections) {
    constexpr std::size_t kFew = 3; // of a model that is not sure of anything yet
    std::vector<float> scores;
    for (const Detection& each : detections)
        scores.push_back(each.score);
    std::sort(scores.rbegin(), scores.rend());
    const float least = scores.empty() ? 0.5f : std::min(0.5f, scores[std::min(kFew, scores.size()) - 1]);
    std::vector<Detection> sure;
    for (const Detection& each : detections)
        if (each.score >= least)
            sure.push_back(each);
    return sure;
}
} // namespace

DetectionTask::DetectionTask(const RunConfig& config, std::vector<std::string> classes)
    : m_classes(std::move(classes)), m_outputs(outputsOf(config)), m_voc(config.evaluate.voc),
      m_isBestByVoc(config.train.bestMetric.starts_with("voc/")) {}

std::optional<VocRule> DetectionTask::vocRule(const std::string& format) const {
    if (m_voc == "eleven")
        return VocRule::ElevenPoints;
    if (m_voc == "area" || m_isBestByVoc || (m_voc == "auto" && format == "voc"))
        return VocRule::AllPoints;
    return {};
}

std::vector<std::string> DetectionTask::metricNames() const {
    Metrics metrics = ProposalRecall().metrics();
    if (!m_outputs.areProposals)
        metrics = DetectionScorer(m_classes, {}, m_outputs.types, VocRule::AllPoints).metrics();
    std::vector<std::string> names;
    for (const auto& [name, value] : metrics)
        names.push_back(name);
    return names;
}

std::unique_ptr<Scorer> DetectionTask::makeScorer(const Dataset& dataset) const {
    if (m_outputs.areProposals)
        return std::make_unique<ProposalScorer>();
    std::vector<std::int64_t> ids = dataset.categoryIds();
    for (std::size_t i = ids.size(); i < m_classes.size(); ++i)
        ids.push_back(std::int64_t(i) + 1); // a format without ids counts its classes from 1
    return std::make_unique<DetectionScorer>(m_classes, std::move(ids), m_outputs.types, vocRule(dataset.format()));
}

void DetectionTask::addJson(nlohmann::ordered_json& object, const Prediction& prediction) const {
    object["detections"] = nlohmann::ordered_json::array();
    for (const Detection& found : prediction.detections) {
        const auto label = std::size_t(found.label);
        nlohmann::ordered_json json;
        if (!m_outputs.areProposals)
            json["label"] = label < m_classes.size() ? m_classes[label] : std::to_string(found.label);
        json["score"] = found.score;
        json["box"] = {found.box.x1, found.box.y1, found.box.x2, found.box.y2};
        if (found.mask)
            json["mask"] = runlength::toJson(*found.mask);
        if (!found.keypoints.empty())
            json["keypoints"] = triplesOf(found.keypoints);
        object["detections"].push_back(std::move(json));
    }
}

Image DetectionTask::picture(const Image& image, const Prediction& prediction, const SampleInfo* truth) const {
    if (!truth)
        return drawDetections(image, prediction.detections, m_classes);
    return drawDetections(image, surest(prediction.detections), m_classes, truth->objects);
}

} // namespace trainyard
