#pragma once

#include "core/base/Error.h"
#include "core/base/InputFile.h"
#include "core/base/Json.h"
#include "core/evaluate/CocoJson.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace trainyard::cocojson {

/// A COCO annotation file: images with their objects, and classes. Ids may be numbers or texts of numbers.
struct Annotations {
    struct Size {
        int width = 0, height = 0;
    };
    std::vector<std::string> classes;  ///< by label; labels count the categories by rising id
    std::map<std::string, int> labels; ///< by category id
    std::vector<CocoImage> images;
    std::vector<Size> sizes;
    std::map<std::string, std::size_t> places; ///< of images, by id
};

/// The entry that is being read: what it is called and where in the file it stands.
struct Position {
    std::string name;
    jsontext::Path path;
    void enter(const char* kind, const char* list, std::size_t index);
};

/// Reads a JSON file and hands it to `read(json, position)`; whatever is wrong in it becomes one sentence.
template <class Read>
Result<void> readEntries(const std::filesystem::path& path, Read read) {
    const auto text = readFile(path);
    if (!text)
        return text.error();
    const auto file = parseJson(*text, path.string());
    if (!file)
        return file.error();
    Position position{"The file", {}};
    try {
        read(*file, position);
    } catch (const Objection& objection) {
        return jsonError(*text, path.string(), position.path, position.name + ": " + objection.clause + ".",
                         "Compare it with cocodataset.org/#format-data.");
    }
    return {};
}

/// The list of results that a file holds, by itself or inside a dataset; `listName` becomes its key there.
const nlohmann::json& resultsIn(const nlohmann::json& file, const char*& listName);

/// The place of the entry's image in `annotations.images`; throws where it is none of them.
std::size_t imageOf(const nlohmann::json& entry, const Annotations& annotations);

/// Masks and keypoints are read where `type` compares them. A Data error names file and entry.
Result<Annotations> readAnnotations(const std::filesystem::path& file, CocoType type);

} // namespace trainyard::cocojson
