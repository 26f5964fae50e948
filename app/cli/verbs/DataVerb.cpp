#include "app/cli/CommandLine.h"
#include "app/cli/ConfigArgument.h"
#include "app/cli/DatasetArgument.h"
#include "app/cli/Format.h"
#include "app/cli/Json.h"
#include "app/cli/Output.h"
#include "app/cli/Table.h"
#include "app/cli/verbs/ConvertVerb.h"
#include "core/config/ConfigFile.h"
#include "core/data/Formats.h"
#include "core/data/Inspection.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

#include <unistd.h>

namespace trainyard::cli {

namespace {
struct DataOptions {
    std::vector<std::string> data, overrides;
    std::string config;
    bool isQuick = false, showsAll = false;
};

const char* severityName(DataProblem::Severity severity) {
    switch (severity) {
    case DataProblem::Severity::Note:
        return "note";
    case DataProblem::Severity::Warning:
        return "warning";
    case DataProblem::Severity::Error:
        return "error";
    }
    return "";
}

std::string spread(const Distribution& values) {
    return fmt::format("{} to {}, mean {}", measure(values.smallest), measure(values.largest), measure(values.mean));
}

Json spreadJson(const Distribution& values) {
    return {{"smallest", values.smallest}, {"largest", values.largest}, {"mean", values.mean}};
}

Json toJson(const DataProblem& problem) {
    Json json = {
        {"severity", severityName(problem.severity)}, {"sample", problem.sample}, {"message", problem.message}};
    if (!problem.file.empty())
        json["file"] = problem.file;
    if (!problem.annotation.empty())
        json["annotation"] = problem.annotation;
    return json;
}

Json toJson(const Inspection& found, const std::string& use) {
    Json json = {{"name", found.name},
                 {"format", found.format},
                 {"use", use.empty() ? Json(nullptr) : Json(use)},
                 {"samples", found.isEndless ? Json(nullptr) : Json(found.samples)},
                 {"decoded", found.decoded},
                 {"damaged", found.damaged},
                 {"width", spreadJson(found.widths)},
                 {"height", spreadJson(found.heights)}};
    if (found.task == TaskKind::Detection) {
        json["classes"] = Json::object();
        for (const ClassCount& one : found.classes)
            json["classes"][one.name] = {{"objects", one.objects}, {"images", one.images}};
        json["objects"] = found.objects;
        json["images_without_objects"] = found.imagesWithoutObjects;
        json["crowds"] = found.crowds;
        json["difficult"] = found.difficult;
        json["object_side"] = spreadJson(found.boxSizes);
    } else {
        json["length"] = spreadJson(found.lengths);
        json["characters"] = found.characters;
    }
    json["problems"] = Json::array();
    for (const DataProblem& problem : found.problems)
        json["problems"].push_back(toJson(problem));
    return json;
}

std::string problemLines(const std::vector<DataProblem>& problems, bool showsAll) {
    constexpr std::size_t kShown = 20;
    const std::size_t shown = showsAll ? problems.size() : std::min(kShown, problems.size());
    std::string text;
    for (std::size_t i = 0; i < shown; ++i) {
        const DataProblem& problem = problems[i];
        text += fmt::format("{}: {}{}{}{}\n", severityName(problem.severity), problem.sample,
                            problem.sample.empty() ? "" : ": ", problem.message,
                            problem.file.empty() ? "" : " [" + problem.file + "]");
    }
    if (shown < problems.size())
        text += fmt::format("… and {} more (--all shows them)\n", problems.size() - shown);
    return text;
}

std::string inDetection(const Inspection& found) {
    Table table({{"class"}, {"objects", Table::Align::Right}, {"images", Table::Align::Right}});
    for (const ClassCount& one : found.classes)
        table.add({one.name, grouped(one.objects), grouped(one.images)});
    return fmt::format("{} objects, side {} pixels; {} crowds, {} difficult; {} images without objects\n",
                       grouped(found.objects), spread(found.boxSizes), grouped(found.crowds), grouped(found.difficult),
                       grouped(found.imagesWithoutObjects)) +
           table.text();
}

std::string inRecognition(const Inspection& found) {
    std::string characters;
    for (const auto& [character, count] : found.characters)
        characters += character;
    return fmt::format("transcripts of {} characters; they use: {}\n", spread(found.lengths), characters);
}

std::string reportText(const Inspection& found, const std::string& use, bool showsAll) {
    std::string text = fmt::format("{} ({}){}: {} samples, {} images read, {} damaged\n", found.name, found.format,
                                   use.empty() ? "" : ", its part for " + use, found.isEndless ? "endless" : grouped(found.samples), grouped(found.decoded),
                                   grouped(found.damaged));
    if (found.widths.total > 0)
        text += fmt::format("width {} pixels; height {} pixels\n", spread(found.widths), spread(found.heights));
    text += found.task == TaskKind::Detection ? inDetection(found) : inRecognition(found);
    return text + (found.problems.empty() ? "No problems found.\n" : problemLines(found.problems, showsAll));
}

/// The task that a dataset serves, by its format.
Result<TaskKind> taskOfFormat(DatasetConfig& entry) {
    if (entry.format == "auto") {
        const auto found = findFormat(entry.path);
        if (!found)
            return found.error();
        entry.format = *found;
    }
    for (const Format& format : formats())
        if (format.name == entry.format)
            return format.task;
    return Error{ErrorKind::Usage, "There is no such format.", entry.format, "See trainyard data formats."};
}

/// What a run would train on and what it would validate on, where `entry` names no part and they differ.
using Opened = std::vector<std::unique_ptr<Dataset>>;

/// Whether no sample of `a` is one of `b`.
bool areApart(const Dataset& a, const Dataset& b) {
    if (a.size() == Dataset::kEndless || b.size() == Dataset::kEndless)
        return false;
    std::set<std::string> ids;
    for (std::int64_t i = 0; i < a.size(); ++i)
        ids.insert(a.info(i).id);
    for (std::int64_t i = 0; i < b.size(); ++i)
        if (ids.contains(b.info(i).id))
            return false;
    return true;
}

Result<Opened> openParts(const DataOptions& options, RunConfig config, DatasetConfig entry) {
    const auto task = taskOfFormat(entry);
    if (!task)
        return task.error();
    if (taskOf(config.model) != *task)
        config.model.type = *task == TaskKind::Detection ? "retinanet" : "crnn";
    DatasetContext context{config, *task, false, {}};
    context.isVerbatim = options.config.empty() && options.overrides.empty(); // no alphabet was named
    auto whole = openDataset(entry, context);
    if (!whole)
        return whole.error();
    Opened opened;
    opened.push_back(std::move(*whole));
    if (!entry.part.empty())
        return opened;
    context.isForTraining = true;
    if (auto training = openDataset(entry, context); training && areApart(**training, *opened.front()))
        opened.insert(opened.begin(), std::move(*training));
    return opened;
}

Inspection lookAt(const DataOptions& options, const Dataset& dataset) {
    InspectionOptions how;
    how.decodesImages = !options.isQuick;
    if (::isatty(STDERR_FILENO) == 1)
        how.progress = [](std::int64_t done, std::int64_t total) {
            if (done == total || done % 100 == 0)
                writeAll(STDERR_FILENO, fmt::format("\r\033[K{} / {}{}", grouped(done), grouped(total),
                                                    done == total ? "\r\033[K" : ""));
        };
    return inspectDataset(dataset, how);
}

/// Pictures that lie in two of the sets: what is tested on should not have been learnt.
void reportSimilar(const Shared& shared, const DataOptions& options, const std::vector<Inspection>& inspections) {
    std::vector<DataProblem> similar;
    for (std::size_t i = 0; i < inspections.size(); ++i)
        for (std::size_t j = i + 1; j < inspections.size(); ++j) {
            auto more = similarPictures(inspections[i], inspections[j]);
            similar.insert(similar.end(), more.begin(), more.end());
        }
    if (!shared.isJson) {
        if (!similar.empty())
            print(fmt::format("{} pictures look alike in two of the sets.\n", grouped(std::int64_t(similar.size()))) +
                  problemLines(similar, options.showsAll));
        return;
    }
    Json json = {{"similar", Json::array()}};
    for (const DataProblem& one : similar)
        json["similar"].push_back(toJson(one));
    print(toLine(json) + "\n");
}

Result<int> inspect(const Shared& shared, const DataOptions& options) {
    const auto config = configArgument(options.config, options.overrides);
    if (!config)
        return config.error();
    const auto entries = datasetArguments(shared, options.data);
    if (!entries)
        return entries.error();
    std::vector<Inspection> inspections;
    std::optional<Error> trouble;
    for (const DatasetConfig& entry : *entries) {
        const auto opened = openParts(options, *config, entry);
        if (!opened)
            return opened.error();
        for (std::size_t i = 0; i < opened->size(); ++i) {
            const char* use = opened->size() < 2 ? "" : i == 0 ? "training" : "validation";
            Inspection found = lookAt(options, *(*opened)[i]);
            print(shared.isJson ? toLine(toJson(found, use)) + "\n" : reportText(found, use, options.showsAll));
            const std::int64_t errors = found.errors();
            if (errors > 0 && !trouble)
                trouble = Error{ErrorKind::Data,
                                fmt::format("{} of its {} images cannot be used.", errors,
                                            (found.isEndless ? 0 : found.samples) + errors - found.damaged),
                                entry.path, "They are named above."};
            inspections.push_back(std::move(found));
        }
    }
    if (inspections.size() > 1)
        reportSimilar(shared, options, inspections);
    if (trouble)
        return *trouble;
    return 0;
}

Result<int> listFormats(const Shared& shared) {
    Table table({{"format"}, {"task"}, {"what it looks like"}});
    for (const Format& format : formats()) {
        const char* task = format.task == TaskKind::Detection ? "detection" : "recognition";
        if (shared.isJson)
            print(toLine({{"format", format.name}, {"task", task}, {"summary", format.summary}}) + "\n");
        table.add({format.name, task, format.summary});
    }
    if (!shared.isJson)
        print(table.text());
    return 0;
}
} // namespace

void addData(CLI::App& app, CommandLine& line) {
    auto options = std::make_shared<DataOptions>();
    auto* data = app.add_subcommand("data", "Datasets: inspect, convert, formats");
    data->require_subcommand(0, 1); // main says which are missing

    auto* inspected =
        data->add_subcommand("inspect", "What is in datasets and what is wrong with them, pictures that two of them "
                                        "share included; exit code 3 when an image is missing or cannot be used");
    inspected->add_option("DATA", options->data, "PATH, FORMAT:PATH or PATH#PART")->required();
    inspected->add_option("--config", options->config, "Read it as this configuration or preset would; without it words are taken as they are written");
    inspected->add_option("--set", options->overrides, "key.path=value of that configuration")->allow_extra_args(false);
    inspected->add_flag("--quick", options->isQuick, "Look at the annotations only, not at every image");
    inspected->add_flag("--all", options->showsAll, "Show every problem");
    inspected->callback(
        [&line, options] { line.action = [&line, options] { return inspect(line.shared, *options); }; });

    addConvert(*data, line);

    auto* listed = data->add_subcommand("formats", "The formats that are read");
    listed->callback([&line] { line.action = [&line] { return listFormats(line.shared); }; });

    for (auto* verb : data->get_subcommands({}))
        verb->fallthrough();
    data->fallthrough();
}

} // namespace trainyard::cli
