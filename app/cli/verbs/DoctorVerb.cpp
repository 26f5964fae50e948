#include "app/cli/CommandLine.h"
#include "app/cli/Json.h"
#include "app/cli/Output.h"
#include "app/cli/Table.h"
#include "app/engine/Machine.h"

#include <CLI/CLI.hpp>

namespace trainyard::cli {

namespace {
Result<int> doctor(const Shared& shared) {
    Table table({{"what"}, {"here"}, {"why"}});
    for (const MachineFact& fact : machineFacts()) {
        if (shared.isJson)
            print(toLine({{"name", fact.name}, {"value", fact.value}, {"why", fact.why}}) + "\n");
        table.add({fact.name, fact.value, fact.why});
    }
    if (!shared.isJson)
        print(table.text());
    return 0;
}
} // namespace

void addDoctor(CLI::App& app, CommandLine& line) {
    auto* verb =
        app.add_subcommand("doctor", "Devices, libraries, threads and precision that training will use, and why");
    verb->fallthrough();
    verb->callback([&line] { line.action = [&line] { return doctor(line.shared); }; });
}

} // namespace trainyard::cli
