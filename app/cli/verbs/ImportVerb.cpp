// config import: configurations of the Detectron and ASTER trainers.
#include "app/cli/verbs/ImportVerb.h"

#include "app/cli/Json.h"
#include "app/cli/Output.h"
#include "app/cli/OutputPlace.h"
#include "core/base/AtomicFile.h"
#include "core/config/imports/ConfigImport.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <unistd.h>

namespace trainyard::cli {

namespace {
struct ImportOptions {
    std::string file, output, source;
    std::vector<std::string> pairs;
    bool overwrites = false;
};

/// ASTER keeps a folder for each experiment, with its configuration at a fixed place.
std::filesystem::path fileOf(const std::string& argument) {
    std::error_code unreadable;
    const std::filesystem::path inside = std::filesystem::path(argument) / "config" / "trainval.prototxt";
    return std::filesystem::is_directory(argument, unreadable) ? inside : std::filesystem::path(argument);
}

const char* kindName(ImportNote::Kind kind) {
    switch (kind) {
    case ImportNote::Kind::NoCounterpart:
        return "no_counterpart";
    case ImportNote::Kind::Deprecated:
        return "deprecated";
    case ImportNote::Kind::Adapted:
        return "adapted";
    }
    return "";
}

Json noteObject(const ImportNote& note) {
    return {{"kind", kindName(note.kind)},
            {"where", note.where},
            {"key", note.key},
            {"value", note.value},
            {"text", note.text}};
}

Result<ImportedConfig> read(const ImportOptions& options, const std::filesystem::path& file) {
    const auto text = readFile(file, ErrorKind::Usage);
    if (!text)
        return text.error();
    const bool isAster = options.source == "aster" ||
                         (options.source.empty() && importSourceOf(file.string(), *text) == ImportSource::Aster);
    if (!isAster)
        return importDetectron(*text, file.string(), options.pairs);
    if (!options.pairs.empty())
        return Error{ErrorKind::Usage, "Only a configuration of Detectron takes KEY VALUE pairs.",
                     options.pairs.front(), "Change the YAML that comes out."};
    return importAster(*text, file.string());
}

Result<int> importFile(const Shared& shared, const ImportOptions& options) {
    const std::filesystem::path file = fileOf(options.file);
    const auto imported = read(options, file);
    if (!imported)
        return imported.error();
    const std::string yaml = imported->yaml(file.filename().string());
    if (!options.output.empty()) {
        std::error_code unreadable;
        if (!options.overwrites && std::filesystem::exists(options.output, unreadable))
            return Error{ErrorKind::Usage, "It is there already.", options.output,
                         "Name another file, or say --overwrite."};
        if (const auto ready = prepareFile(options.output); !ready)
            return ready.error();
        if (const auto written = writeFile(options.output, yaml); !written)
            return written.error();
    }
    if (shared.isJson) {
        Json json = {{"file", file.string()},
                     {"source", imported->source},
                     {"model", imported->config.model.type},
                     {"output", options.output},
                     {"notes", Json::array()}};
        if (options.output.empty())
            json["yaml"] = yaml;
        for (const ImportNote& note : imported->notes)
            json["notes"].push_back(noteObject(note));
        print(toLine(json) + "\n");
        return 0;
    }
    if (options.output.empty()) {
        print(yaml); // the notes are its first comments
        return 0;
    }
    print(fmt::format("{} ({}) is in {}, a {}.\n", options.file, imported->source, options.output,
                      imported->config.model.type));
    for (const ImportNote& note : imported->notes)
        writeAll(STDERR_FILENO, fmt::format("{}{}{}\n", note.where, note.where.empty() ? "" : ": ", note.sentence()));
    return 0;
}
} // namespace

void addImport(CLI::App& config, CommandLine& line) {
    auto options = std::make_shared<ImportOptions>();
    auto* verb =
        config.add_subcommand("import", "A Detectron or ASTER configuration as one of ours, and what of it has "
                                        "no counterpart");
    verb->add_option("FILE", options->file,
                     "Detectron's YAML, ASTER's protobuf text, or ASTER's folder of an experiment")
        ->required();
    verb->add_option("PAIR", options->pairs, "Of Detectron: KEY VALUE KEY VALUE …, as its command line takes them");
    verb->add_option("--output", options->output, "The YAML file to write; without it, it goes to standard output");
    verb->add_option("--from", options->source, "detectron or aster, where the file does not say it by its ending")
        ->check(CLI::IsMember({"detectron", "aster"}));
    verb->add_flag("--overwrite", options->overwrites, "Replace the output file");
    verb->callback([&line, options] { line.action = [&line, options] { return importFile(line.shared, *options); }; });
}

} // namespace trainyard::cli
