#include "app/engine/RunData.h"

#include "app/engine/ClassView.h"
#include "app/engine/ProposalFiles.h"
#include "core/base/Text.h"
#include "core/config/WordInput.h"
#include "core/data/Split.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>

namespace trainyard {

namespace {
/// Leaves a dataset's opening half-way; caught below and nowhere else.
struct Cancelled {};

using Datasets = std::vector<std::shared_ptr<const Dataset>>;

Error interrupted() {
    return {ErrorKind::Interrupted, "Stopped while the data was being read.", "", ""};
}

std::string labelOf(const DatasetConfig& entry) {
    return entry.format == "rendered-words" ? "rendered words" : std::filesystem::path(entry.path).filename().string();
}

/// A dataset with the proposals that the entry names.
Result<std::shared_ptr<const Dataset>> withProposals(std::shared_ptr<const Dataset> dataset, const DatasetConfig& entry,
                                                     const DatasetContext& context) {
    if (entry.proposals.empty())
        return dataset;
    const auto proposals = readProposalFile(entry.proposals);
    if (!proposals)
        return proposals.error();
    return DatasetWithProposals::make(std::move(dataset), *proposals, entry.proposals, context);
}

Result<Datasets> openAll(const std::vector<DatasetConfig>& entries, const RunConfig& config, bool isForTraining,
                         const DataProgress& progress, const std::function<bool()>& isCancelled) {
    Datasets opened;
    for (const DatasetConfig& entry : entries) {
        const std::string text = fmt::format("Scanning {}", labelOf(entry));
        const auto report = [&](std::int64_t done, std::int64_t total) {
            if (isCancelled && isCancelled())
                throw Cancelled{};
            if (progress)
                progress(text, done, total);
        };
        try {
            report(0, 0);
            const DatasetContext context{config, taskOf(config.model), isForTraining, report};
            auto dataset = openDataset(entry, context);
            if (!dataset)
                return dataset.error();
            auto ready = withProposals(std::move(*dataset), entry, context);
            if (!ready)
                return ready.error();
            if ((*ready)->size() == 0)
                return Error{ErrorKind::Data, "There are no samples in it.", entry.path,
                             "Check the path and its part."};
            opened.push_back(std::move(*ready));
        } catch (const Cancelled&) {
            return interrupted();
        }
    }
    return opened;
}

/// The classes of all training sets, the first set's first.
std::vector<std::string> allClasses(const Datasets& datasets) {
    std::vector<std::string> classes;
    for (const auto& dataset : datasets)
        for (const std::string& name : dataset->classes())
            if (std::find(classes.begin(), classes.end(), name) == classes.end())
                classes.push_back(name);
    return classes;
}

Result<void> alignClasses(Datasets& datasets, const std::vector<std::string>& classes) {
    for (auto& dataset : datasets) {
        auto aligned = ClassView::make(dataset, classes);
        if (!aligned)
            return aligned.error();
        dataset = std::move(*aligned);
    }
    return {};
}

/// A detector cannot learn where no image of any training set has an object: ids that do not match, most often.
Result<void> needObjects(const Datasets& datasets, const std::vector<DatasetConfig>& entries) {
    const auto isObject = [](const ObjectAnnotation& object) { return !object.isCrowd; };
    std::int64_t images = 0;
    for (const auto& dataset : datasets)
        for (std::int64_t i = 0; i < dataset->size(); ++i, ++images) {
            const auto objects = dataset->info(i).objects;
            if (std::any_of(objects.begin(), objects.end(), isObject))
                return {};
        }
    return Error{ErrorKind::Data,
                 fmt::format("None of the training images has an object to learn ({} images).", images),
                 entries.front().path, "See what is wrong with it: trainyard data inspect " + entries.front().path};
}

/// Those of all sets, each once.
std::string newCharactersOf(const Datasets& datasets) {
    std::u32string all;
    for (const auto& dataset : datasets)
        for (const char32_t character : text::repaired(dataset->newCharacters()))
            if (all.find(character) == std::u32string::npos)
                all += character;
    return text::encode(all);
}

/// Sets validation samples aside: those of the stored split where there is one.
Result<void> splitOff(RunData& data, const SplitConfig& config, const StoredSplit& stored) {
    for (std::size_t i = 0; i < data.train.size(); ++i) {
        auto& dataset = data.train[i];
        data.split.emplace_back();
        if (dataset->size() == Dataset::kEndless)
            continue;
        Result<DatasetSplit> parts =
            i < stored.size() && !stored[i].empty() ? splitByIds(dataset, stored[i]) : splitDataset(dataset, config);
        if (!parts)
            return parts.error();
        data.split.back() = std::move(parts->validationIds);
        data.validation.push_back(std::move(parts->validation));
        dataset = std::move(parts->train);
    }
    return {};
}
} // namespace

Result<RunData> openRunData(const RunConfig& config, const DataProgress& progress,
                            const std::function<bool()>& isCancelled, const StoredSplit& stored) {
    RunData data;
    auto train = openAll(config.data.train, config, true, progress, isCancelled);
    if (!train)
        return train.error();
    data.train = std::move(*train);
    data.newCharacters = newCharactersOf(data.train);
    RunConfig extended = config; // validation words may have them too
    addCharacters(extended.model, data.newCharacters);
    auto validation = openAll(config.data.validation, extended, false, progress, isCancelled);
    if (!validation)
        return validation.error();
    data.validation = std::move(*validation);
    if (taskOf(config.model) == TaskKind::Detection) {
        data.classes = allClasses(data.train);
        for (Datasets* datasets : {&data.train, &data.validation})
            if (const auto aligned = alignClasses(*datasets, data.classes); !aligned)
                return aligned.error();
        if (const auto found = needObjects(data.train, config.data.train); !found)
            return found.error();
    }
    if (config.data.validation.empty() && config.data.split.validationShare > 0)
        if (const auto split = splitOff(data, config.data.split, stored); !split)
            return split.error();
    return data;
}

DataRecord recordOf(const RunData& data) {
    DataRecord record;
    for (const auto& dataset : data.train)
        record.add("train", *dataset);
    for (const auto& dataset : data.validation)
        record.add("validation", *dataset);
    record.split = data.split;
    record.finish();
    return record;
}

namespace {
std::string namesOf(const Datasets& datasets) {
    std::string names;
    for (const auto& dataset : datasets) {
        const std::string size =
            dataset->size() == Dataset::kEndless ? "endless" : fmt::format("{} samples", dataset->size());
        names += fmt::format("{}{} ({}, {})", names.empty() ? "" : " + ", dataset->name(), dataset->format(), size);
    }
    return names;
}
} // namespace

std::string foundText(const RunData& data) {
    std::string text = "Trains on " + namesOf(data.train);
    text += data.validation.empty() ? "; nothing to validate on." : "; validates on " + namesOf(data.validation) + ".";
    if (!data.classes.empty())
        text += fmt::format(" Classes: {}.", fmt::join(data.classes, ", "));
    return text;
}

std::vector<std::string> summarisedProblems(const RunData& data) {
    constexpr std::size_t kNamed = 3;
    std::vector<std::string> sentences;
    for (const auto* datasets : {&data.train, &data.validation})
        for (const auto& dataset : *datasets) {
            std::size_t count = 0;
            for (const DataProblem& problem : dataset->problems())
                if (problem.severity != DataProblem::Severity::Note && ++count <= kNamed)
                    sentences.push_back(problem.sample.empty() ? fmt::format("{}: {}", dataset->name(), problem.message)
                                                               : fmt::format("{}: {}: {}", dataset->name(),
                                                                             problem.sample, problem.message));
            if (count > kNamed)
                sentences.push_back(
                    fmt::format("{}: {} more problems; see trainyard data inspect.", dataset->name(), count - kNamed));
        }
    return sentences;
}

Result<std::shared_ptr<const Dataset>> openForEvaluation(const DatasetConfig& entry, const RunConfig& config,
                                                         const std::vector<std::string>& classes,
                                                         const DataProgress& progress) {
    auto opened = openAll({entry}, config, false, progress, {});
    if (!opened)
        return opened.error();
    if (taskOf(config.model) == TaskKind::Detection)
        if (const auto aligned = alignClasses(*opened, classes); !aligned)
            return aligned.error();
    return opened->front();
}

Result<std::vector<std::shared_ptr<const Dataset>>>
openSplitForEvaluation(const RunConfig& config, const std::vector<std::string>& classes, const StoredSplit& stored) {
    RunData data;
    auto train = openAll(config.data.train, config, true, {}, {});
    if (!train)
        return train.error();
    data.train = std::move(*train);
    if (taskOf(config.model) == TaskKind::Detection)
        if (const auto aligned = alignClasses(data.train, classes); !aligned)
            return aligned.error();
    if (const auto split = splitOff(data, config.data.split, stored); !split)
        return split.error();
    return data.validation;
}

} // namespace trainyard
