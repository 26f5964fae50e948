#include "app/cli/CommandLine.h"
#include "app/cli/DatasetArgument.h"
#include "app/cli/EvaluationView.h"
#include "app/cli/Format.h"
#include "app/cli/Output.h"
#include "app/cli/OutputPlace.h"
#include "app/cli/StopSignal.h"
#include "app/engine/CheckpointFollower.h"
#include "app/engine/CheckpointReference.h"
#include "app/engine/DataPaths.h"
#include "app/engine/DataRecord.h"
#include "app/engine/DetectionOutputs.h"
#include "app/engine/Evaluation.h"
#include "app/engine/RunRequest.h"
#include "app/engine/Task.h"
#include "core/base/AtomicFile.h"
#include "core/base/Clock.h"
#include "core/base/Log.h"
#include "core/config/ConfigFile.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <optional>
#include <string_view>

#include <unistd.h>

namespace trainyard::cli {

namespace {
struct EvaluateOptions {
    std::string reference, results, type, output, weights, curves, confusion;
    std::vector<std::string> data, overrides;
    bool isFollowing = false;
    double interval = 0;
};

/// How our own files of each kind begin.
const std::vector<std::string> kResultsBeginnings = {"[", "{\"image\""},
                               kCurveBeginnings = {"{\"curves\"", "type,class,iou"},
                               kConfusionBeginnings = {"{\"classes\"", "truth,"};

bool isCsv(const std::string& file) {
    return file.ends_with(".csv");
}

/// That a file of curves or of confusion can be written before the work begins, as JSON or CSV.
Result<void> prepareExtra(const std::string& file, const char* option, const std::vector<DatasetConfig>& datasets,
                          const std::vector<std::string>& beginnings) {
    if (file.empty())
        return {};
    if (!isCsv(file) && !file.ends_with(".json"))
        return Error{ErrorKind::Usage, fmt::format("{} writes JSON or CSV, and the name says neither.", option), file,
                     "End it in .json or .csv."};
    if (const auto ready = prepareFile(file); !ready)
        return ready.error();
    return keepFromOthers(file, datasets, beginnings);
}

Result<void> prepareExtras(const EvaluateOptions& options, const std::vector<DatasetConfig>& datasets) {
    if (const auto ready = prepareExtra(options.curves, "--curves", datasets, kCurveBeginnings); !ready)
        return ready.error();
    return prepareExtra(options.confusion, "--confusion", datasets, kConfusionBeginnings);
}

Result<void> writeExtras(const EvaluateOptions& options, const EvaluationResult& result) {
    if (!options.curves.empty()) {
        if (result.curves.empty())
            return Error{ErrorKind::Usage, "There are no precision–recall curves of this kind of result.", "--curves",
                         "Leave it away."};
        const auto text = isCsv(options.curves) ? curvesAsCsv(result.curves) : curvesAsJson(result.curves);
        if (const auto written = writeFile(options.curves, text); !written)
            return written.error();
    }
    if (options.confusion.empty())
        return {};
    if (!result.confusion)
        return Error{ErrorKind::Usage, "Confusion is counted between boxes of classes, and there are none.",
                     "--confusion", "Leave it away."};
    return writeFile(options.confusion,
                     isCsv(options.confusion) ? confusionAsCsv(*result.confusion) : confusionAsJson(*result.confusion));
}

/// What was written where, and what to know about it.
Result<void> show(const Shared& shared, const EvaluateOptions& options, const EvaluationResult& result,
                  const ResultsPlaces& places) {
    if (const auto written = writeExtras(options, result); !written)
        return written.error();
    for (const std::string& warning : result.warnings)
        log::warn("{}", warning);
    printEvaluation(shared, result, places);
    return {};
}

/// The last word: whether it is as expected.
std::optional<Error> unmet(const EvaluationResult& result) {
    if (const auto sentence = unmetSentence(result.expected))
        return Error{ErrorKind::Unexpected, *sentence, "evaluate.expected", ""};
    return {};
}

Result<int> scoreFile(const Shared& shared, const EvaluateOptions& options) {
    if (!options.reference.empty() || !options.output.empty())
        return Error{ErrorKind::Usage,
                     fmt::format("A file of results is scored as it is: {} has no place beside --results.",
                                 options.reference.empty() ? "--output" : options.reference),
                     "evaluate", "Leave one of the two away."};
    if (options.data.size() != 1)
        return Error{ErrorKind::Usage, "Scoring a file of results needs one dataset to score against.", "--results",
                     "Name it: --data coco:ANNOTATIONS."};
    ParsedConfig parsed;
    parsed.config.model.type = "crnn"; // words are read as a recogniser would; COCO needs no configuration
    applyOverrides(parsed, options.overrides);
    if (!parsed.isGood())
        return parsed.error();
    const auto data = datasetArgument(shared, options.data.front());
    if (!data)
        return data.error();
    if (const auto ready = prepareExtras(options, {*data}); !ready)
        return ready.error();
    auto result = evaluateResults(options.results, *data, options.type.empty() ? "bbox" : options.type, parsed.config);
    if (!result)
        return result.error();
    result->report.weights.clear(); // no model, no weights
    if (const auto shown = show(shared, options, *result, {}); !shown)
        return shown.error();
    const auto error = unmet(*result);
    return error ? Result<int>(*error) : Result<int>(0);
}

/// RUN/evaluations/iteration-00000020.json, or what was asked for; empty where there is no run. It takes the main kind
/// of result; the others stand beside it.
std::filesystem::path resultsFile(const EvaluateOptions& options, const Project* project, const FoundCheckpoint& found,
                                  const LoadedModel& loaded) {
    if (!options.output.empty())
        return options.output;
    if (!project || !found.run)
        return {};
    const char* extension = loaded.task->kind() == TaskKind::Detection ? "json" : "jsonl";
    return project->folder() / found.run->folder / "evaluations" /
           fmt::format("iteration-{:08}.{}", loaded.iteration, extension);
}

bool isOverridden(const std::vector<std::string>& overrides, std::string_view key) {
    return std::any_of(overrides.begin(), overrides.end(),
                       [&](const std::string& one) { return one.starts_with(key); });
}

/// The run says where its validation data and its lexicon lie by now; the checkpoint, where they lay when it was saved.
Result<void> takeDataOfRun(RunConfig& config, const Project& project, const RunRecord& run,
                           const std::vector<std::string>& overrides) {
    const auto provenance = project.provenance(run.id);
    if (!provenance)
        return provenance.error();
    const ParsedConfig stored = parseConfig(provenance->config, run.folder);
    if (!stored.isGood())
        return {};
    if (!isOverridden(overrides, "data.train")) // of which a part may be set aside
        config.data.train = stored.config.data.train;
    if (!isOverridden(overrides, "data.validation"))
        config.data.validation = stored.config.data.validation;
    if (!isOverridden(overrides, "evaluate.lexicon"))
        config.evaluate.lexicon = stored.config.evaluate.lexicon;
    return {};
}

/// The paths of the model's configuration as they are on this machine; all of them must be known where its own
/// validation data is asked for.
Result<void> placeData(LoadedModel& loaded, const Project* project, const FoundCheckpoint& found,
                       const EvaluateOptions& options) {
    const auto roots = project ? dataRootsOf(*project) : Result<DataRoots>(DataRoots());
    if (!roots)
        return roots.error();
    if (found.run && project)
        if (const auto taken = takeDataOfRun(loaded.config, *project, *found.run, options.overrides); !taken)
            return taken.error();
    if (!options.data.empty()) {
        loaded.config = withKnownPlaces(std::move(loaded.config), *roots);
    } else {
        auto placed = withPlaces(std::move(loaded.config), *roots, found.run ? runLabel(*found.run) : "");
        if (!placed)
            return placed.error();
        loaded.config = std::move(*placed);
    }
    loaded.task = Task::make(loaded.config, loaded.classes); // a lexicon is read where it lies by now
    return {};
}

EvaluationProgress progressLine() {
    if (::isatty(STDERR_FILENO) != 1)
        return {};
    return [](std::int64_t done, std::int64_t total) {
        writeAll(STDERR_FILENO,
                 fmt::format("\r\033[K{} / {}{}", grouped(done), grouped(total), done >= total ? "\r\033[K" : ""));
    };
}

/// found.json, found-segm.json
std::filesystem::path besides(const std::filesystem::path& file, const std::string& type) {
    return file.parent_path() / (file.stem().string() + "-" + type + file.extension().string());
}

Result<ResultsPlaces> writeResults(const std::filesystem::path& file, const std::vector<ResultsFile>& results) {
    ResultsPlaces places;
    for (const ResultsFile& one : results) {
        const auto place = places.empty() ? file : besides(file, one.type);
        if (const auto written = writeFile(place, one.text); !written)
            return written.error();
        places[one.type] = place;
    }
    return places;
}

/// That none of the files of results stands in for somebody's own.
Result<void> keepApart(const std::filesystem::path& file, const RunConfig& config,
                       const std::vector<DatasetConfig>& datasets) {
    std::vector<std::filesystem::path> files = {file};
    for (const CocoType type : outputsOf(config).types)
        if (type != CocoType::Boxes)
            files.push_back(besides(file, prefixOf(type)));
    for (const auto& one : files)
        if (const auto apart = keepFromOthers(one, datasets, kResultsBeginnings); !apart)
            return apart.error();
    return {};
}

/// All that the model's configuration and the command line name as data.
std::vector<DatasetConfig> dataOf(const RunConfig& config, std::vector<DatasetConfig> more) {
    more.insert(more.end(), config.data.train.begin(), config.data.train.end());
    more.insert(more.end(), config.data.validation.begin(), config.data.validation.end());
    return more;
}

/// Scores one checkpoint and prints what came of it.
Result<EvaluationResult> scoreFound(const Shared& shared, const EvaluateOptions& options, const Project* project,
                                    const FoundCheckpoint& found) {
    std::vector<std::string> overrides = options.overrides;
    if (!options.weights.empty())
        overrides.push_back("evaluate.weights=" + options.weights);
    auto loaded = loadModel(found.file, overrides);
    if (!loaded)
        return loaded.error();
    const auto data = datasetArguments(shared, options.data);
    if (!data)
        return data.error();
    if (const auto placed = placeData(*loaded, project, found, options); !placed)
        return placed.error();
    auto file = resultsFile(options, project, found, *loaded);
    if (const auto ready = file.empty() ? Result<void>() : prepareFile(file); !ready) {
        if (!options.output.empty())
            return ready.error();
        log::warn("The predictions are not kept. {}", ready.error().sentence()); // nobody asked for them by name
        file.clear();
    }
    const auto datasets = dataOf(loaded->config, *data);
    if (!options.output.empty())
        if (const auto apart = keepApart(file, loaded->config, datasets); !apart)
            return apart.error();
    if (const auto ready = prepareExtras(options, datasets); !ready)
        return ready.error();
    const auto record =
        project && found.run ? loadDataRecord(project->folder() / found.run->folder) : Result<DataRecord>(DataRecord());
    if (!record)
        return record.error();
    auto result = evaluateModel(*loaded, *data, record->split, progressLine());
    if (!result)
        return result.error();
    const auto places = file.empty() ? Result<ResultsPlaces>(ResultsPlaces()) : writeResults(file, result->results);
    if (!places)
        return places.error();
    if (const auto shown = show(shared, options, *result, *places); !shown)
        return shown.error();
    return result;
}

Result<int> scoreModel(const Shared& shared, const EvaluateOptions& options) {
    if (options.reference.empty())
        return Error{ErrorKind::Usage, "There is nothing to evaluate.", "evaluate",
                     "Name a run or a checkpoint, or a file with --results."};
    if (!options.type.empty())
        return Error{ErrorKind::Usage, "--type says what a file of results holds, and there is none.", "evaluate",
                     "Name the file with --results, or leave --type away."};
    auto project = shared.openProject(Project::Mode::ReadOnly);
    const auto found = findCheckpoint(project ? project->get() : nullptr, options.reference);
    if (!found)
        return project || found.error().kind == ErrorKind::Damaged ? found.error() : project.error();
    const auto result = scoreFound(shared, options, project ? project->get() : nullptr, *found);
    if (!result)
        return result.error();
    const auto error = unmet(*result);
    return error ? Result<int>(*error) : Result<int>(0);
}

/// Scores each checkpoint of a run as it comes, and keeps the scores with the run. The last one must be as expected.
Result<int> follow(const Shared& shared, const EvaluateOptions& options) {
    auto project = shared.openProject(Project::Mode::ReadWrite);
    if (!project)
        return project.error();
    const auto run = (*project)->findRun(options.reference);
    if (!run)
        return run.error();
    std::mutex mutex;
    std::condition_variable changed;
    bool isLeaving = false;
    const StopSignal stop([&] {
        const std::lock_guard lock(mutex);
        isLeaving = true;
        changed.notify_all();
    });
    FollowedRun followed;
    followed.checkpoints = [&] { return (*project)->checkpoints(run->id); };
    followed.isTrained = [&]() -> Result<bool> {
        const auto now = (*project)->run(run->id);
        return now ? Result<bool>(now->status < RunStatus::Stopped) : now.error();
    };
    followed.seconds = steadySeconds;
    followed.sleep = [&](double seconds) {
        std::unique_lock lock(mutex);
        return !changed.wait_for(lock, std::chrono::duration<double>(seconds), [&] { return isLeaving; });
    };
    CheckpointFollower follower(followed, options.interval);
    std::optional<Error> error; // of the newest one
    for (;;) {
        if (!followed.sleep(0))
            return exitCode(ErrorKind::Interrupted);
        const auto next = follower.next();
        if (!next)
            return next.error();
        if (!*next && !followed.sleep(0))
            return exitCode(ErrorKind::Interrupted);
        if (!*next)
            return error ? Result<int>(*error) : Result<int>(0);
        const FoundCheckpoint found{(*project)->folder() / run->folder / (*next)->report.path, *run, **next};
        const auto result = scoreFound(shared, options, project->get(), found);
        std::error_code gone; // retention may have taken it since it was listed
        if (!result && !std::filesystem::exists(found.file, gone))
            continue;
        if (!result)
            return result.error();
        if (const auto kept = (*project)->addEvaluation(run->id, result->report); !kept)
            return kept.error();
        error = unmet(*result);
    }
}

Result<int> evaluate(const Shared& shared, const EvaluateOptions& options) {
    if (options.isFollowing && options.reference.empty())
        return Error{ErrorKind::Usage, "There is no run to follow.", "--follow",
                     "Name one: trainyard evaluate RUN --follow."};
    if (options.isFollowing && !(options.results.empty() && options.output.empty()))
        return Error{ErrorKind::Usage, "Many checkpoints are scored: neither --results nor --output has a place there.",
                     "--follow", "Leave them away; the predictions go into the run's folder."};
    if (options.isFollowing && !(options.curves.empty() && options.confusion.empty()))
        return Error{ErrorKind::Usage,
                     "Many checkpoints are scored: neither --curves nor --confusion has a place there.", "--follow",
                     "Leave them away, or score one checkpoint without --follow."};
    if (options.isFollowing)
        return follow(shared, options);
    return options.results.empty() ? scoreModel(shared, options) : scoreFile(shared, options);
}
} // namespace

void addEvaluate(CLI::App& app, CommandLine& line) {
    auto options = std::make_shared<EvaluateOptions>();
    auto* verb = app.add_subcommand("evaluate", "Score a run's best checkpoint, a checkpoint, or a file of results");
    verb->add_option("REFERENCE", options->reference,
                     "RUN, RUN@ITERATION, RUN@best, RUN@newest, or a checkpoint's file");
    verb->add_option("--data", options->data,
                     "Data to score on: PATH, FORMAT:PATH or PATH#PART; without it the run's validation data")
        ->allow_extra_args(false);
    verb->add_option(
        "--results", options->results,
        "Score this file of results (COCO JSON, VOC's class files, or readings); needs no model, but --data");
    verb->add_option("--type", options->type, "What COCO results hold; bbox where it is not said")
        ->check(CLI::IsMember({"bbox", "segm", "keypoints", "proposals"}));
    verb->add_option("--output", options->output,
                     "A file for the predictions (masks and keypoints get a file each beside it); without it they go "
                     "into the run's folder, under evaluations");
    verb->add_option("--weights", options->weights, "Which of its weights: raw, or their moving average")
        ->check(CLI::IsMember({"raw", "averaged"}));
    verb->add_flag("--follow", options->isFollowing,
                   "Score each checkpoint of RUN once, as it comes, until the run ends; the scores are kept with it");
    verb->add_option("--interval", options->interval, "With --follow: seconds between two scorings at least")
        ->check(CLI::Range(0.0, 1e7));
    verb->add_option("--curves", options->curves, "A file for precision over recall of each class: .json or .csv");
    verb->add_option("--confusion", options->confusion,
                     "A file for how often each class was taken for which: .json or .csv");
    verb->add_option("--set", options->overrides, "key.path=value of the model's configuration")
        ->allow_extra_args(false);
    verb->fallthrough();
    verb->callback([&line, options] { line.action = [&line, options] { return evaluate(line.shared, *options); }; });
}

} // namespace trainyard::cli
