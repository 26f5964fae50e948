#include "app/cli/CommandLine.h"
#include "app/cli/Output.h"
#include "app/cli/verbs/RunViews.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace trainyard::cli {

namespace {
Result<int> tag(const Shared& shared, const std::string& reference, const std::vector<std::string>& tags,
                bool isRemoval) {
    auto project = shared.openProject(Project::Mode::ReadWrite);
    if (!project)
        return project.error();
    const auto run = (*project)->findRun(reference);
    if (!run)
        return run.error();
    std::vector<std::string> wanted = run->tags;
    for (const std::string& tag : tags) {
        std::erase(wanted, tag);
        if (!isRemoval)
            wanted.push_back(tag);
    }
    if (const auto set = (*project)->setTags(run->id, wanted); !set)
        return set.error();
    return 0;
}

Result<int> removeRuns(const Shared& shared, const std::vector<std::string>& references, bool isForGood) {
    auto project = shared.openProject(Project::Mode::ReadWrite);
    if (!project)
        return project.error();
    if (references.empty() && !isForGood)
        return Error{ErrorKind::Usage, "RUN is required.", "", "See trainyard runs delete --help."};
    std::vector<RunRecord> runs; // all are found before the first is deleted
    for (const std::string& reference : references) {
        const auto run = (*project)->findRun(reference);
        if (!run)
            return run.error();
        if (RunLock::isHeld((*project)->folder() / run->folder))
            return Error{ErrorKind::Damaged, "The run is being trained by another process.",
                         fmt::format("run {} \"{}\"", run->id, run->name), "Stop it first."};
        runs.push_back(*run);
    }
    for (const RunRecord& run : runs) {
        if (const auto deleted = (*project)->deleteRun(run.id); !deleted)
            return deleted.error();
        if (!isForGood && !shared.isJson)
            print(fmt::format("Deleted run {} \"{}\". Undo: trainyard runs restore {}\n", run.id, run.name, run.id));
    }
    if (isForGood)
        if (const auto purged = (*project)->purge(); !purged)
            return purged.error();
    return 0;
}

Result<int> restore(const Shared& shared, const std::vector<std::int64_t>& runs) {
    auto project = shared.openProject(Project::Mode::ReadWrite);
    if (!project)
        return project.error();
    for (const std::int64_t run : runs)
        if (const auto restored = (*project)->restoreRun(run); !restored)
            return restored.error();
    return 0;
}

/// What the sub-verbs of `runs` were given.
struct RunsOptions {
    std::string run;
    std::vector<std::string> runs, tags;
    std::vector<std::int64_t> numbers;
    bool isRemoval = false, isForGood = false;
};
} // namespace

void addRuns(CLI::App& app, CommandLine& line) {
    auto options = std::make_shared<RunsOptions>();
    const char* kRunHelp = "A run's number, or its name";
    auto* runs = app.add_subcommand("runs", "The project's runs: list, show, compare, tag, delete, restore");
    runs->require_subcommand(0, 1); // main says which are missing

    auto* listed = runs->add_subcommand("list", "A line for every run");
    listed->callback([&line] { line.action = [&line] { return listRuns(line.shared); }; });

    auto* shown = runs->add_subcommand("show", "All that is known of a run");
    shown->add_option("RUN", options->run, kRunHelp)->required();
    shown->callback(
        [&line, options] { line.action = [&line, options] { return showRun(line.shared, options->run); }; });

    auto* compared = runs->add_subcommand("compare", "Results and differing settings of runs, side by side");
    compared->add_option("RUN", options->runs, kRunHelp)->required()->expected(2, 100);
    compared->callback(
        [&line, options] { line.action = [&line, options] { return compareRuns(line.shared, options->runs); }; });

    auto* tagged = runs->add_subcommand("tag", "Add tags to a run");
    tagged->add_option("RUN", options->run, kRunHelp)->required();
    tagged->add_option("TAG", options->tags, "Tags")->required();
    tagged->add_flag("--remove", options->isRemoval, "Take the tags away instead");
    tagged->callback([&line, options] {
        line.action = [&line, options] { return tag(line.shared, options->run, options->tags, options->isRemoval); };
    });

    auto* deleted = runs->add_subcommand("delete", "Delete runs with their checkpoints; `runs restore` undoes it");
    deleted->add_option("RUN", options->runs,
                        std::string(kRunHelp) + "; none with --for-good: only what was deleted before");
    deleted->add_flag("--for-good", options->isForGood,
                      "Delete the files too, and those of everything deleted before; cannot be undone");
    deleted->callback([&line, options] {
        line.action = [&line, options] { return removeRuns(line.shared, options->runs, options->isForGood); };
    });

    auto* restored = runs->add_subcommand("restore", "Bring deleted runs back");
    restored->add_option("NUMBER", options->numbers, "The numbers of deleted runs, as runs delete told them")
        ->required();
    restored->callback(
        [&line, options] { line.action = [&line, options] { return restore(line.shared, options->numbers); }; });

    for (auto* verb : runs->get_subcommands({}))
        verb->fallthrough();
    runs->fallthrough();
}

} // namespace trainyard::cli
