#include "core/data/ImageFinder.h"
#include "core/data/ListedDataset.h"
#include "core/data/WordIntake.h"
#include "core/data/WordOutlines.h"

#include <fmt/format.h>

#include <set>

namespace trainyard {
namespace {

namespace fs = std::filesystem;

/// The photo's name without extension: gt_img_1.txt and img_1.txt are both of img_1.
std::string photoOf(const fs::path& labels) {
    const std::string stem = labels.stem().string();
    return stem.starts_with("gt_") ? stem.substr(3) : stem;
}

/// Parts whose photos have the same names cannot be told apart.
Result<void> checkNames(const std::vector<fs::path>& files) {
    std::set<std::string> names;
    for (const fs::path& file : files)
        if (!names.insert(photoOf(file)).second)
            return Error{
                ErrorKind::Data,
                fmt::format("Two label files are of a photo named {}; several parts lie in one folder.", photoOf(file)),
                file.string(), "Give each part a folder of its own."};
    return {};
}

} // namespace

Result<DatasetListing> listIcdarPhotos(const DatasetConfig& entry, const DatasetContext& context) {
    DatasetListing listing = startListing("icdar-photos", TaskKind::Recognition, entry.path, context);
    const auto files = outlineFiles(entry.path);
    if (files.empty())
        return Error{ErrorKind::Data, "The folder has no label files of photos.", entry.path,
                     "Each photo NAME has a gt_NAME.txt with lines like: x1,y1,x2,y2,x3,y3,x4,y4,TEXT."};
    if (auto checked = checkNames(files); !checked)
        return checked.error();
    std::vector<OutlinedWords> photos;
    for (const fs::path& file : files) {
        const auto text = readTextFile(file, ErrorKind::Data);
        if (!text)
            return text.error();
        photos.push_back(readOutlines(*text));
    }
    dropScripts(photos);
    const ImageFinder finder(ImageFinder::usualFolders(fs::absolute(entry.path)));
    WordIntake intake(context, listing, entry.path);
    for (std::size_t i = 0; i < files.size(); ++i) {
        if (context.progress)
            context.progress(std::int64_t(i), std::int64_t(files.size()));
        for (const std::string& problem : photos[i].problems)
            intake.note(files[i].filename().string(), problem);
        const auto photo = finder.findStem(photoOf(files[i]));
        if (!photo) {
            intake.addMissing(photoOf(files[i]), "The photo is missing.");
            continue;
        }
        for (std::size_t word = 0; word < photos[i].words.size(); ++word) {
            ListedSample sample;
            sample.info.id = fmt::format("{}#{}", photo->filename().string(), word + 1);
            sample.path = photo->string();
            sample.outline = withMargin(photos[i].words[word].outline, entry.margin);
            if (auto added = intake.add(std::move(sample), photos[i].words[word].transcript); !added)
                return added.error();
        }
    }
    if (auto finished = intake.finish(); !finished)
        return withProblems(finished.error(), listing);
    return listing;
}

} // namespace trainyard
