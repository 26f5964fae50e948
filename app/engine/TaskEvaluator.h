#pragma once

#include "app/engine/Task.h"
#include "core/train/Trainer.h"

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace trainyard {

/// Scores the model on the validation data and saves a sheet of some predictions beside the run. Engine thread.
class TaskEvaluator final : public Evaluator {
public:
    using Datasets = std::vector<std::shared_ptr<const Dataset>>;

    /// `metric` decides which checkpoint is best; `warn` may be called from loader threads. The rest is borrowed.
    TaskEvaluator(const Task& task, const RunConfig& config, const Datasets& datasets, std::string metric,
                  std::filesystem::path pictureFolder, std::function<void(const std::string&)> warn);

    Result<EvaluationReport> evaluate(Model& model, std::int64_t iteration,
                                      const std::function<bool()>& isCancelled) override;
    std::string mainMetric() const override { return m_metric; }
    bool isMoreBetter() const override { return m_task.isMoreBetter(m_metric); }
    /// Of the newest evaluation; empty before the first.
    const Metrics& newestMetrics() const { return m_newest; }

private:
    struct Shown {
        SampleInfo sample;
        Prediction prediction;
    };
    void savePictures(const std::vector<Shown>& shown, std::int64_t iteration);
    /// The decoded image of a sample, kept from one evaluation to the next; null when it cannot be found.
    const Image* imageOf(const SampleInfo& sample);

    const Task& m_task;
    const RunConfig& m_config;
    const Datasets& m_datasets;
    const std::string m_metric;
    const std::filesystem::path m_pictureFolder;
    const std::function<void(const std::string&)> m_warn;
    Metrics m_newest;
    std::map<std::string, Image> m_images; ///< by dataset and id
};

} // namespace trainyard
