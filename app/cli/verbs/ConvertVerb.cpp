// data convert: words from one format into another.
#include "app/cli/verbs/ConvertVerb.h"
#include "app/cli/ConfigArgument.h"
#include "app/cli/DatasetArgument.h"
#include "app/cli/Format.h"
#include "app/cli/Json.h"
#include "app/cli/Output.h"
#include "app/cli/StopSignal.h"
#include "core/config/ConfigFile.h"
#include "core/data/Formats.h"
#include "core/data/WordConversion.h"

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include <unistd.h>

namespace trainyard::cli {

namespace {
struct ConvertOptions {
    std::string source, target, config, matching;
    double margin = 0;
    std::vector<std::string> overrides;
    std::string labels = "labels.tsv";
    std::int64_t count = 0;
    bool overwrites = false;
};

/// The format that a target's name asks for, where none is said.
std::string formatByName(const std::string& path) {
    const std::string extension = std::filesystem::path(path).extension().string();
    if (extension == ".lmdb")
        return "lmdb";
    return extension == ".tfrecord" || extension == ".tfrecords" || extension == ".record" ? "tfrecord"
                                                                                           : "folder+labels";
}

bool hasBoxes(const DatasetConfig& entry) {
    const auto found = entry.format == "auto" ? findFormat(entry.path) : Result<std::string>(entry.format);
    return found && std::any_of(formats().begin(), formats().end(), [&](const Format& format) {
               return format.name == *found && format.task == TaskKind::Detection;
           });
}

Result<RunConfig> configOf(const ConvertOptions& options) {
    auto given = configArgument(options.config, options.overrides);
    if (!given)
        return given.error();
    RunConfig config = std::move(*given);
    if (taskOf(config.model) != TaskKind::Recognition)
        config.model.type = "crnn";
    config.model.crnn.channels = 3; // what is cut out or drawn keeps its colours
    return config;
}

std::string leftOut(const std::vector<DataProblem>& problems) {
    constexpr std::size_t kShown = 20;
    std::string text;
    for (std::size_t i = 0; i < std::min(kShown, problems.size()); ++i)
        text +=
            fmt::format("{}{}{}\n", problems[i].sample, problems[i].sample.empty() ? "" : ": ", problems[i].message);
    if (problems.size() > kShown)
        text += fmt::format("… and {} more\n", problems.size() - kShown);
    return text;
}

void report(const Shared& shared, const Dataset& source, const DatasetConfig& target, const Conversion& conversion) {
    std::vector<DataProblem> problems = source.problems();
    problems.insert(problems.end(), conversion.problems.begin(), conversion.problems.end());
    if (!shared.isJson) {
        print(fmt::format("{} words of {} ({}) are in {} ({}).\n", grouped(conversion.written), source.name(),
                          source.format(), target.path, target.format));
        writeAll(STDERR_FILENO, leftOut(problems));
        return;
    }
    Json json = {{"source", source.name()}, {"source_format", source.format()}, {"target", target.path},
                 {"format", target.format}, {"words", conversion.written},      {"problems", Json::array()}};
    for (const DataProblem& problem : problems)
        json["problems"].push_back({{"sample", problem.sample}, {"message", problem.message}});
    print(toLine(json) + "\n");
}

Result<int> convert(const Shared& shared, const ConvertOptions& options) {
    const auto config = configOf(options);
    if (!config)
        return config.error();
    auto entry = datasetArgument(shared, options.source);
    if (!entry)
        return entry.error();
    entry->margin = options.margin;
    entry->matching = options.matching;
    DatasetConfig target = parseDatasetArgument(options.target);
    if (target.format == "auto")
        target.format = formatByName(target.path);
    if (hasBoxes(*entry))
        return Error{ErrorKind::Usage, "The dataset has boxes; only datasets of words are converted.", entry->path,
                     "Name one of words."};
    const auto source = openDataset(*entry, {*config, TaskKind::Recognition, true, {}, true});
    if (!source)
        return source.error();
    ConversionOptions how;
    how.format = target.format;
    how.labels = options.labels;
    how.overwrites = options.overwrites;
    how.stopsOnDamage = config->data.onDamaged == "stop";
    how.count = options.count;
    if (::isatty(STDERR_FILENO) == 1)
        how.progress = [](std::int64_t done, std::int64_t total) {
            if (done == total || done % 100 == 0)
                writeAll(STDERR_FILENO, fmt::format("\r\033[K{} / {}{}", grouped(done), grouped(total),
                                                    done == total ? "\r\033[K" : ""));
        };
    const StopSignal stop([token = how.cancellation] { token.cancel(); });
    const auto conversion = convertWords(**source, entry->path, target.path, how);
    if (!conversion)
        return conversion.error();
    report(shared, **source, target, *conversion);
    return 0;
}
} // namespace

void addConvert(CLI::App& data, CommandLine& line) {
    auto options = std::make_shared<ConvertOptions>();
    auto* verb = data.add_subcommand("convert", "Write a dataset of words in another format; images stay as they are");
    verb->add_option("SOURCE", options->source, "PATH, FORMAT:PATH, PATH#PART or rendered-words")->required();
    verb->add_option("TARGET", options->target,
                     "FORMAT:PATH, or PATH by its ending: .lmdb, .tfrecord, else folder+labels; also icdar-words:PATH")
        ->required();
    verb->add_option(
            "--labels", options->labels,
            "Label file of folder+labels, written as its extension says: .tsv, .txt, .csv, .jsonl, .json (MMOCR)")
        ->capture_default_str();
    verb->add_option("--count", options->count, "At most so many words; rendered words need it")
        ->check(CLI::PositiveNumber);
    verb->add_option("--margin", options->margin,
                     "Words cut out of photos: room around each, as a share of its height (SVT 0.05, ICDAR 2003 0.2, "
                     "ICDAR 2013 0.15)")
        ->check(CLI::Range(0.0, 10.0));
    verb->add_option("--matching", options->matching,
                     "Only words that this regular expression matches as a whole, such as \\w+");
    verb->add_flag("--overwrite", options->overwrites, "Replace a dataset of the same format at TARGET");
    verb->add_option("--config", options->config, "Read the source as this configuration or preset would");
    verb->add_option("--set", options->overrides, "key.path=value of that configuration")->allow_extra_args(false);
    verb->callback([&line, options] { line.action = [&line, options] { return convert(line.shared, *options); }; });
}

} // namespace trainyard::cli
