#include "app/engine/RecognitionTask.h"

#include "app/engine/Overlay.h"

#include <nlohmann/json.hpp>

namespace trainyard {

namespace {
/// Readings of one dataset, a JSON line each in the results.
class WordScorer final : public Scorer {
public:
    explicit WordScorer(WordRules rules) : m_evaluation(rules) {}

    void add(const SampleInfo& truth, const Prediction& prediction) override {
        m_evaluation.add(truth.transcript, prediction.text);
        const nlohmann::ordered_json line = {{"image", truth.id},
                                             {"text", prediction.text},
                                             {"score", prediction.score},
                                             {"transcript", truth.transcript}};
        m_results += line.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
    }
    std::vector<std::pair<std::string, double>> metrics() const override { return m_evaluation.metrics(); }
    std::string results() const override { return m_results; }

private:
    WordEvaluation m_evaluation;
    std::string m_results;
};
} // namespace

std::vector<std::string> RecognitionTask::metricNames() const {
    return {"word_accuracy", "character_error_rate", "normalised_edit_distance"};
}

std::unique_ptr<Scorer> RecognitionTask::makeScorer(const Dataset&) const {
    return std::make_unique<WordScorer>(m_rules);
}

void RecognitionTask::addJson(nlohmann::ordered_json& object, const Prediction& prediction) const {
    object["text"] = prediction.text;
    object["score"] = prediction.score;
}

Image RecognitionTask::picture(const Image& image, const Prediction& prediction, const SampleInfo* truth) const {
    return drawReading(image, prediction.text, prediction.score, truth ? truth->transcript : std::string());
}

} // namespace trainyard
