#pragma once

#include "app/engine/Task.h"
#include "core/config/WordInput.h"
#include "core/evaluate/WordEvaluation.h"

namespace trainyard {

/// Words: scored by accuracy and edit distance, drawn with the reading beneath.
class RecognitionTask final : public Task {
public:
    explicit RecognitionTask(const RunConfig& config) : m_rules{wordInput(config.model).caseSensitive, false} {}

    TaskKind kind() const override { return TaskKind::Recognition; }
    std::string name() const override { return "recognition"; }
    std::vector<std::string> metricNames() const override;
    std::string mainMetric() const override { return "word_accuracy"; }
    bool isMoreBetter(const std::string& metric) const override { return metric == "word_accuracy"; }
    std::unique_ptr<Scorer> makeScorer(const Dataset& dataset) const override;
    void addJson(nlohmann::ordered_json& object, const Prediction& prediction) const override;
    Image picture(const Image& image, const Prediction& prediction, const SampleInfo* truth) const override;

private:
    WordRules m_rules;
};

} // namespace trainyard
