#pragma once

#include "core/base/Error.h"
#include "core/config/RunConfig.h"
#include "core/data/Dataset.h"
#include "core/data/Image.h"
#include "core/evaluate/CocoEvaluation.h"
#include "core/evaluate/Confusion.h"
#include "core/telemetry/Annotation.h"

#include <nlohmann/json_fwd.hpp>

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace trainyard {

/// Predictions in the field's own format.
struct ResultsFile {
    std::string type; ///< "bbox", "segm", "keypoints", "proposals": COCO's results JSON; "words": a JSON line a word
    std::string text;
};

/// Gathers what a model says of the samples of one dataset and scores it. One thread.
class Scorer {
public:
    virtual ~Scorer() = default;
    virtual void add(const SampleInfo& truth, const Prediction& prediction) = 0;
    /// By the design's names ("bbox/AP50", "word_accuracy").
    virtual std::vector<std::pair<std::string, double>> metrics() const = 0;
    /// What each class reached; empty where a task has no classes.
    virtual std::vector<ClassScore> classScores() const { return {}; }
    /// Adds what there is beyond metrics to a report's JSON object.
    virtual void addDetails(nlohmann::ordered_json&) const {}
    /// Of each class at each overlap.
    virtual std::vector<NamedCurve> curves() const { return {}; }
    virtual std::optional<ConfusionMatrix> confusion() const { return {}; }
    /// One for each kind of result; the main one first.
    virtual std::vector<ResultsFile> results() const = 0;
};

/// What differs between the families of models where a run meets people: scores, prediction JSON, pictures. The trainer
/// knows none of it. Immutable; any thread.
class Task {
public:
    static std::unique_ptr<Task> make(const RunConfig& config, std::vector<std::string> classes);

    virtual ~Task() = default;
    /// What of its configuration cannot be used: a file that is missing.
    virtual Result<void> ready() const { return {}; }
    virtual TaskKind kind() const = 0;
    virtual std::string name() const = 0; ///< "detection", "recognition"
    virtual std::vector<std::string> metricNames() const = 0;
    virtual std::string mainMetric() const = 0; ///< where `train.best_metric` names none
    virtual bool isMoreBetter(const std::string& metric) const = 0;
    virtual std::unique_ptr<Scorer> makeScorer(const Dataset& dataset) const = 0;
    /// The members that a prediction adds to its JSON object.
    virtual void addJson(nlohmann::ordered_json& object, const Prediction& prediction) const = 0;
    /// The image with the prediction drawn on it; `truth` may be null.
    virtual Image picture(const Image& image, const Prediction& prediction, const SampleInfo* truth) const = 0;
    /// Whether the prediction is plainly not the truth; false where a task knows no such thing.
    virtual bool isWrong(const SampleInfo&, const Prediction&) const { return false; }
};

/// The metric that decides which checkpoint is best: `train.best_metric` or the task's own. A Usage error lists what
/// there is when it is none of them; a task that is not ready says so.
Result<std::string> bestMetricOf(const Task& task, const RunConfig& config);

} // namespace trainyard
