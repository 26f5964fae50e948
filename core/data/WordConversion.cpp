#include "core/data/WordConversion.h"

#include "core/data/HiddenPlace.h"
#include "core/data/WordWriter.h"

#include <fmt/format.h>

#include <algorithm>

namespace trainyard {
namespace {

namespace fs = std::filesystem;

/// Whether `path` is `folder` or lies in it.
bool isWithin(const fs::path& path, const fs::path& folder) {
    const fs::path relative = path.lexically_relative(folder);
    return !relative.empty() && *relative.begin() != "..";
}

fs::path resolved(const fs::path& path) {
    std::error_code failed; // what cannot be resolved is compared as it is written
    const fs::path whole = fs::weakly_canonical(fs::absolute(path), failed);
    return failed ? fs::absolute(path).lexically_normal() : whole;
}

/// What must not be written to: the dataset's folder; of a file that holds all, that file; of a label file, the folder
/// where its images lie.
fs::path homeOf(const Dataset& source, const fs::path& path) {
    std::error_code ignored; // what is no folder is a file
    const bool isWhole = fs::is_directory(path, ignored) || source.format() == "tfrecord" || source.format() == "lmdb";
    return isWhole ? path : path.parent_path();
}

Result<void> checkPlaces(const Dataset& source, const fs::path& sourcePath, const fs::path& target) {
    if (sourcePath.empty())
        return {};
    const fs::path home = homeOf(source, resolved(sourcePath)), to = resolved(target);
    if (isWithin(to, home) || isWithin(home, to))
        return Error{ErrorKind::Usage, "The target lies in the dataset that is converted, or holds it.",
                     target.string(), "Choose another place; a dataset is never changed."};
    return {};
}

Result<std::int64_t> countOf(const Dataset& source, const ConversionOptions& options) {
    if (source.size() == Dataset::kEndless && options.count <= 0)
        return Error{ErrorKind::Usage, "The dataset has no end.", source.name(), "Say how many words: --count N."};
    if (source.size() == Dataset::kEndless)
        return options.count;
    return options.count > 0 ? std::min(options.count, source.size()) : source.size();
}

Result<void> writeWords(const Dataset& source, std::int64_t count, WordWriter& writer, const ConversionOptions& options,
                        Conversion& conversion) {
    for (std::int64_t i = 0; i < count; ++i) {
        if (options.cancellation.isCancelled())
            return Error{ErrorKind::Interrupted, "The conversion was stopped; nothing was written.", "", ""};
        if (options.progress)
            options.progress(i, count);
        const SampleInfo info = source.info(i);
        auto image = source.encodedImage(i);
        if (!image && options.stopsOnDamage)
            return image.error();
        if (!image) {
            conversion.problems.push_back({DataProblem::Severity::Error, info.id, image.error().what});
            continue;
        }
        WordToWrite word{info.id, std::move(*image), info.transcript, info.lexicon, {}};
        if (!info.objects.empty()) // outlines follow the word out of its photo
            if (const auto sample = source.sample(i); sample && !sample->objects.front().polygons.empty())
                word.outline = sample->objects.front().polygons.front();
        if (auto added = writer.add(word); !added)
            return added.error();
        ++conversion.written;
    }
    if (options.progress)
        options.progress(count, count);
    if (conversion.written == 0)
        return Error{ErrorKind::Data, "None of the images can be used; nothing was written.", source.name(),
                     "See what is wrong with them by data inspect."};
    return writer.finish();
}

} // namespace

Result<Conversion> convertWords(const Dataset& source, const fs::path& sourcePath, const fs::path& target,
                                const ConversionOptions& options) {
    if (source.task() != TaskKind::Recognition)
        return Error{ErrorKind::Usage, "The dataset has boxes, not words.", source.name(),
                     "Only datasets of words are converted."};
    if (!canWriteWords(options.format))
        return Error{ErrorKind::Usage, fmt::format("Words cannot be written as {}.", options.format), target.string(),
                     "Choose one of folder+labels, icdar-words, lmdb and tfrecord."};
    if (auto checked = checkPlaces(source, sourcePath, target); !checked)
        return checked.error();
    const auto count = countOf(source, options);
    if (!count)
        return count.error();
    const std::string labels = options.format == "icdar-words" ? "gt.txt" : options.labels;
    const auto ours = !isWrittenAsFolder(options.format) ? std::vector<std::string>{}
                      : options.format == "lmdb"         ? std::vector<std::string>{"data.mdb", "lock.mdb"}
                                                         : std::vector<std::string>{"images", labels};
    auto place = HiddenPlace::make(target, isWrittenAsFolder(options.format), options.overwrites, ours);
    if (!place)
        return place.error();
    Conversion conversion;
    {
        auto writer = makeWordWriter(options.format, place->path(), labels);
        if (!writer)
            return writer.error();
        if (auto written = writeWords(source, *count, **writer, options, conversion); !written)
            return written.error();
    } // the writer has closed its files
    if (auto shown = place->show(); !shown)
        return shown.error();
    return conversion;
}

} // namespace trainyard
