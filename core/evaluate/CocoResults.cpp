#include "core/evaluate/CocoResults.h"

#include "core/base/InputFile.h"
#include "core/base/Json.h"
#include "core/evaluate/CocoJson.h"
#include "core/evaluate/Masks.h"
#include "core/telemetry/RunLength.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <fmt/format.h>
#include <map>

namespace trainyard {
namespace {

using nlohmann::json;

using cocojson::Objection;

/// A file read into images and classes.
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

/// The entry that is being read: what it is called and where in the file it stands.
struct Position {
    std::string name;
    jsontext::Path path;
    void enter(const char* kind, const char* list, std::size_t index) {
        name = fmt::format("{} {}", kind, index);
        path = {std::to_string(index)};
        if (*list)
            path.insert(path.begin(), list);
    }
};

int sideOf(const json& image, const char* key) {
    const double side = cocojson::number(image, key, 0);
    if (!(side >= 0 && side <= 65535))
        throw Objection{fmt::format("its {} must lie between 0 and 65535", key)};
    return static_cast<int>(side);
}

void readImages(const json& file, Annotations& annotations, Position& position) {
    const json& entries = cocojson::listOf(file, "images");
    for (std::size_t i = 0; i < entries.size(); ++i) {
        position.enter("Image", "images", i);
        const auto id = cocojson::idOf(entries[i], "id");
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
    const json& entries = cocojson::listOf(file, "categories");
    std::map<std::int64_t, std::pair<std::string, std::string>> sorted;
    for (std::size_t i = 0; i < entries.size(); ++i) {
        position.enter("Category", "categories", i);
        const auto id = cocojson::idOf(entries[i], "id");
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
    const auto& entries = cocojson::listOf(file, "annotations");
    for (std::size_t i = 0; i < entries.size(); ++i) {
        position.enter("Annotation", "annotations", i);
        const auto& entry = entries[i];
        const auto image = annotations.places.find(cocojson::idOf(entry, "image_id"));
        const auto label = annotations.labels.find(cocojson::idOf(entry, "category_id"));
        if (image == annotations.places.end() || label == annotations.labels.end())
            throw Objection{"its image or its category is not in the file"};
        CocoTruth truth;
        truth.label = label->second;
        if (entry.contains("bbox"))
            truth.box = cocojson::boxOf(entry["bbox"]);
        truth.area = cocojson::number(entry, "area", truth.box.area());
        truth.isCrowd = cocojson::flag(entry, "iscrowd");
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
    finding.score = cocojson::number(entry, "score");
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
            throw Objection{type == CocoType::Masks ? "it has no segmentation" : "it has no bbox"};
        const auto bounds = runlength::bounds(*finding.mask);
        if (!hasBox)
            finding.box = {bounds.x1, bounds.y1, bounds.width(), bounds.height()};
    }
    // The COCO API takes the size of a result from its box where it carries one, else from its mask.
    finding.area = hasBox || !finding.mask ? finding.box.area() : double(runlength::area(*finding.mask));
    return finding;
}

void readFindings(const json& file, CocoType type, Annotations& annotations, CocoScore& score, Position& position) {
    const bool isInside = file.is_object() && file.contains("annotations"); // results inside a dataset
    const json& list = isInside ? file["annotations"] : file;
    if (!list.is_array())
        throw Objection{"results are a list of objects, one a detection, not " + described(list)};
    for (std::size_t i = 0; i < list.size(); ++i) {
        position.enter("Result", isInside ? "annotations" : "", i);
        const auto imageId = cocojson::idOf(list[i], "image_id");
        const auto image = annotations.places.find(imageId);
        if (image == annotations.places.end())
            throw Objection{"the annotations have no image " + imageId};
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
        object["segmentation"] = runlength::toJson(*detection.mask);
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
    const auto read = readEntries(annotations, [&](const json& file, Position& position) {
        readImages(file, known, position);
        readCategories(file, known, position);
        readTruths(file, type, known, position);
    });
    if (!read)
        return read.error();
    const auto found = readEntries(
        results, [&](const json& file, Position& position) { readFindings(file, type, known, score, position); });
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
