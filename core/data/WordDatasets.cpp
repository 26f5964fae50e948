#include "core/base/AtomicFile.h"
#include "core/base/Text.h"
#include "core/data/Formats.h"
#include "core/data/ImageFinder.h"
#include "core/data/LabelFile.h"
#include "core/data/ListedDataset.h"
#include "core/data/WordIntake.h"
#include "core/data/WordOutlines.h"

#include <fmt/format.h>

#include <algorithm>
#include <unordered_map>

namespace trainyard {
namespace {

namespace fs = std::filesystem;

/// Label and image of one sample; an empty path is an image that is nowhere.
struct Pairing {
    std::string id, path, transcript;
    std::vector<Point> outline;
    std::vector<std::string> lexicon = {};
};

/// Lets the pairings in, one by one.
Result<void> take(const std::vector<Pairing>& pairings, const std::string& file, const DatasetContext& context,
                  DatasetListing& listing) {
    WordIntake intake(context, listing, file);
    for (std::size_t i = 0; i < pairings.size(); ++i) {
        if (context.progress && i % 4096 == 0)
            context.progress(std::int64_t(i), std::int64_t(pairings.size()));
        const Pairing& pairing = pairings[i];
        if (pairing.path.empty()) {
            intake.addMissing(pairing.id);
            continue;
        }
        ListedSample sample;
        sample.path = pairing.path;
        sample.info.id = pairing.id;
        sample.outline = pairing.outline;
        sample.info.lexicon = pairing.lexicon;
        if (auto added = intake.add(std::move(sample), pairing.transcript); !added)
            return added.error();
    }
    return intake.finish();
}

Result<DatasetListing> listLabels(const std::string& format, const fs::path& file, const LabelFile& labels,
                                  const ImageFinder& finder, const DatasetConfig& entry,
                                  const DatasetContext& context) {
    DatasetListing listing = startListing(format, TaskKind::Recognition, entry.path, context);
    for (const std::string& problem : labels.problems)
        listing.problems.push_back({DataProblem::Severity::Warning, file.filename().string(), problem});
    std::vector<Pairing> pairings;
    std::unordered_map<std::string, int> words; // of each photo
    for (const Label& label : labels.labels) {
        const auto path = finder.find(label.image);
        const std::string word = label.outline.empty() ? "" : fmt::format("#{}", ++words[label.image]);
        pairings.push_back({label.image + word, path ? path->string() : "", label.transcript,
                            withMargin(label.outline, entry.margin), label.lexicon});
    }
    if (auto taken = take(pairings, file.string(), context, listing); !taken)
        return taken.error();
    return listing;
}

/// Images with a text file of the same name beside them, in `folder` and below.
Result<std::vector<Pairing>> textPairs(const fs::path& folder) {
    std::vector<fs::path> images;
    std::error_code failed;
    for (fs::recursive_directory_iterator at(folder, fs::directory_options::skip_permission_denied, failed), end;
         !failed && at != end; at.increment(failed))
        if (hasImageExtension(at->path()) && at->is_regular_file(failed))
            images.push_back(at->path());
    std::sort(images.begin(), images.end());
    std::vector<Pairing> pairings;
    for (const fs::path& image : images) {
        const auto text = readTextFile(fs::path(image).replace_extension(".txt"), ErrorKind::Data);
        if (!text)
            continue; // an image without a text is no pair
        const auto lines = text::lines(*text);
        pairings.push_back({image.lexically_relative(folder).string(),
                            image.string(),
                            lines.empty() ? "" : std::string(lines.front()),
                            {}});
    }
    if (pairings.empty())
        return Error{ErrorKind::Data, "The folder has neither a label file nor images with a .txt beside them.",
                     folder.string(), "Write a labels.txt: an image and its text a line."};
    return pairings;
}

fs::path labelFileOf(const DatasetConfig& entry) {
    const fs::path given = entry.path;
    std::error_code ignored; // what is no folder is read as a file, and fails there
    if (!fs::is_directory(given, ignored))
        return given;
    if (!entry.annotations.empty())
        return given / entry.annotations;
    return findLabelFile(given).value_or(fs::path());
}

} // namespace

Result<DatasetListing> listFolderLabels(const DatasetConfig& entry, const DatasetContext& context) {
    const fs::path file = labelFileOf(entry);
    if (file.empty()) {
        const auto pairings = textPairs(entry.path);
        if (!pairings)
            return pairings.error();
        DatasetListing listing = startListing("folder+labels", TaskKind::Recognition, entry.path, context);
        if (auto taken = take(*pairings, entry.path, context, listing); !taken)
            return taken.error();
        return listing;
    }
    const ImageFinder finder(ImageFinder::usualFolders(fs::absolute(file).parent_path()));
    const auto labels = readLabelFile(file, [&](const std::string& name) { return finder.find(name).has_value(); });
    if (!labels)
        return labels.error();
    if (labels->labels.empty())
        return Error{ErrorKind::Data, "The label file has no labels.", file.string(),
                     "Write an image and its text a line."};
    return listLabels("folder+labels", file, *labels, finder, entry, context);
}

Result<DatasetListing> listIcdarWords(const DatasetConfig& entry, const DatasetContext& context) {
    const fs::path file = labelFileOf(entry);
    const auto text = readTextFile(file.empty() ? fs::path(entry.path) / "gt.txt" : file, ErrorKind::Data);
    if (!text)
        return text.error();
    const LabelFile labels = readIcdarWords(*text);
    if (labels.labels.empty())
        return Error{ErrorKind::Data, "The label file has no labels.", file.string(),
                     "ICDAR's word labels are lines like: word_1.png, \"TEXT\"."};
    const ImageFinder finder(ImageFinder::usualFolders(fs::absolute(file).parent_path()));
    return listLabels("icdar-words", file, labels, finder, entry, context);
}

} // namespace trainyard
