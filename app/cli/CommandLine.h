#pragma once

#include "core/base/Error.h"
#include "core/project/Project.h"

#include <filesystem>
#include <functional>
#include <memory>
#include <string>

namespace CLI {
class App;
}

namespace trainyard::cli {

/// What every verb takes.
struct Shared {
    std::string project; ///< as typed; empty: the nearest one upwards, else this folder
    bool isJson = false; ///< machine-readable lines on standard output

    std::filesystem::path projectFolder() const;
    /// Fails with a sentence where there is no project.
    Result<std::unique_ptr<Project>> openProject(Project::Mode mode) const;
};

/// What a verb does once the command line is understood: its exit code, or why it could not.
using Action = std::function<Result<int>()>;

/// Where a verb leaves its action. Outlives the parser.
struct CommandLine {
    Shared shared;
    Action action;
};

// One function a verb: declares its options and, when it is the one that was typed, sets `line.action`.
void addTrain(CLI::App& app, CommandLine& line);
void addResume(CLI::App& app, CommandLine& line);
void addEvaluate(CLI::App& app, CommandLine& line);
void addPredict(CLI::App& app, CommandLine& line);
void addRuns(CLI::App& app, CommandLine& line);
void addCheckpoints(CLI::App& app, CommandLine& line);
void addConfig(CLI::App& app, CommandLine& line);
void addProject(CLI::App& app, CommandLine& line);
void addData(CLI::App& app, CommandLine& line);
void addWeights(CLI::App& app, CommandLine& line);
void addDoctor(CLI::App& app, CommandLine& line);

} // namespace trainyard::cli
