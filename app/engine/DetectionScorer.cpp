#include "app/engine/DetectionScorer.h"

#include "core/evaluate/CocoConversion.h"
#include "core/evaluate/ProposalResults.h"

namespace trainyard {

DetectionScorer::DetectionScorer(std::vector<std::string> classes, std::vector<std::int64_t> categoryIds,
                                 const std::vector<CocoType>& types, std::optional<VocRule> voc)
    : m_confusion(classes), m_categoryIds(std::move(categoryIds)) {
    for (const CocoType type : types)
        m_parts.push_back({type, CocoEvaluation(type, classes)});
    if (voc)
        m_voc.emplace(std::move(classes), *voc);
}

void DetectionScorer::add(const SampleInfo& truth, const Prediction& prediction) {
    for (Part& part : m_parts)
        part.evaluation.add(truth, prediction.detections);
    if (m_voc)
        m_voc->add(truth, prediction.detections);
    m_confusion.add(toCocoImage(CocoType::Boxes, truth, prediction.detections));
    m_images.push_back({truth.imageId, prediction.detections});
}

Metrics DetectionScorer::metrics() const {
    Metrics all;
    const auto append = [&](const Metrics& more) { all.insert(all.end(), more.begin(), more.end()); };
    for (const Part& part : m_parts)
        append(part.evaluation.metrics());
    if (m_voc)
        append(m_voc->metrics());
    return all;
}

std::vector<ClassScore> DetectionScorer::classScores() const {
    std::vector<ClassScore> all;
    const auto append = [&](const std::vector<ClassScore>& more) { all.insert(all.end(), more.begin(), more.end()); };
    for (const Part& part : m_parts)
        append(part.evaluation.classScores());
    if (m_voc)
        append(m_voc->classScores());
    return all;
}

std::vector<NamedCurve> DetectionScorer::curves() const {
    std::vector<NamedCurve> all;
    const auto append = [&](const std::vector<NamedCurve>& more) { all.insert(all.end(), more.begin(), more.end()); };
    for (const Part& part : m_parts)
        append(part.evaluation.curves());
    if (m_voc)
        append(m_voc->curves());
    return all;
}

std::vector<ResultsFile> DetectionScorer::results() const {
    std::vector<ResultsFile> files;
    for (const Part& part : m_parts)
        files.push_back({prefixOf(part.type), cocoResults(part.type, m_images, m_categoryIds)});
    return files;
}

void ProposalScorer::add(const SampleInfo& truth, const Prediction& prediction) {
    m_recall.add(truth, prediction.detections);
    m_images.push_back({truth.imageId, prediction.detections});
}

std::vector<ResultsFile> ProposalScorer::results() const {
    return {{"proposals", proposalResults(m_images)}};
}

} // namespace trainyard
