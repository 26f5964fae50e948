#include "core/data/CocoFiles.h"

#include "core/base/AtomicFile.h"
#include "core/base/Text.h"
#include "core/data/ImageFinder.h"

#include <fmt/format.h>

#include <algorithm>

namespace trainyard {
namespace {

namespace fs = std::filesystem;

std::vector<fs::path> jsonFiles(const fs::path& folder) {
    std::vector<fs::path> files;
    std::error_code ignored; // an unreadable folder holds no annotations for us
    for (const auto& entry : fs::directory_iterator(folder, ignored))
        if (entry.path().extension() == ".json" && entry.is_regular_file(ignored))
            files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    return files;
}

bool isInstances(const fs::path& file) {
    return file.filename().string().starts_with("instances_");
}

/// "train" of instances_train.json, person_keypoints_train.json, train/_annotations.coco.json.
std::string partOf(const fs::path& file) {
    const std::string stem = file.stem().string();
    if (stem.starts_with("_annotations"))
        return file.parent_path().filename().string();
    for (const std::string prefix : {"instances_", "person_keypoints_"})
        if (stem.starts_with(prefix))
            return stem.substr(prefix.size());
    return stem;
}

/// The files of a part: those that are called exactly so, else those whose name starts with it ("train2017").
std::vector<fs::path> ofPart(const std::vector<fs::path>& files, const std::string& part) {
    std::vector<fs::path> exact, near;
    for (const fs::path& file : files) {
        const std::string name = partOf(file);
        if (name == part)
            exact.push_back(file);
        else if (name.starts_with(part) || name.ends_with("_" + part))
            near.push_back(file);
    }
    return exact.empty() ? near : exact;
}

std::vector<std::string> partsOf(const std::vector<fs::path>& files) {
    std::vector<std::string> parts;
    for (const fs::path& file : files)
        parts.push_back(partOf(file));
    return parts;
}

Result<fs::path> chooseFile(const fs::path& folder, const std::string& part, bool isForTraining) {
    const auto files = cocoCandidates(folder);
    if (files.empty())
        return Error{ErrorKind::Data, "The folder has no COCO annotation file.", folder.string(),
                     "Name the JSON file itself, or put it into annotations/."};
    std::vector<std::string> wanted{part};
    if (part.empty())
        wanted = isForTraining ? std::vector<std::string>{"train"} : std::vector<std::string>{"val", "test"};
    for (const std::string& one : wanted)
        if (auto found = ofPart(files, one); !found.empty())
            return found.front();
    if (part.empty() && files.size() == 1)
        return files.front();
    return Error{ErrorKind::Data,
                 part.empty() ? "The folder has several COCO annotation files."
                              : fmt::format("The dataset has no part \"{}\".", part),
                 folder.string(), fmt::format("Choose one of its parts: {}.", text::joined(partsOf(files)))};
}

} // namespace

bool looksLikeCoco(const fs::path& file) {
    const auto text = readTextFile(file, ErrorKind::Data);
    return text && text->find("\"images\"") != std::string::npos &&
           (text->find("\"annotations\"") != std::string::npos || text->find("\"categories\"") != std::string::npos);
}

std::vector<fs::path> cocoCandidates(const fs::path& folder) {
    std::vector<fs::path> files = jsonFiles(folder / "annotations");
    for (fs::path& file : jsonFiles(folder))
        files.push_back(std::move(file));
    std::error_code ignored;
    std::vector<fs::path> exported;
    for (const auto& entry : fs::directory_iterator(folder, ignored))
        if (fs::exists(entry.path() / "_annotations.coco.json", ignored))
            exported.push_back(entry.path() / "_annotations.coco.json");
    std::sort(exported.begin(), exported.end());
    files.insert(files.end(), exported.begin(), exported.end());
    if (std::any_of(files.begin(), files.end(), isInstances))
        std::erase_if(files, [](const fs::path& file) { return !isInstances(file); });
    else
        std::erase_if(files, [](const fs::path& file) { return !looksLikeCoco(file); });
    return files;
}

Result<CocoFiles> locateCoco(const DatasetConfig& entry, bool isForTraining) {
    const fs::path given = entry.path;
    std::error_code ignored; // a path that cannot be looked at fails when it is read
    CocoFiles files;
    if (!entry.annotations.empty())
        files.annotations = fs::is_directory(given, ignored) ? given / entry.annotations : fs::path(entry.annotations);
    else if (!fs::is_directory(given, ignored))
        files.annotations = given;
    else if (auto chosen = chooseFile(given, entry.part, isForTraining); chosen)
        files.annotations = *chosen;
    else
        return chosen.error();
    const fs::path beside = fs::absolute(files.annotations).parent_path();
    const bool isApart = beside.filename() == "annotations" || beside.filename() == "Annotations";
    const fs::path base = fs::is_directory(given, ignored) ? given : isApart ? beside.parent_path() : beside;
    files.imageFolders = ImageFinder::usualFolders(base, partOf(files.annotations));
    if (std::find(files.imageFolders.begin(), files.imageFolders.end(), beside) == files.imageFolders.end())
        files.imageFolders.insert(files.imageFolders.begin(), beside);
    return files;
}

} // namespace trainyard
