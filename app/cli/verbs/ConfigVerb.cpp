#include "app/cli/CommandLine.h"
#include "app/cli/Json.h"
#include "app/cli/Output.h"
#include "app/cli/Table.h"
#include "app/cli/verbs/ImportVerb.h"
#include "core/config/ConfigFile.h"
#include "core/config/Describe.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

namespace trainyard::cli {

namespace {
Result<int> describe(const Shared& shared, const std::string& filter) {
    if (shared.isJson) {
        const Json all = Json::parse(describeJson(filter));
        for (const Json& field : all)
            print(toLine(field) + "\n");
        if (!all.empty())
            return 0;
    } else if (const std::string text = describeText(filter); !text.empty()) {
        print(text);
        return 0;
    }
    const std::string nearest = Schema::instance().nearest(filter);
    return Error{ErrorKind::Usage, "No key fits.", filter,
                 nearest.empty() ? "List them all: trainyard config describe." : "Did you mean " + nearest + "?"};
}

Result<ParsedConfig> load(const std::string& name, const std::vector<std::string>& overrides) {
    auto parsed = loadConfig(name);
    if (!parsed)
        return parsed.error();
    applyOverrides(*parsed, overrides);
    return parsed;
}

Result<int> validateFile(const Shared& shared, const std::string& name, const std::vector<std::string>& overrides) {
    const auto parsed = load(name, overrides);
    if (!parsed)
        return parsed.error();
    if (shared.isJson)
        for (const ConfigProblem& problem : parsed->problems)
            print(toLine({{"file", problem.file},
                          {"line", problem.line},
                          {"column", problem.column},
                          {"key", problem.key},
                          {"message", problem.message}}) +
                  "\n");
    if (!parsed->isGood())
        return parsed->error();
    if (!shared.isJson)
        print(fmt::format("{} is valid: {}, {} iterations.\n", name, parsed->config.model.type,
                          parsed->config.solve.iterations));
    return 0;
}

/// A file, a preset, or a run of the project as `run:REFERENCE`.
Result<RunConfig> configOf(const Shared& shared, const std::string& name) {
    if (name.starts_with("run:")) {
        auto project = shared.openProject(Project::Mode::ReadOnly);
        if (!project)
            return project.error();
        const auto run = (*project)->findRun(name.substr(4));
        if (!run)
            return run.error();
        const auto provenance = (*project)->provenance(run->id);
        if (!provenance)
            return provenance.error();
        return parseConfig(provenance->config, run->folder).config;
    }
    const auto parsed = loadConfig(name);
    if (!parsed)
        return parsed.error();
    if (!parsed->isGood())
        return parsed->error();
    return parsed->config;
}

Result<int> diff(const Shared& shared, const std::string& before, const std::string& after) {
    const auto first = configOf(shared, before);
    if (!first)
        return first.error();
    const auto second = configOf(shared, after);
    if (!second)
        return second.error();
    const auto all = differences(*first, *second);
    Table table({{"key"}, {before, Table::Align::Right}, {after, Table::Align::Right}});
    for (const ConfigDifference& difference : all) {
        if (shared.isJson)
            print(toLine({{"key", difference.field->key}, {"before", difference.before}, {"after", difference.after}}) +
                  "\n");
        table.add({difference.field->key, difference.before, difference.after});
    }
    if (!shared.isJson)
        print(all.empty() ? "The configurations are the same.\n" : table.text());
    return 0;
}

Result<int> show(const Shared& shared, const std::string& name, const std::vector<std::string>& overrides,
                 bool isWhole) {
    const auto parsed = load(name, overrides);
    if (!parsed)
        return parsed.error();
    if (!parsed->isGood())
        return parsed->error();
    if (shared.isJson) {
        for (const Field& field : Schema::instance().fields())
            if (isWhole || field.read(parsed->config) != field.defaultValue)
                print(toLine({{"key", field.key}, {"value", toText(field.read(parsed->config))}}) + "\n");
        return 0;
    }
    print(toYaml(parsed->config, !isWhole));
    return 0;
}

Result<int> listPresets(const Shared& shared) {
    Table table({{"preset"}, {"what it trains"}});
    for (const Preset& preset : presets()) {
        if (shared.isJson)
            print(toLine({{"preset", preset.name}, {"summary", preset.summary}, {"path", preset.path.string()}}) +
                  "\n");
        table.add({preset.name, preset.summary});
    }
    if (!shared.isJson)
        print(table.text());
    return 0;
}

/// What the sub-verbs of `config` were given.
struct ConfigOptions {
    std::string first, second;
    std::vector<std::string> overrides;
    bool isWhole = false;
};
} // namespace

void addConfig(CLI::App& app, CommandLine& line) {
    auto options = std::make_shared<ConfigOptions>();
    auto* config =
        app.add_subcommand("config", "The schema and configuration files: describe, validate, diff, show, presets, import");
    config->require_subcommand(0, 1); // main says which are missing

    auto* described = config->add_subcommand("describe", "Every key with type, default, range and help");
    described->add_option("KEY", options->first, "Only what has this in its key or help");
    described->callback(
        [&line, options] { line.action = [&line, options] { return describe(line.shared, options->first); }; });

    auto* validated = config->add_subcommand("validate", "Everything that is wrong with a configuration");
    validated->add_option("CONFIG", options->first, "A YAML file, or a preset's name")->required();
    validated->add_option("OVERRIDE", options->overrides, "key.path=value");
    validated->callback([&line, options] {
        line.action = [&line, options] { return validateFile(line.shared, options->first, options->overrides); };
    });

    auto* differing = config->add_subcommand("diff", "What differs between two configurations");
    differing->add_option("FIRST", options->first, "A YAML file, a preset's name, or run:NUMBER")->required();
    differing->add_option("SECOND", options->second, "The same")->required();
    differing->callback([&line, options] {
        line.action = [&line, options] { return diff(line.shared, options->first, options->second); };
    });

    auto* shown = config->add_subcommand("show", "A configuration as YAML: what differs from the defaults");
    shown->add_option("CONFIG", options->first, "A YAML file, or a preset's name")->required();
    shown->add_option("OVERRIDE", options->overrides, "key.path=value");
    shown->add_flag("--all", options->isWhole, "Every key");
    shown->callback([&line, options] {
        line.action = [&line, options] {
            return show(line.shared, options->first, options->overrides, options->isWhole);
        };
    });

    auto* listed = config->add_subcommand("presets", "The configurations that come with the program");
    listed->callback([&line] { line.action = [&line] { return listPresets(line.shared); }; });

    addImport(*config, line);

    for (auto* verb : config->get_subcommands({}))
        verb->fallthrough();
    config->fallthrough();
}

} // namespace trainyard::cli
