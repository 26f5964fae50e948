#include "app/cli/CommandLine.h"
#include "app/cli/DatasetArgument.h"
#include "app/cli/Format.h"
#include "app/cli/Json.h"
#include "app/cli/Output.h"
#include "app/cli/OutputPlace.h"
#include "app/cli/StopSignal.h"
#include "app/cli/Table.h"
#include "app/engine/CheckpointFollower.h"
#include "app/engine/CheckpointReference.h"
#include "app/engine/DataPaths.h"
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

#include <unistd.h>

namespace trainyard::cli {

namespace {
struct Options {
    std::string reference, results, type, output, weights;
    std::vector<std::string> data, overrides;
    bool isFollowing = false;
    double interval = 0;
};

std::string orDash(double value) {
    return value < 0 ? "–" : readable(value); // -1: nothing to measure
}

Json classesObject(const std::vector<ClassScore>& classes) {
    Json object = Json::object();
    for (const ClassScore& one : classes)
        object[one.name] = {{"objects", one.objects}, {"AP", one.ap}, {"AP50", one.ap50}};
    return object;
}

/// Words by length and the worst readings, where the details have them.
void printWords(const Json& details) {
    if (details.contains("lengths")) {
        Table table(
            {{"characters", Table::Align::Right}, {"words", Table::Align::Right}, {"right", Table::Align::Right}});
        for (const Json& one : details["lengths"])
            table.add({grouped(one["characters"].get<std::int64_t>()), grouped(one["words"].get<std::int64_t>()),
                       readable(one["word_accuracy"].get<double>())});
        print("\n" + table.text());
    }
    if (details.contains("worst")) {
        Table table({{"worst readings"}, {"transcript"}, {"read"}, {"score", Table::Align::Right}});
        for (const Json& one : details["worst"])
            table.add({one["image"].get<std::string>(), one["transcript"].get<std::string>(),
                       one["text"].get<std::string>(), readable(one["score"].get<double>())});
        print("\n" + table.text());
    }
}

void printReport(const Shared& shared, const EvaluationResult& result, const std::string& file) {
    const EvaluationReport& report = result.report;
    if (shared.isJson) {
        Json json = evaluationEvent(report);
        if (!result.classes.empty())
            json["classes"] = classesObject(result.classes);
        json.update(Json::parse(result.details));
        json["results"] = file.empty() ? Json(nullptr) : Json(file);
        print(toLine(json) + "\n");
        return;
    }
    Table table({{"metric"}, {"value", Table::Align::Right}});
    for (const auto& [name, value] : report.metrics)
        table.add({name, readable(value)});
    print(fmt::format("{}: {} samples{}\n{}", report.dataset, grouped(report.samples),
                      report.weights.empty() ? "" : ", " + report.weights + " weights", table.text()));
    if (!result.classes.empty()) {
        Table classes(
            {{"class"}, {"objects", Table::Align::Right}, {"AP", Table::Align::Right}, {"AP50", Table::Align::Right}});
        for (const ClassScore& one : result.classes)
            classes.add({one.name, grouped(one.objects), orDash(one.ap), orDash(one.ap50)});
        print("\n" + classes.text());
    }
    printWords(Json::parse(result.details));
    if (!file.empty())
        print(fmt::format("Results: {}\n", file));
}

Result<int> scoreFile(const Shared& shared, const Options& options) {
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
    auto result = evaluateResults(options.results, *data, options.type.empty() ? "bbox" : options.type, parsed.config);
    if (!result)
        return result.error();
    result->report.weights.clear(); // no model, no weights
    printReport(shared, *result, "");
    return 0;
}

/// RUN/evaluations/iteration-00000020.json, or what was asked for; empty where there is no run.
std::filesystem::path resultsFile(const Options& options, const Project* project, const FoundCheckpoint& found,
                                  const LoadedModel& loaded) {
    if (!options.output.empty())
        return options.output;
    if (!project || !found.run)
        return {};
    const char* extension = loaded.task->kind() == TaskKind::Detection ? "json" : "jsonl";
    return project->folder() / found.run->folder / "evaluations" /
           fmt::format("iteration-{:08}.{}", loaded.iteration, extension);
}

/// The run says where its validation data lies by now; the checkpoint, where it lay when it was saved.
Result<void> takeDataOfRun(RunConfig& config, const Project& project, const RunRecord& run) {
    const auto provenance = project.provenance(run.id);
    if (!provenance)
        return provenance.error();
    if (const ParsedConfig stored = parseConfig(provenance->config, run.folder); stored.isGood())
        config.data.validation = stored.config.data.validation;
    return {};
}

/// The paths of the model's configuration as they are on this machine; all of them must be known where its own
/// validation data is asked for.
Result<void> placeData(LoadedModel& loaded, const Project* project, const FoundCheckpoint& found,
                       const Options& options) {
    const auto roots = project ? dataRootsOf(*project) : Result<DataRoots>(DataRoots());
    if (!roots)
        return roots.error();
    if (!options.data.empty()) {
        loaded.config = withKnownPlaces(std::move(loaded.config), *roots);
        return {};
    }
    const bool isSet = std::any_of(options.overrides.begin(), options.overrides.end(),
                                   [](const std::string& one) { return one.starts_with("data.validation"); });
    if (found.run && project && !isSet)
        if (const auto taken = takeDataOfRun(loaded.config, *project, *found.run); !taken)
            return taken.error();
    auto placed = withPlaces(std::move(loaded.config), *roots, found.run ? runLabel(*found.run) : "");
    if (!placed)
        return placed.error();
    loaded.config = std::move(*placed);
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

/// Scores one checkpoint and prints what came of it.
Result<EvaluationReport> scoreFound(const Shared& shared, const Options& options, const Project* project,
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
    const auto result = evaluateModel(*loaded, *data, progressLine());
    if (!result)
        return result.error();
    if (!file.empty())
        if (const auto written = writeFile(file, result->results); !written)
            return written.error();
    printReport(shared, *result, file.string());
    return result->report;
}

Result<int> scoreModel(const Shared& shared, const Options& options) {
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
    const auto report = scoreFound(shared, options, project ? project->get() : nullptr, *found);
    return report ? Result<int>(0) : report.error();
}

/// Scores each checkpoint of a run as it comes, and keeps the scores with the run.
Result<int> follow(const Shared& shared, const Options& options) {
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
    for (;;) {
        if (!followed.sleep(0))
            return exitCode(ErrorKind::Interrupted);
        const auto next = follower.next();
        if (!next)
            return next.error();
        if (!*next)
            return followed.sleep(0) ? 0 : exitCode(ErrorKind::Interrupted);
        const FoundCheckpoint found{(*project)->folder() / run->folder / (*next)->report.path, *run, **next};
        const auto report = scoreFound(shared, options, project->get(), found);
        std::error_code gone; // retention may have taken it since it was listed
        if (!report && !std::filesystem::exists(found.file, gone))
            continue;
        if (!report)
            return report.error();
        if (const auto kept = (*project)->addEvaluation(run->id, *report); !kept)
            return kept.error();
    }
}

Result<int> evaluate(const Shared& shared, const Options& options) {
    if (options.isFollowing && options.reference.empty())
        return Error{ErrorKind::Usage, "There is no run to follow.", "--follow",
                     "Name one: trainyard evaluate RUN --follow."};
    if (options.isFollowing && !(options.results.empty() && options.output.empty()))
        return Error{ErrorKind::Usage, "Many checkpoints are scored: neither --results nor --output has a place there.",
                     "--follow", "Leave them away; the predictions go into the run's folder."};
    if (options.isFollowing)
        return follow(shared, options);
    return options.results.empty() ? scoreModel(shared, options) : scoreFile(shared, options);
}
} // namespace

void addEvaluate(CLI::App& app, CommandLine& line) {
    auto options = std::make_shared<Options>();
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
        ->check(CLI::IsMember({"bbox", "segm", "keypoints"}));
    verb->add_option("--output", options->output,
                     "A file for the predictions; without it they go into the run's folder, under evaluations");
    verb->add_option("--weights", options->weights, "Which of its weights: raw, or their moving average")
        ->check(CLI::IsMember({"raw", "averaged"}));
    verb->add_flag("--follow", options->isFollowing,
                   "Score each checkpoint of RUN once, as it comes, until the run ends; the scores are kept with it");
    verb->add_option("--interval", options->interval, "With --follow: seconds between two scorings at least")
        ->check(CLI::Range(0.0, 1e7));
    verb->add_option("--set", options->overrides, "key.path=value of the model's configuration")
        ->allow_extra_args(false);
    verb->fallthrough();
    verb->callback([&line, options] { line.action = [&line, options] { return evaluate(line.shared, *options); }; });
}

} // namespace trainyard::cli
