#include "core/evaluate/CocoAnnotations.h"

#include <fmt/format.h>

#include <utility>

namespace trainyard::cocojson {
namespace {

using nlohmann::json;

int sideOf(const json& image, const char* key) {
    const double side = number(image, key, 0);
    if (!(side >= 0 && side <= 65535))
        throw Objection{fmt::format("its {} must lie between 0 and 65535", key)};
    return static_cast<int>(side);
}

void readImages(const json& file, Annotations& annotations, Position& position) {
    const json& entries = listOf(file, "images");
    for (std::size_t i = 0; i < entries.size(); ++i) {
        position.enter("Image", "images", i);
        const auto id = idOf(entries[i], "id");
        CocoImage image;
        image.id = idNumber(entries[i]["id"], std::int64_t(i)); // of ids that are names only the order matters
        if (!annotations.places.emplace(id, i).second)
            throw Objection{"its id " + id + " is given twice"};
        annotations.images.push_back(std::move(image));
        annotations.sizes.push_back({sideOf(entries[i], "width"), sideOf(entries[i], "height")});
    }
}

/// Labels count the categories by rising id, as the datasets do.
void readCategories(const json& file, Annotations& annotations, Position& position) {
    const json& entries = listOf(file, "categories");
    std::map<std::int64_t, std::pair<std::string, std::string>> sorted;
    for (std::size_t i = 0; i < entries.size(); ++i) {
        position.enter("Category", "categories", i);
        const auto id = idOf(entries[i], "id");
        const auto name = entries[i].find("name");
        const bool isNamed = name != entries[i].end() && name->is_string();
        if (!sorted
                 .try_emplace(idNumber(entries[i]["id"], std::int64_t(i)), id, isNamed ? name->get<std::string>() : id)
                 .second)
            throw Objection{"its id " + id + " is given twice"};
    }
    for (const auto& [number, category] : sorted) {
        annotations.labels[category.first] = static_cast<int>(annotations.classes.size());
        annotations.classes.push_back(category.second);
    }
}

void readTruths(const json& file, CocoType type, Annotations& annotations, Position& position) {
    const auto& entries = listOf(file, "annotations");
    for (std::size_t i = 0; i < entries.size(); ++i) {
        position.enter("Annotation", "annotations", i);
        const auto& entry = entries[i];
        const auto image = annotations.places.find(idOf(entry, "image_id"));
        const auto label = annotations.labels.find(idOf(entry, "category_id"));
        if (image == annotations.places.end() || label == annotations.labels.end())
            throw Objection{"its image or its category is not in the file"};
        CocoTruth truth;
        truth.label = label->second;
        if (entry.contains("bbox"))
            truth.box = boxOf(entry["bbox"]);
        truth.area = number(entry, "area", truth.box.area());
        truth.isCrowd = flag(entry, "iscrowd");
        const auto& size = annotations.sizes[image->second];
        if (type == CocoType::Masks)
            truth.mask = maskOf(entry, size.width, size.height);
        if (type == CocoType::Keypoints)
            truth.keypoints = keypointsOf(entry);
        annotations.images[image->second].truths.push_back(std::move(truth));
    }
}

} // namespace

void Position::enter(const char* kind, const char* list, std::size_t index) {
    name = fmt::format("{} {}", kind, index);
    path = {std::to_string(index)};
    if (*list)
        path.insert(path.begin(), list);
}

const json& resultsIn(const json& file, const char*& listName) {
    const bool isInside = file.is_object() && file.contains("annotations"); // results inside a dataset
    const json& list = isInside ? file["annotations"] : file;
    if (!list.is_array())
        throw Objection{"results are a list of objects, one a detection, not " + described(list)};
    listName = isInside ? "annotations" : "";
    return list;
}

std::size_t imageOf(const json& entry, const Annotations& annotations) {
    const auto id = idOf(entry, "image_id");
    const auto image = annotations.places.find(id);
    if (image == annotations.places.end())
        throw Objection{"the annotations have no image " + id};
    return image->second;
}

Result<Annotations> readAnnotations(const std::filesystem::path& file, CocoType type) {
    Annotations annotations;
    const auto read = readEntries(file, [&](const json& content, Position& position) {
        readImages(content, annotations, position);
        readCategories(content, annotations, position);
        readTruths(content, type, annotations, position);
    });
    if (!read)
        return read.error();
    return annotations;
}

} // namespace trainyard::cocojson
