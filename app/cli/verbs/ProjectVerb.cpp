#include "app/cli/CommandLine.h"
#include "app/cli/Json.h"
#include "app/cli/Output.h"
#include "app/cli/verbs/RootsVerb.h"

#include <CLI/CLI.hpp>

namespace trainyard::cli {

namespace {
void printFindings(const Shared& shared, const std::vector<std::string>& findings) {
    for (const std::string& finding : findings)
        print(shared.isJson ? toLine({{"finding", finding}}) + "\n" : finding + "\n");
}

Result<int> check(const Shared& shared) {
    const auto findings = checkProject(shared.projectFolder());
    if (!findings)
        return findings.error();
    printFindings(shared, *findings);
    if (!findings->empty())
        return exitCode(ErrorKind::Damaged);
    if (!shared.isJson)
        print("The project and its run folders agree.\n");
    return 0;
}

Result<int> rebuild(const Shared& shared) {
    const auto findings = rebuildProject(shared.projectFolder());
    if (!findings)
        return findings.error();
    printFindings(shared, *findings);
    return 0;
}
} // namespace

void addProject(CLI::App& app, CommandLine& line) {
    auto* project =
        app.add_subcommand("project", "The project as a whole: check, rebuild, roots (named folders of data)");
    project->require_subcommand(0, 1); // main says which are missing
    auto* checked =
        project->add_subcommand("check", "Tell what is damaged or missing in the project and its runs; changes "
                                         "nothing; exit code 5 when there is anything");
    checked->callback([&line] { line.action = [&line] { return check(line.shared); }; });
    auto* rebuilt = project->add_subcommand(
        "rebuild", "Make the index, project.sqlite, anew from the run folders, and save what can be read "
                   "of damaged files; those are kept aside");
    rebuilt->callback([&line] { line.action = [&line] { return rebuild(line.shared); }; });
    addRoots(*project, line);
    for (auto* verb : project->get_subcommands({}))
        verb->fallthrough();
    project->fallthrough();
}

} // namespace trainyard::cli
