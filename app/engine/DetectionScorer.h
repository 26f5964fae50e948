#pragma once

#include "app/engine/Task.h"
#include "core/evaluate/CocoResults.h"
#include "core/evaluate/ProposalRecall.h"
#include "core/evaluate/VocEvaluation.h"

#include <optional>
#include <string>
#include <vector>

namespace trainyard {

/// Boxes, and where a model has them masks and keypoints, of one dataset: as COCO scores them, boxes also as VOC does.
class DetectionScorer final : public Scorer {
public:
    /// `categoryIds` are those of the classes in the annotation file.
    DetectionScorer(std::vector<std::string> classes, std::vector<std::int64_t> categoryIds,
                    const std::vector<CocoType>& types, std::optional<VocRule> voc);

    void add(const SampleInfo& truth, const Prediction& prediction) override;
    Metrics metrics() const override;
    std::vector<ClassScore> classScores() const override;
    std::vector<NamedCurve> curves() const override;
    std::optional<ConfusionMatrix> confusion() const override { return m_confusion.matrix(); }
    std::vector<ResultsFile> results() const override;

private:
    struct Part {
        CocoType type;
        CocoEvaluation evaluation;
    };
    std::vector<Part> m_parts;
    std::optional<VocEvaluation> m_voc;
    ConfusionCounter m_confusion;
    std::vector<ImageDetections> m_images;
    std::vector<std::int64_t> m_categoryIds;
};

/// Proposals of one dataset, by how many of its objects they cover.
class ProposalScorer final : public Scorer {
public:
    void add(const SampleInfo& truth, const Prediction& prediction) override;
    Metrics metrics() const override { return m_recall.metrics(); }
    std::vector<ResultsFile> results() const override;

private:
    ProposalRecall m_recall;
    std::vector<ImageDetections> m_images;
};

} // namespace trainyard
