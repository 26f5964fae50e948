#include "app/engine/TaskEvaluator.h"

#include "app/engine/ModelRun.h"
#include "app/engine/Overlay.h"
#include "core/base/AtomicFile.h"
#include "core/base/Clock.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace trainyard {

namespace {
constexpr int kColumns = 4, kCellWidth = 320, kCellHeight = 240;

std::string namesOf(const TaskEvaluator::Datasets& datasets) {
    std::vector<std::string> names;
    for (const auto& dataset : datasets)
        names.push_back(dataset->name());
    return fmt::format("{}", fmt::join(names, " + "));
}
} // namespace

TaskEvaluator::TaskEvaluator(const Task& task, const RunConfig& config, const Datasets& datasets, std::string metric,
                             std::filesystem::path pictureFolder, std::function<void(const std::string&)> warn)
    : m_task(task), m_config(config), m_datasets(datasets), m_metric(std::move(metric)),
      m_pictureFolder(std::move(pictureFolder)), m_warn(std::move(warn)) {}

Result<EvaluationReport> TaskEvaluator::evaluate(Model& model, std::int64_t iteration,
                                                 const std::function<bool()>& isCancelled) {
    const double begin = steadySeconds();
    const auto scorer = m_task.makeScorer(*m_datasets.front());
    std::vector<Shown> shown;
    ModelRunListener listener;
    listener.onPrediction = [&](const SampleInfo& sample, const Prediction& prediction) {
        scorer->add(sample, prediction);
        const bool isWanted = m_config.evaluate.picturesOf != "wrong" || m_task.isWrong(sample, prediction);
        if (isWanted && std::int64_t(shown.size()) < m_config.evaluate.pictures)
            shown.push_back({sample, prediction});
    };
    listener.onWarning = m_warn;
    listener.isCancelled = isCancelled;
    const auto count = runModel(model, m_config, m_datasets, listener);
    if (!count)
        return count.error();
    EvaluationReport report;
    report.iteration = iteration;
    report.dataset = namesOf(m_datasets);
    report.samples = *count;
    report.metrics = m_newest = scorer->metrics();
    savePictures(shown, iteration);
    report.seconds = steadySeconds() - begin;
    return report;
}

const Image* TaskEvaluator::imageOf(const SampleInfo& sample) {
    const std::string key = sample.dataset + "\n" + sample.id;
    if (const auto known = m_images.find(key); known != m_images.end())
        return &known->second;
    for (const auto& dataset : m_datasets)
        for (std::int64_t i = 0; i < dataset->size(); ++i) {
            const SampleInfo info = dataset->info(i);
            if (info.id != sample.id || info.dataset != sample.dataset)
                continue;
            auto read = dataset->sample(i);
            return read ? &(m_images[key] = std::move(read->image)) : nullptr;
        }
    return nullptr;
}

void TaskEvaluator::savePictures(const std::vector<Shown>& shown, std::int64_t iteration) {
    std::vector<Image> pictures;
    auto samples = nlohmann::ordered_json::array();
    for (const Shown& one : shown)
        if (const Image* image = imageOf(one.sample)) {
            pictures.push_back(m_task.picture(*image, one.prediction, &one.sample));
            nlohmann::ordered_json said = {{"image", one.sample.id},
                                           {"transcript", one.sample.transcript},
                                           {"objects", one.sample.objects.size()}};
            m_task.addJson(said, one.prediction);
            samples.push_back(std::move(said));
        }
    if (pictures.empty())
        return;
    std::error_code ignored;                                     // then writing says what is wrong
    std::filesystem::create_directory(m_pictureFolder, ignored); // not the run's own folder, where that was moved
    std::vector<Box> places;
    const Image sheet = contactSheet(pictures, kColumns, kCellWidth, kCellHeight, &places);
    for (std::size_t i = 0; i < places.size(); ++i)
        samples[i]["place"] = {places[i].x1, places[i].y1, places[i].x2, places[i].y2};
    const auto file = m_pictureFolder / fmt::format("iteration-{:08}.png", iteration);
    auto list = file;
    list.replace_extension(".json");
    // the list last: whoever finds it finds its sheet
    auto written = writeImage(file.string(), sheet);
    if (written)
        written =
            writeFile(list, samples.dump(-1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n");
    if (!written && m_warn)
        m_warn(written.error().sentence());
}

} // namespace trainyard
