#include "core/data/VocFiles.h"

#include "core/base/AtomicFile.h"
#include "core/base/Text.h"

#include <fmt/format.h>

#include <algorithm>

namespace trainyard {
namespace {

namespace fs = std::filesystem;

std::vector<std::string> stemsIn(const fs::path& folder, const std::string& extension) {
    std::vector<std::string> stems;
    std::error_code ignored; // an unreadable folder holds no annotations for us
    for (const auto& entry : fs::directory_iterator(folder, ignored))
        if (entry.path().extension() == extension && entry.is_regular_file(ignored))
            stems.push_back(entry.path().stem().string());
    std::sort(stems.begin(), stems.end());
    return stems;
}

bool contains(const std::vector<std::string>& sorted, const std::string& name) {
    return std::binary_search(sorted.begin(), sorted.end(), name);
}

std::string usualPart(const std::vector<std::string>& parts, bool isForTraining) {
    std::vector<std::string> wanted{"test", "val"};
    if (isForTraining)
        wanted =
            contains(parts, "test") ? std::vector<std::string>{"trainval", "train"} : std::vector<std::string>{"train"};
    for (const std::string& part : wanted)
        if (contains(parts, part))
            return part;
    return "all";
}

/// "name", or "name 1" as the class lists have it; a name may hold blanks.
std::string nameOnLine(std::string_view line, const std::vector<std::string>& known) {
    const auto whole = text::trimmed(line);
    if (contains(known, std::string(whole)))
        return std::string(whole);
    return std::string(text::trimmed(whole.substr(0, whole.find_last_of(" \t"))));
}

Error noPart(const fs::path& folder, const std::string& part, std::vector<std::string> parts) {
    std::erase_if(parts, [](const std::string& one) { return one.find('_') != std::string::npos; });
    return {ErrorKind::Data, fmt::format("The dataset has no part \"{}\".", part), folder.string(),
            fmt::format("Choose one of its parts: {}, all.", text::joined(parts))};
}

} // namespace

bool looksLikeVoc(const fs::path& folder) {
    return !stemsIn(folder / "Annotations", ".xml").empty() || !stemsIn(folder, ".xml").empty();
}

Result<VocFiles> locateVoc(const DatasetConfig& entry, bool isForTraining) {
    std::error_code ignored; // a folder that cannot be looked at has no annotations
    fs::path folder = entry.path;
    std::string part = entry.part;
    if (!part.empty() && looksLikeVoc(folder / part)) {
        folder /= part;
        part = "all";
    }
    VocFiles files;
    const bool isApart = fs::is_directory(folder / "Annotations", ignored);
    files.annotations = isApart ? folder / "Annotations" : folder;
    files.images = fs::is_directory(folder / "JPEGImages", ignored) ? folder / "JPEGImages" : folder;
    files.allStems = stemsIn(files.annotations, ".xml");
    if (files.allStems.empty())
        return Error{ErrorKind::Data, "The folder has no VOC annotations.", files.annotations.string(),
                     "Put an XML file for each image into Annotations/."};
    const fs::path lists = folder / "ImageSets" / "Main";
    const auto parts = stemsIn(lists, ".txt");
    if (part.empty())
        part = usualPart(parts, isForTraining);
    if (part == "all") {
        files.stems = files.allStems;
        return files;
    }
    if (!contains(parts, part))
        return noPart(folder, part, parts);
    files.part = part;
    const auto list = readTextFile(lists / (part + ".txt"), ErrorKind::Data);
    if (!list)
        return list.error();
    for (const auto line : text::lines(*list))
        if (!text::trimmed(line).empty())
            files.stems.push_back(nameOnLine(line, files.allStems));
    if (files.stems.empty())
        return Error{ErrorKind::Data, "The list of the part is empty.", (lists / (part + ".txt")).string(),
                     "Name an image a line, without extension."};
    return files;
}

} // namespace trainyard
