#include "app/cli/CommandLine.h"
#include "app/cli/ConfigArgument.h"
#include "app/cli/Json.h"
#include "app/cli/Output.h"
#include "app/cli/TrainingRunner.h"
#include "app/engine/AutoResume.h"
#include "app/engine/CheckpointReference.h"
#include "core/config/ConfigFile.h"
#include "core/data/Dataset.h"
#include "core/fetch/Url.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <tuple>

namespace trainyard::cli {

namespace {
struct TrainOptions {
    std::string config, name, weights;
    std::vector<std::string> overrides, data, validation;
    bool isAutoResume = false, acceptsChanges = false;
};

/// `--data` as the override that it is: "data.train=[{path: /data/words}]".
void addDatasets(std::vector<std::string>& overrides, const std::string& key,
                 const std::vector<std::string>& arguments) {
    if (arguments.empty())
        return;
    std::vector<DatasetConfig> entries;
    for (const std::string& argument : arguments)
        entries.push_back(parseDatasetArgument(argument));
    overrides.push_back(key + "=" + toText(FieldValue(entries)));
}

/// A key that is set twice in two ways.
std::optional<Error> contradiction(const TrainOptions& options) {
    const auto sets = [&](const std::string& key) {
        return std::any_of(options.overrides.begin(), options.overrides.end(), [&](const std::string& override) {
            return override.starts_with(key + "=") || override.starts_with(key + ".");
        });
    };
    for (const auto& [option, key, arguments] :
         {std::tuple("--data", "data.train", &options.data), {"--validation", "data.validation", &options.validation}})
        if (!arguments->empty() && sets(key))
            return Error{ErrorKind::Usage, fmt::format("{} and {} both name the data.", option, key), "train",
                         "Give one of them."};
    if (!options.weights.empty() && sets("model.weights"))
        return Error{ErrorKind::Usage, "--weights and model.weights both name the weights.", "train",
                     "Give one of them."};
    return std::nullopt;
}

/// A checkpoint of the project may be named as elsewhere.
Result<std::string> weightsArgument(const Shared& shared, const std::string& argument) {
    std::error_code unreadable;
    if (isUrl(argument) || argument.find('@') == std::string::npos || std::filesystem::exists(argument, unreadable))
        return argument;
    const auto project = shared.openProject(Project::Mode::ReadOnly);
    if (!project)
        return project.error();
    const auto found = findCheckpoint(project->get(), argument);
    if (!found)
        return found.error();
    return found->file.string();
}

/// The overrides as typed, the datasets and weights of the command line behind them.
std::vector<std::string> allOverrides(const TrainOptions& options) {
    std::vector<std::string> overrides = options.overrides;
    addDatasets(overrides, "data.train", options.data);
    addDatasets(overrides, "data.validation", options.validation);
    if (!options.weights.empty())
        overrides.push_back("model.weights=" + toText(FieldValue(options.weights)));
    return overrides;
}

/// What was asked for has been done before.
Result<int> sayDone(const Shared& shared, const RunRecord& run, const std::filesystem::path& folder) {
    const auto project = shared.openProject(Project::Mode::ReadOnly);
    if (!project)
        return project.error();
    const auto checkpoints = (*project)->checkpoints(run.id);
    if (!checkpoints)
        return checkpoints.error();
    if (shared.isJson) {
        print(toLine({{"event", "run"},
                      {"id", run.id},
                      {"folder", folder.string()},
                      {"configuration", (folder / "config.yaml").string()}}) +
              "\n");
        print(toLine(finishedEvent(run.status, run.iteration, *checkpoints, folder.string())) + "\n");
    } else {
        print(fmt::format("Run {} \"{}\" is finished already, after iteration {}.\n", run.id, run.name, run.iteration));
    }
    return 0;
}

Result<int> train(const Shared& shared, TrainOptions options) {
    if (const auto error = contradiction(options))
        return *error;
    auto weights = weightsArgument(shared, options.weights);
    if (!weights)
        return weights.error();
    options.weights = std::move(*weights);
    TrainingRequest request;
    request.overrides = allOverrides(options);
    auto config = configArgument(options.config, request.overrides);
    if (!config)
        return config.error();
    request.project = shared.projectFolder();
    request.config = *config;
    request.name = options.name;
    request.acceptChanges = options.acceptsChanges;
    if (options.isAutoResume) {
        const auto found = findAutoResume(request);
        if (!found)
            return found.error();
        if (found->finished)
            return sayDone(shared, *found->finished, request.project / found->finished->folder);
        request = found->request;
    }
    return runTraining(shared, std::move(request));
}
} // namespace

void addTrain(CLI::App& app, CommandLine& line) {
    auto options = std::make_shared<TrainOptions>();
    auto* verb = app.add_subcommand("train", "Train a new run from a configuration file or a preset");
    verb->add_option("CONFIG", options->config, "A YAML file, or a preset's name (see trainyard config presets)")
        ->required();
    verb->add_option("OVERRIDE", options->overrides,
                     "Settings as key=value, such as solve.iterations=5000 (see trainyard config describe)");
    const std::string kFormat =
        "PATH, its format found by looking, or FORMAT:PATH; PATH#PART takes one part of a dataset "
        "that has parts, which is otherwise its training part here and its test or validation "
        "part there; rendered-words: stands for words drawn from fonts. Repeatable; takes the "
        "place of the configuration's ";
    verb->add_option("--data", options->data, "Training data: " + kFormat + "data.train.")->allow_extra_args(false);
    verb->add_option("--validation", options->validation, "Validation data, as --data; data.validation.")
        ->allow_extra_args(false);
    verb->add_option(
        "--weights", options->weights,
        "Weights to start from: a file (.pth, .safetensors, Detectron's .pkl), a checkpoint as RUN@best, or "
        "https://HOST/FILE#sha256=DIGITS; model.weights.");
    verb->add_option("--name", options->name, "The run's name; without it one is made from model and data");
    verb->add_flag(
        "--auto-resume", options->isAutoResume,
        "Safe to repeat: goes on with the newest run of this name where it was interrupted, does nothing where "
        "it is finished, else starts one");
    verb->add_flag("--accept-changes", options->acceptsChanges,
                   "With --auto-resume: go on though data, LibTorch or machine changed");
    verb->fallthrough();
    verb->callback([&line, options] { line.action = [&line, options] { return train(line.shared, *options); }; });
}

} // namespace trainyard::cli
