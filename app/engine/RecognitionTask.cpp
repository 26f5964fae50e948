#include "app/engine/RecognitionTask.h"

#include "app/engine/Overlay.h"
#include "core/evaluate/Lexicon.h"

#include <nlohmann/json.hpp>

namespace trainyard {

WordRules wordRules(const RunConfig& config) {
    if (config.evaluate.compare == "alphanumeric")
        return {false, true};
    return {wordInput(config.model).caseSensitive, false};
}

WordCorrection::WordCorrection(const RunConfig& config) : m_usesOwn(config.evaluate.usesLexicons) {
    if (config.evaluate.lexicon.empty())
        return;
    auto words = readLexicon(config.evaluate.lexicon);
    if (words)
        m_lexicon = std::move(*words);
    else
        m_ready = words.error();
}

std::string WordCorrection::corrected(const std::string& reading, const std::vector<std::string>& ownLexicon) const {
    return nearestWord(reading, m_usesOwn && !ownLexicon.empty() ? ownLexicon : m_lexicon);
}

namespace {
/// Readings of one dataset, a JSON line each in the results.
class WordScorer final : public Scorer {
public:
    WordScorer(WordRules rules, const WordCorrection& correction) : m_evaluation(rules), m_correction(correction) {}

    void add(const SampleInfo& truth, const Prediction& prediction) override {
        const std::string text = m_correction.corrected(prediction.text, truth.lexicon);
        m_evaluation.add(truth.transcript, text, truth.id, prediction.score);
        nlohmann::ordered_json line = {
            {"image", truth.id}, {"text", text}, {"score", prediction.score}, {"transcript", truth.transcript}};
        if (text != prediction.text)
            line["read"] = prediction.text; // before the lexicon
        m_results += line.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
    }
    Metrics metrics() const override { return m_evaluation.metrics(); }
    void addDetails(nlohmann::ordered_json& report) const override {
        for (const auto& [length, score] : m_evaluation.lengths())
            report["lengths"].push_back({{"characters", length},
                                         {"words", score.words},
                                         {"word_accuracy", double(score.right) / double(score.words)}});
        for (const auto& one : m_evaluation.worst())
            report["worst"].push_back({{"image", one.id},
                                       {"transcript", one.truth},
                                       {"text", one.read},
                                       {"distance", one.distance},
                                       {"score", one.score}});
    }
    std::vector<ResultsFile> results() const override { return {{"words", m_results}}; }

private:
    WordEvaluation m_evaluation;
    const WordCorrection& m_correction;
    std::string m_results;
};
} // namespace

std::vector<std::string> RecognitionTask::metricNames() const {
    return {"word_accuracy", "character_error_rate", "normalised_edit_distance", "total_edit_distance"};
}

std::unique_ptr<Scorer> RecognitionTask::makeScorer(const Dataset&) const {
    return std::make_unique<WordScorer>(m_rules, m_correction);
}

void RecognitionTask::addJson(nlohmann::ordered_json& object, const Prediction& prediction) const {
    object["text"] = prediction.text;
    object["score"] = prediction.score;
}

Image RecognitionTask::picture(const Image& image, const Prediction& prediction, const SampleInfo* truth) const {
    const std::string wanted = truth ? truth->transcript : std::string();
    if (!prediction.rectification)
        return drawReading(image, prediction.text, prediction.score, wanted);
    return drawReading(drawRectification(image, *prediction.rectification), prediction.text, prediction.score, wanted);
}

bool RecognitionTask::isWrong(const SampleInfo& truth, const Prediction& prediction) const {
    const std::string text = m_correction.corrected(prediction.text, truth.lexicon);
    return comparable(truth.transcript, m_rules) != comparable(text, m_rules);
}

} // namespace trainyard
