#include "app/cli/CommandLine.h"
#include "app/cli/Output.h"
#include "core/base/Log.h"
#include "core/base/WaitPolicy.h"
#include "core/nn/Threads.h"

#include <CLI/CLI.hpp>

#include <algorithm>
#include <csignal>
#include <exception>
#include <filesystem>
#include <set>
#include <string_view>

#include <spdlog/sinks/stdout_sinks.h>

namespace trainyard::cli {

namespace {
/// The first line of what a library threw: LibTorch adds a whole backtrace.
std::string firstLine(const std::string& text) {
    return text.substr(0, text.find('\n'));
}

void configureLog() {
    auto logger = spdlog::stderr_logger_mt("trainyard");
    logger->set_pattern("trainyard: %v");
    logger->set_level(spdlog::level::warn);
    spdlog::set_default_logger(std::move(logger));
}

void describeProgram(CLI::App& app, CommandLine& line) {
    app.name("trainyard");
    app.require_subcommand(0, 1); // so that a misspelt verb is named
    app.set_version_flag("--version", "trainyard " TRAINYARD_VERSION);
    app.add_option("--project", line.shared.project,
                   "The project's folder; without it the nearest one upwards, else this folder");
    app.add_flag("--json", line.shared.isJson, "Machine-readable lines on standard output");
    const std::string common =
        "RUN is a run's number or name; CHECKPOINT is RUN@ITERATION, RUN@best, RUN@newest or a file.\n"
        "Every verb takes --project FOLDER and --json.\n\n"
        "Exit codes: 0 done, 1 unexpected failure, 2 usage or configuration, 3 data, 4 non-finite loss,\n"
        "5 checkpoint or project damaged or locked, 130 interrupted after writing a checkpoint.";
    app.footer(common); // the verbs take it over as they are added
    addTrain(app, line);
    addResume(app, line);
    addEvaluate(app, line);
    addPredict(app, line);
    addRuns(app, line);
    addCheckpoints(app, line);
    addConfig(app, line);
    addProject(app, line);
    addData(app, line);
    addWeights(app, line);
    addDoctor(app, line);
    app.footer("First steps:\n"
               "  trainyard config presets                    what can be trained\n"
               "  trainyard data inspect FOLDER               what is in your data, and what is wrong with it\n"
               "  trainyard train PRESET --data FOLDER        train on it; Ctrl+C stops with a checkpoint\n"
               "  trainyard runs list                         what was trained in this folder\n"
               "  trainyard resume RUN                        go on where it stopped\n"
               "  trainyard predict RUN IMAGE --out FOLDER    use what was learned\n"
               "  trainyard VERB --help                       the rest\n\n" +
               common);
}

/// What could have followed: "trainyard runs needs one of: list, show, …".
Error missingVerb(const CLI::App& app) {
    const CLI::App* last = &app;
    std::string typed = app.get_name();
    while (!last->get_subcommands().empty()) {
        last = last->get_subcommands().front();
        typed += " " + last->get_name();
    }
    std::string verbs;
    for (const CLI::App* verb : last->get_subcommands([](const CLI::App*) { return true; }))
        verbs += (verbs.empty() ? "" : ", ") + verb->get_name();
    return {ErrorKind::Usage, typed + " needs one of: " + verbs + ".", "", "See " + typed + " --help."};
}

int fail(const Error& error) {
    printError(error);
    return exitCode(error.kind);
}

/// Whether a verb that computes may have been typed: starting anew costs the others a third of a second.
bool isComputing(int argc, char** argv) {
    static const std::set<std::string_view> verbs = {"train", "resume", "evaluate", "predict"};
    return std::any_of(argv, argv + argc, [](const char* argument) { return verbs.contains(argument); });
}

int run(int argc, char** argv) {
    CommandLine line;
    CLI::App app("Train object detectors and scene-text recognisers.");
    describeProgram(app, line);
    try {
        app.parse(argc, argv);
    } catch (const CLI::Success& wish) { // --help, --version
        return app.exit(wish);
    } catch (const CLI::ParseError& error) {
        std::string what = firstLine(error.what());
        if (!what.ends_with('.'))
            what += '.';
        return fail({ErrorKind::Usage, what, "", "See trainyard --help."});
    }
    if (!line.action)
        return fail(missingVerb(app));
    std::error_code gone;
    if (const auto here = std::filesystem::current_path(gone); gone)
        return fail({ErrorKind::Usage, fmt::format("The current folder cannot be used: {}.", gone.message()), "",
                     "Go to another one with cd."});
    const Result<int> code = line.action();
    const Result<void> printed = finishPrinting();
    if (!code)
        return fail(code.error());
    return printed ? *code : fail(printed.error());
}
} // namespace

} // namespace trainyard::cli

int main(int argc, char** argv) {
    if (trainyard::cli::isComputing(argc, argv))
        trainyard::startAnewToWaitPatiently(argv);
    trainyard::configureHeap();
    std::signal(SIGPIPE, SIG_IGN); // a reader that left shows in write()
    trainyard::cli::configureLog();
    try {
        return trainyard::cli::run(argc, argv);
    } catch (const std::exception& failure) {
        trainyard::cli::printError({trainyard::ErrorKind::Unexpected,
                                    "Unexpected failure: " + trainyard::cli::firstLine(failure.what()) + ".", "",
                                    "Tell the makers if it happens again."});
        return 1;
    }
}
