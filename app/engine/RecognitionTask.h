#pragma once

#include "app/engine/Task.h"
#include "core/config/WordInput.h"
#include "core/evaluate/WordEvaluation.h"

namespace trainyard {

/// How `evaluate.compare` compares words for the recogniser at hand.
WordRules wordRules(const RunConfig& config);

/// What readings are corrected to before they are scored: the sample's own lexicon (`evaluate.uses_lexicons`), else the
/// one of `evaluate.lexicon`, else nothing.
class WordCorrection {
public:
    explicit WordCorrection(const RunConfig& config);
    Result<void> ready() const { return m_ready; } ///< an error where the lexicon's file cannot be used
    std::string corrected(const std::string& reading, const std::vector<std::string>& ownLexicon) const;

private:
    bool m_usesOwn;
    std::vector<std::string> m_lexicon;
    Result<void> m_ready;
};

/// Words: scored by accuracy and edit distance, drawn with the reading beneath, and as the rectifier sees them.
class RecognitionTask final : public Task {
public:
    explicit RecognitionTask(const RunConfig& config) : m_rules(wordRules(config)), m_correction(config) {}

    Result<void> ready() const override { return m_correction.ready(); }
    TaskKind kind() const override { return TaskKind::Recognition; }
    std::string name() const override { return "recognition"; }
    std::vector<std::string> metricNames() const override;
    std::string mainMetric() const override { return "word_accuracy"; }
    bool isMoreBetter(const std::string& metric) const override { return metric == "word_accuracy"; }
    std::unique_ptr<Scorer> makeScorer(const Dataset& dataset) const override;
    void addJson(nlohmann::ordered_json& object, const Prediction& prediction) const override;
    Image picture(const Image& image, const Prediction& prediction, const SampleInfo* truth) const override;
    bool isWrong(const SampleInfo& truth, const Prediction& prediction) const override;

private:
    WordRules m_rules;
    WordCorrection m_correction;
};

} // namespace trainyard
