// project roots: where the project's data lies.
#include "app/cli/verbs/RootsVerb.h"
#include "app/cli/CommandLine.h"
#include "app/cli/Json.h"
#include "app/cli/Output.h"
#include "app/cli/Table.h"
#include "app/engine/DataPaths.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace trainyard::cli {

namespace {
std::string numbers(const std::vector<std::int64_t>& runs) {
    std::string text;
    for (const std::int64_t run : runs)
        text += (text.empty() ? "" : ", ") + std::to_string(run);
    return text;
}

Result<int> list(const Shared& shared) {
    auto project = shared.openProject(Project::Mode::ReadOnly);
    if (!project)
        return project.error();
    const auto roots = (*project)->dataRoots();
    if (!roots)
        return roots.error();
    Table table({{"root"}, {"folder"}, {"there"}, {"runs"}});
    for (const DataRoot& root : *roots) {
        const auto runs = runsInRoot(**project, root.name);
        if (!runs)
            return runs.error();
        std::error_code unreadable; // then it is not there for us
        const bool isThere = std::filesystem::is_directory(root.folder, unreadable);
        if (shared.isJson)
            print(toLine({{"root", root.name}, {"folder", root.folder}, {"there", isThere}, {"runs", *runs}}) + "\n");
        table.add({root.name, root.folder, isThere ? "yes" : "missing", numbers(*runs)});
    }
    if (!shared.isJson)
        print(table.isEmpty() ? "No data roots yet. Name a folder: trainyard project roots set NAME FOLDER\n"
                              : table.text());
    return 0;
}

Result<int> set(const Shared& shared, const std::string& name, const std::string& folder) {
    std::error_code unreadable;
    if (!std::filesystem::is_directory(folder, unreadable))
        return Error{ErrorKind::Usage, "There is no such folder.", folder, "Name the folder that holds the data."};
    auto project = Project::open(shared.projectFolder(), Project::Mode::ReadWrite, true);
    if (!project)
        return project.error();
    const std::string absolute = std::filesystem::absolute(folder).lexically_normal().string();
    if (const auto done = (*project)->setDataRoot(name, absolute); !done)
        return done.error();
    const auto runs = adoptRoot(**project, name);
    if (!runs)
        return runs.error();
    if (!shared.isJson)
        print(fmt::format("${{{}}} is {}{}\n", name, absolute,
                          runs->empty() ? "" : fmt::format("; runs whose data lies in it: {}", numbers(*runs))));
    return 0;
}

Result<int> remove(const Shared& shared, const std::string& name) {
    auto project = shared.openProject(Project::Mode::ReadWrite);
    if (!project)
        return project.error();
    if (const auto done = (*project)->removeDataRoot(name); !done)
        return done.error();
    const auto runs = runsInRoot(**project, name);
    if (!runs)
        return runs.error();
    if (!shared.isJson && !runs->empty())
        print(fmt::format("Their data lies in it; they cannot go on until it is set again: runs {}\n", numbers(*runs)));
    return 0;
}

struct RootsOptions {
    std::string name, folder;
};
} // namespace

void addRoots(CLI::App& project, CommandLine& line) {
    auto options = std::make_shared<RootsOptions>();
    auto* roots = project.add_subcommand(
        "roots",
        "Named folders of data (list, set, remove). A configuration or --data may say '${NAME}/below', and runs "
        "are stored that way: when data moves, set its root again and every run finds it. Without a verb: list");
    roots->require_subcommand(0, 1);
    roots->callback([&line, roots] {
        if (roots->get_subcommands().empty())
            line.action = [&line] { return list(line.shared); };
    });

    auto* listed = roots->add_subcommand("list", "Every root, its folder, whether that is there, the runs that use it");
    listed->callback([&line] { line.action = [&line] { return list(line.shared); }; });

    auto* setting = roots->add_subcommand("set", "Name a folder, or say where a named one lies now");
    setting->add_option("NAME", options->name, "Letters, digits, dots, dashes, underscores")->required();
    setting->add_option("FOLDER", options->folder, "The folder that holds the data")->required();
    setting->callback([&line, options] {
        line.action = [&line, options] { return set(line.shared, options->name, options->folder); };
    });

    auto* removed = roots->add_subcommand("remove", "Forget a name; no file is touched");
    removed->add_option("NAME", options->name, "The root's name")->required();
    removed->callback(
        [&line, options] { line.action = [&line, options] { return remove(line.shared, options->name); }; });

    for (auto* verb : roots->get_subcommands({}))
        verb->fallthrough();
    roots->fallthrough();
}

} // namespace trainyard::cli
