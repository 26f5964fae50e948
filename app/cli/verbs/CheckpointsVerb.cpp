#include "app/cli/CommandLine.h"
#include "app/cli/Format.h"
#include "app/cli/Json.h"
#include "app/cli/Output.h"
#include "app/cli/Table.h"
#include "app/engine/CheckpointReference.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace trainyard::cli {

namespace {
std::string marks(const CheckpointRecord& checkpoint) {
    std::string text;
    const auto add = [&text](bool isSo, const char* word) {
        if (isSo)
            text += (text.empty() ? "" : ", ") + std::string(word);
    };
    add(checkpoint.isBest, "best");
    add(checkpoint.isFinal, "final");
    add(checkpoint.isPinned, "pinned");
    add(checkpoint.isAbandoned, "abandoned");
    add(checkpoint.isMissing, "missing");
    return text;
}

Result<int> list(const Shared& shared, const std::string& reference) {
    auto project = shared.openProject(Project::Mode::ReadOnly);
    if (!project)
        return project.error();
    std::int64_t run = 0;
    if (!reference.empty()) {
        const auto found = (*project)->findRun(reference);
        if (!found)
            return found.error();
        run = found->id;
    }
    const auto checkpoints = (*project)->checkpoints(run);
    if (!checkpoints)
        return checkpoints.error();
    using enum Table::Align;
    Table table({{"checkpoint", Right}, {"size", Right}, {"metric", Right}, {"saved"}, {"marks"}, {"file"}});
    for (const CheckpointRecord& one : *checkpoints) {
        if (one.isDeleted)
            continue;
        if (shared.isJson)
            print(toLine(toJson(one)) + "\n");
        table.add({checkpointLabel(one), byteSize(one.report.bytes), one.metric ? metricText(*one.metric) : "",
                   localTime(one.report.wallMicroseconds), marks(one), one.report.path});
    }
    if (!shared.isJson)
        print(table.isEmpty() ? "No checkpoints yet.\n" : table.text());
    return 0;
}

/// Finds all of them before the first is touched.
Result<std::vector<CheckpointRecord>> findAll(const Project& project, const std::vector<std::string>& references,
                                              CheckpointState state = CheckpointState::Listed) {
    std::vector<CheckpointRecord> all;
    for (const std::string& reference : references) {
        const auto found = findCheckpointRecord(project, reference, state);
        if (!found)
            return found.error();
        all.push_back(*found);
    }
    return all;
}

Result<int> pin(const Shared& shared, const std::vector<std::string>& references, bool isRemoval) {
    auto project = shared.openProject(Project::Mode::ReadWrite);
    if (!project)
        return project.error();
    const auto all = findAll(**project, references);
    if (!all)
        return all.error();
    for (const CheckpointRecord& one : *all)
        if (const auto set = (*project)->setPinned(one.id, !isRemoval); !set)
            return set.error();
    return 0;
}

Result<int> remove(const Shared& shared, const std::vector<std::string>& references, bool isForGood) {
    auto project = shared.openProject(Project::Mode::ReadWrite);
    if (!project)
        return project.error();
    const auto all = findAll(**project, references);
    if (!all)
        return all.error();
    for (const CheckpointRecord& one : *all)
        if (one.isPinned)
            return Error{ErrorKind::Usage, "The checkpoint is pinned.", checkpointLabel(one),
                         fmt::format("Unpin it first: trainyard checkpoints pin --remove {}", checkpointLabel(one))};
    for (const CheckpointRecord& one : *all) {
        if (const auto deleted = (*project)->deleteCheckpoint(one.id); !deleted)
            return deleted.error();
        if (!isForGood && !shared.isJson)
            print(
                fmt::format("Deleted checkpoint {0}. Undo: trainyard checkpoints restore {0}\n", checkpointLabel(one)));
    }
    if (isForGood)
        if (const auto purged = (*project)->purge(); !purged)
            return purged.error();
    return 0;
}

Result<int> restore(const Shared& shared, const std::vector<std::string>& references) {
    auto project = shared.openProject(Project::Mode::ReadWrite);
    if (!project)
        return project.error();
    const auto all = findAll(**project, references, CheckpointState::Deleted);
    if (!all)
        return all.error();
    for (const CheckpointRecord& one : *all)
        if (const auto restored = (*project)->restoreCheckpoint(one.id); !restored)
            return restored.error();
    return 0;
}

/// What the sub-verbs of `checkpoints` were given.
struct CheckpointsOptions {
    std::string run;
    std::vector<std::string> checkpoints;
    bool isRemoval = false, isForGood = false;
};
} // namespace

void addCheckpoints(CLI::App& app, CommandLine& line) {
    auto options = std::make_shared<CheckpointsOptions>();
    const char* kHelp = "RUN@ITERATION, RUN@best, RUN@newest, or the checkpoint's file";
    auto* checkpoints = app.add_subcommand("checkpoints", "A run's checkpoints: list, pin, delete, restore");
    checkpoints->require_subcommand(0, 1); // main says which are missing

    auto* listed = checkpoints->add_subcommand("list", "A line for every checkpoint");
    listed->add_option("RUN", options->run, "Only this run's");
    listed->callback([&line, options] { line.action = [&line, options] { return list(line.shared, options->run); }; });

    auto* pinned = checkpoints->add_subcommand("pin", "Keep checkpoints from being deleted");
    pinned->add_option("CHECKPOINT", options->checkpoints, kHelp)->required();
    pinned->add_flag("--remove", options->isRemoval, "Unpin them instead");
    pinned->callback([&line, options] {
        line.action = [&line, options] { return pin(line.shared, options->checkpoints, options->isRemoval); };
    });

    auto* deleted = checkpoints->add_subcommand("delete", "Delete checkpoints; `checkpoints restore` undoes it");
    deleted->add_option("CHECKPOINT", options->checkpoints, kHelp)->required();
    deleted->add_flag("--for-good", options->isForGood,
                      "Delete the files too, and those of everything deleted before; cannot be undone");
    deleted->callback([&line, options] {
        line.action = [&line, options] { return remove(line.shared, options->checkpoints, options->isForGood); };
    });

    auto* restored = checkpoints->add_subcommand("restore", "Bring deleted checkpoints back");
    restored->add_option("CHECKPOINT", options->checkpoints, kHelp)->required();
    restored->callback(
        [&line, options] { line.action = [&line, options] { return restore(line.shared, options->checkpoints); }; });

    for (auto* verb : checkpoints->get_subcommands({}))
        verb->fallthrough();
    checkpoints->fallthrough();
}

} // namespace trainyard::cli
