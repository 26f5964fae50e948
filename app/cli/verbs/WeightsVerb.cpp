// weights inspect, weights convert: files of weights, ours and others', with or without a model to compare with.
#include "app/cli/CommandLine.h"
#include "app/cli/Format.h"
#include "app/cli/Json.h"
#include "app/cli/Output.h"
#include "app/cli/OutputPlace.h"
#include "app/cli/Table.h"
#include "app/engine/WeightFiles.h"
#include "core/config/ConfigFile.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <unistd.h>

namespace trainyard::cli {

namespace {
struct WeightsOptions {
    std::string source, target, model;
    std::vector<std::string> overrides;
    bool overwrites = false;
};

Result<std::optional<RunConfig>> modelConfig(const WeightsOptions& options) {
    if (options.model.empty())
        return std::optional<RunConfig>();
    auto parsed = loadConfig(options.model);
    if (!parsed)
        return parsed.error();
    applyOverrides(*parsed, options.overrides);
    if (!parsed->isGood())
        return parsed->error();
    return std::optional<RunConfig>(parsed->config);
}

std::string shapeText(const WeightEntry& entry) {
    return fmt::format("[{}]", fmt::join(entry.shape, ", "));
}

Json renamedObject(const std::vector<std::pair<std::string, std::string>>& renamed) {
    Json all = Json::object();
    for (const auto& [ours, theirs] : renamed)
        all[ours] = theirs;
    return all;
}

Json reportObject(const WeightSummary& summary) {
    return {{"matched", summary.matched},          {"renamed", renamedObject(summary.renamed)},
            {"derived", summary.derived},          {"missing", summary.missing},
            {"started_anew", summary.startedAnew}, {"unexpected", summary.unexpected},
            {"remarks", summary.remarks}};
}

/// The parts of the report that name tensors, each under its number.
std::string reportText(const WeightSummary& summary) {
    std::string text;
    const auto list = [&](const char* title, const std::vector<std::string>& names) {
        if (!names.empty())
            text += fmt::format("{} {}\n  {}\n", names.size(), title, fmt::join(names, "\n  "));
    };
    text += fmt::format("{} matched\n", summary.matched.size());
    if (!summary.renamed.empty())
        text += fmt::format("{} renamed\n", summary.renamed.size());
    for (const auto& [ours, theirs] : summary.renamed)
        text += fmt::format("  {} is {}\n", theirs, ours);
    list("derived", summary.derived);
    list("missing, which keep their initial values", summary.missing);
    list("started anew, because they depend on the classes", summary.startedAnew);
    list("unexpected, without a place in the model", summary.unexpected);
    for (const std::string& remark : summary.remarks)
        text += remark + "\n";
    return text;
}

void printInspection(const Shared& shared, const std::string& source, const WeightSummary& summary) {
    if (shared.isJson) {
        Json json = {{"file", source},
                     {"format", summary.format},
                     {"optimiser_tensors", summary.optimiserTensors},
                     {"preserved_tensors", summary.preservedTensors},
                     {"has_configuration", summary.hasConfiguration},
                     {"tensors", Json::array()}};
        for (const WeightEntry& entry : summary.entries)
            json["tensors"].push_back(
                {{"name", entry.name}, {"type", entry.type}, {"shape", entry.shape}, {"bytes", entry.bytes}});
        if (summary.isCompared)
            json["report"] = reportObject(summary);
        return print(toLine(json) + "\n");
    }
    Table table({{"tensor"}, {"type"}, {"shape", Table::Align::Right}, {"bytes", Table::Align::Right}});
    std::int64_t bytes = 0;
    for (const WeightEntry& entry : summary.entries) {
        table.add({entry.name, entry.type, shapeText(entry), grouped(entry.bytes)});
        bytes += entry.bytes;
    }
    print(table.text());
    print(fmt::format(
        "{}: {} tensors, {} bytes{}{}.\n", summary.format, summary.entries.size(), grouped(bytes),
        summary.optimiserTensors > 0 ? fmt::format(", {} of an optimiser beside them", summary.optimiserTensors) : "",
        summary.preservedTensors > 0 ? fmt::format(", {} carried for others", summary.preservedTensors) : ""));
    if (summary.isCompared)
        print(reportText(summary));
}

Result<int> inspect(const Shared& shared, const WeightsOptions& options) {
    const auto config = modelConfig(options);
    if (!config)
        return config.error();
    const auto summary = inspectWeights(options.source, config->has_value() ? &**config : nullptr);
    if (!summary)
        return summary.error();
    printInspection(shared, options.source, *summary);
    return 0;
}

Result<int> convert(const Shared& shared, const WeightsOptions& options) {
    const auto config = modelConfig(options);
    if (!config)
        return config.error();
    std::error_code unreadable;
    if (!options.overwrites && std::filesystem::exists(options.target, unreadable))
        return Error{ErrorKind::Usage, "It is there already.", options.target,
                     "Name another file, or say --overwrite."};
    if (const auto ready = prepareFile(options.target); !ready)
        return ready.error();
    const auto summary = convertWeights(options.source, options.target, config->has_value() ? &**config : nullptr);
    if (!summary)
        return summary.error();
    if (shared.isJson) {
        Json json = {{"source", options.source},
                     {"format", summary->format},
                     {"target", options.target},
                     {"tensors", summary->written}};
        if (summary->isCompared)
            json["report"] = reportObject(*summary);
        print(toLine(json) + "\n");
        return 0;
    }
    print(fmt::format("{} tensors of {} ({}) are in {}.\n", summary->written, options.source, summary->format,
                      options.target));
    if (summary->isCompared)
        writeAll(STDERR_FILENO, reportText(*summary));
    return 0;
}

void addModelOptions(CLI::App& verb, const std::shared_ptr<WeightsOptions>& options, const std::string& why) {
    verb.add_option("--model", options->model, "A configuration or preset whose model " + why);
    verb.add_option("--set", options->overrides,
                    "key.path=value of that configuration, such as model.retinanet.classes=91")
        ->allow_extra_args(false);
}
} // namespace

void addWeights(CLI::App& app, CommandLine& line) {
    auto options = std::make_shared<WeightsOptions>();
    auto* weights = app.add_subcommand("weights", "Files of weights: PyTorch's, safetensors, Detectron's, checkpoints");
    weights->require_subcommand(0, 1); // main says which are missing

    auto* inspected = weights->add_subcommand("inspect", "What is in a file of weights; nothing in it is run");
    inspected->add_option("FILE", options->source, "A file, or https://HOST/FILE#sha256=DIGITS")->required();
    addModelOptions(*inspected, options, "the file is compared with: matched, renamed, missing, unexpected");
    inspected->callback(
        [&line, options] { line.action = [&line, options] { return inspect(line.shared, *options); }; });

    auto* converted = weights->add_subcommand("convert", "Write weights in another format");
    converted->add_option("IN", options->source, "A file, or https://HOST/FILE#sha256=DIGITS")->required();
    converted->add_option("OUT", options->target, "A file, by its ending: .pth, .pt or .safetensors")->required();
    addModelOptions(*converted, options, "gives the names: Detectron's blobs become its parameters");
    converted->add_flag("--overwrite", options->overwrites, "Replace OUT");
    converted->callback(
        [&line, options] { line.action = [&line, options] { return convert(line.shared, *options); }; });

    for (auto* verb : weights->get_subcommands({}))
        verb->fallthrough();
    weights->fallthrough();
}

} // namespace trainyard::cli
