#include "core/evaluate/CocoResults.h"

#include "core/base/AtomicFile.h"
#include "core/evaluate/CocoJson.h"
#include "core/evaluate/Masks.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fmt/format.h>
#include <map>

namespace trainyard {
namespace {

using nlohmann::json;

/// A file read into images and classes, entry by entry; `where` says which entry is being read.
struct Annotations {
    struct Size {
        int width = 0, height = 0;
    };
    std::vector<std::string> classes;
    std::map<std::string, int> labels; ///< by category id
    std::vector<CocoImage> images;
    std::vector<Size> sizes;
    std::map<std::string, std::size_t> places; ///< of images, by id
};

int sideOf(const json& image, const char* key) {
    const auto value = image.value(key, std::int64_t(0));
    if (value < 0 || value > 65535)
        throw std::invalid_argument(std::string(key) + " must lie between 0 and 65535");
    return static_cast<int>(value);
}

void readImages(const json& file, Annotations& annotations, std::string& where) {
    for (std::size_t i = 0; i < file.at("images").size(); ++i) {
        where = fmt::format("image {}", i);
        const auto& entry = file["images"][i];
        const auto id = cocojson::idOf(entry, "id");
        CocoImage image;
        char* end = nullptr;
        image.id = std::strtoll(id.c_str(), &end, 10);
        if (*end != '\0') // ids that are names: their order is all that matters
            image.id = static_cast<std::int64_t>(i);
        if (!annotations.places.emplace(id, i).second)
            throw std::invalid_argument("image id " + id + " is given twice");
        annotations.images.push_back(std::move(image));
        annotations.sizes.push_back({sideOf(entry, "width"), sideOf(entry, "height")});
    }
}

/// Labels count the categories by rising id, as the datasets do.
void readCategories(const json& file, Annotations& annotations, std::string& where) {
    std::map<std::int64_t, std::pair<std::string, std::string>> sorted;
    for (const auto& entry : file.at("categories")) {
        where = fmt::format("category {}", sorted.size());
        const auto id = cocojson::idOf(entry, "id");
        sorted[std::strtoll(id.c_str(), nullptr, 10)] = {id, entry.value("name", id)};
    }
    for (const auto& [number, category] : sorted) {
        annotations.labels[category.first] = static_cast<int>(annotations.classes.size());
        annotations.classes.push_back(category.second);
    }
}

void readTruths(const json& file, CocoType type, Annotations& annotations, std::string& where) {
    const auto& entries = file.at("annotations");
    for (std::size_t i = 0; i < entries.size(); ++i) {
        where = fmt::format("annotation {}", i);
        const auto& entry = entries[i];
        const auto image = annotations.places.find(cocojson::idOf(entry, "image_id"));
        const auto label = annotations.labels.find(cocojson::idOf(entry, "category_id"));
        if (image == annotations.places.end() || label == annotations.labels.end())
            throw std::invalid_argument("its image or its category is not in the file");
        CocoTruth truth;
        truth.label = label->second;
        if (entry.contains("bbox"))
            truth.box = cocojson::boxOf(entry["bbox"]);
        truth.area = entry.value("area", truth.box.area());
        const auto crowd = entry.find("iscrowd");
        truth.isCrowd = crowd != entry.end() && (crowd->is_boolean() ? crowd->get<bool>() : crowd->get<int>() != 0);
        const auto& size = annotations.sizes[image->second];
        if (type == CocoType::Masks)
            truth.mask = cocojson::maskOf(entry, size.width, size.height);
        if (type == CocoType::Keypoints)
            truth.keypoints = cocojson::keypointsOf(entry);
        annotations.images[image->second].truths.push_back(std::move(truth));
    }
}

CocoFinding findingOf(const json& entry, CocoType type, const Annotations::Size& size) {
    CocoFinding finding;
    finding.score = entry.at("score").get<double>();
    const auto box = entry.find("bbox");
    const bool hasBox = box != entry.end() && !box->empty();
    if (hasBox)
        finding.box = cocojson::boxOf(*box);
    if (type == CocoType::Keypoints) {
        finding.keypoints = cocojson::keypointsOf(entry);
        finding.box = hasBox ? finding.box : keypointExtent(finding.keypoints);
    }
    if (type == CocoType::Masks || (type == CocoType::Boxes && !hasBox)) {
        finding.mask = cocojson::maskOf(entry, size.width, size.height);
        if (!finding.mask)
            throw std::invalid_argument(type == CocoType::Masks ? "it has no segmentation" : "it has no bbox");
        const auto bounds = masks::bounds(*finding.mask);
        if (!hasBox)
            finding.box = {bounds.x1, bounds.y1, bounds.width(), bounds.height()};
    }
    // The COCO API takes the size of a result from its box where it carries one, else from its mask.
    finding.area = hasBox || !finding.mask ? finding.box.area() : double(masks::area(*finding.mask));
    return finding;
}

void readFindings(const json& file, CocoType type, Annotations& annotations, CocoScore& score, std::string& where) {
    const auto& list = file.is_object() && file.contains("annotations") ? file["annotations"] : file;
    if (!list.is_array())
        throw std::invalid_argument("results are a list of objects, one a detection");
    for (std::size_t i = 0; i < list.size(); ++i) {
        where = fmt::format("result {}", i);
        const auto image = annotations.places.find(cocojson::idOf(list[i], "image_id"));
        if (image == annotations.places.end())
            throw std::invalid_argument("the annotations have no image " + cocojson::idOf(list[i], "image_id"));
        const auto label = annotations.labels.find(cocojson::idOf(list[i], "category_id"));
        ++score.detections;
        if (label == annotations.labels.end()) {
            ++score.ofUnknownCategory;
            continue;
        }
        auto finding = findingOf(list[i], type, annotations.sizes[image->second]);
        finding.label = label->second;
        annotations.images[image->second].findings.push_back(std::move(finding));
    }
}

/// Reads a JSON file and hands it to `read(json, where)`; whatever is wrong in it becomes one sentence.
template <class Read>
Result<void> readJson(const std::filesystem::path& path, Read read) {
    const auto text = readFile(path);
    if (!text)
        return text.error();
    std::string where;
    try {
        read(json::parse(*text), where);
    } catch (const json::parse_error& error) {
        return Error{ErrorKind::Data, fmt::format("This is not JSON: it breaks off at byte {}.", error.byte),
                     path.string(), "Check that the file is whole."};
    } catch (const std::exception& error) { // a field that is missing or of the wrong kind
        return Error{ErrorKind::Data,
                     (where.empty() ? "" : "Entry \"" + where + "\": ") + std::string(error.what()) + ".",
                     path.string(), "Compare it with cocodataset.org/#format-data."};
    }
    return {};
}

/// The double whose shortest form is the float's: 0.1 and not 0.10000000149011612.
double widened(float value) {
    return std::isfinite(value) ? std::strtod(fmt::format("{}", value).c_str(), nullptr) : 0.0;
}

json toJson(CocoType type, const Detection& detection) {
    json object;
    const auto& box = detection.box;
    if (type == CocoType::Boxes) // beside a mask it would decide what counts as small, medium and large
        object["bbox"] = {widened(box.x1), widened(box.y1), widened(box.width()), widened(box.height())};
    if (type == CocoType::Masks && detection.mask) {
        object["segmentation"] = {{"size", {detection.mask->height, detection.mask->width}},
                                  {"counts", masks::countsToText(detection.mask->counts)}};
    }
    if (type == CocoType::Keypoints) {
        object["keypoints"] = json::array();
        for (const auto& keypoint : detection.keypoints)
            for (const double value : {widened(keypoint.at.x), widened(keypoint.at.y), double(keypoint.visibility)})
                object["keypoints"].push_back(value);
    }
    object["score"] = widened(detection.score);
    return object;
}

} // namespace

std::string cocoResults(CocoType type, const std::vector<ImageDetections>& images,
                        const std::vector<std::int64_t>& categoryIds) {
    std::string text = "[";
    for (const auto& image : images)
        for (const auto& detection : image.detections) {
            auto object = toJson(type, detection);
            object["image_id"] = image.imageId;
            object["category_id"] = categoryIds.at(std::size_t(detection.label));
            text += (text.size() > 1 ? ",\n" : "\n") + object.dump();
        }
    return text + "\n]\n";
}

Result<CocoScore> scoreCocoResults(const std::filesystem::path& results, const std::filesystem::path& annotations,
                                   CocoType type) {
    Annotations known;
    CocoScore score;
    const auto read = readJson(annotations, [&](const json& file, std::string& where) {
        readImages(file, known, where);
        readCategories(file, known, where);
        readTruths(file, type, known, where);
    });
    if (!read)
        return read.error();
    const auto found =
        readJson(results, [&](const json& file, std::string& where) { readFindings(file, type, known, score, where); });
    if (!found)
        return found.error();
    CocoEvaluation evaluation(type, known.classes);
    for (const auto& image : known.images)
        evaluation.add(image);
    score.metrics = evaluation.metrics();
    score.classes = evaluation.classScores();
    score.images = evaluation.images();
    return score;
}

} // namespace trainyard
