#include "app/cli/CommandLine.h"
#include "app/cli/TrainingRunner.h"
#include "app/engine/CheckpointReference.h"

#include <CLI/CLI.hpp>

#include <algorithm>

namespace trainyard::cli {

namespace {
struct ResumeOptions {
    std::string run, from;
    std::vector<std::string> overrides;
    std::int64_t further = 0;
    bool acceptsChanges = false;
};

bool changesLength(const std::string& override) {
    return override.starts_with("solve.iterations=");
}

Result<int> resume(const Shared& shared, const ResumeOptions& options) {
    if (options.further > 0 && std::any_of(options.overrides.begin(), options.overrides.end(), changesLength))
        return Error{ErrorKind::Usage, "--further and solve.iterations both say how long to train.", "resume",
                     "Give one of them: --further adds to the plan, solve.iterations is the whole of it."};
    TrainingRequest request;
    request.project = shared.projectFolder();
    {
        auto project = shared.openProject(Project::Mode::ReadOnly);
        if (!project)
            return project.error();
        const auto run = (*project)->findRun(options.run);
        if (!run)
            return run.error();
        request.run = run->id;
        if (!options.from.empty()) {
            const auto checkpoint = findCheckpointOfRun(**project, *run, options.from);
            if (!checkpoint)
                return checkpoint.error();
            request.fromCheckpoint = checkpoint->id;
        }
    }
    request.overrides = options.overrides;
    request.further = options.further;
    request.acceptChanges = options.acceptsChanges;
    return runTraining(shared, std::move(request));
}
} // namespace

void addResume(CLI::App& app, CommandLine& line) {
    auto options = std::make_shared<ResumeOptions>();
    auto* verb = app.add_subcommand("resume", "Go on with a run from its newest good checkpoint");
    verb->add_option("RUN", options->run, "A run's number, or its name")->required();
    verb->add_option("OVERRIDE", options->overrides,
                     "key.path=value, of keys that may change on resume (see trainyard config describe)");
    verb->add_option(
        "--from", options->from,
        "The checkpoint to go on from: @ITERATION, best, newest or its file; what came after it becomes an "
        "abandoned branch");
    verb->add_option("--further", options->further, "Train this many iterations beyond the plan")
        ->check(CLI::Range(std::int64_t(1), std::int64_t(1000000000000)));
    verb->add_flag("--accept-changes", options->acceptsChanges,
                   "Go on though data, LibTorch or machine changed; the result is then not exact");
    verb->fallthrough();
    verb->callback([&line, options] { line.action = [&line, options] { return resume(line.shared, *options); }; });
}

} // namespace trainyard::cli
