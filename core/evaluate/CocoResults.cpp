#include "core/evaluate/CocoResults.h"

#include "core/evaluate/CocoAnnotations.h"
#include "core/evaluate/CocoJson.h"
#include "core/telemetry/RunLength.h"

namespace trainyard {
namespace {

using cocojson::Annotations;
using cocojson::Position;
using nlohmann::json;

void readFindings(const json& file, CocoType type, Annotations& annotations, CocoScore& score, Position& position) {
    const char* listName = "";
    const json& list = cocojson::resultsIn(file, listName);
    for (std::size_t i = 0; i < list.size(); ++i) {
        position.enter("Result", listName, i);
        const auto image = cocojson::imageOf(list[i], annotations);
        const auto category = cocojson::idOf(list[i], "category_id");
        const auto label = annotations.labels.find(category);
        ++score.detections;
        if (label == annotations.labels.end()) {
            ++score.ofUnknownCategory;
            score.unknownCategories.insert(category);
            continue;
        }
        const auto& size = annotations.sizes[image];
        auto finding = cocojson::findingOf(list[i], type, size.width, size.height);
        finding.label = label->second;
        annotations.images[image].findings.push_back(std::move(finding));
    }
}

/// Whether there is something of that type in it.
bool has(CocoType type, const Detection& detection) {
    return type == CocoType::Boxes ||
           (type == CocoType::Masks ? detection.mask.has_value() : !detection.keypoints.empty());
}

json toJson(CocoType type, const Detection& detection) {
    json object;
    if (type == CocoType::Boxes) // beside a mask it would decide what counts as small, medium and large
        object["bbox"] = cocojson::boxJson(detection.box);
    if (type == CocoType::Masks)
        object["segmentation"] = runlength::toJson(*detection.mask);
    if (type == CocoType::Keypoints) {
        object["keypoints"] = json::array();
        for (const auto& keypoint : detection.keypoints)
            for (const double value :
                 {cocojson::widened(keypoint.at.x), cocojson::widened(keypoint.at.y), double(keypoint.visibility)})
                object["keypoints"].push_back(value);
    }
    object["score"] = cocojson::widened(detection.score);
    return object;
}

} // namespace

std::string cocoResults(CocoType type, const std::vector<ImageDetections>& images,
                        const std::vector<std::int64_t>& categoryIds) {
    std::string text = "[";
    for (const auto& image : images)
        for (const auto& detection : image.detections) {
            if (!has(type, detection))
                continue;
            auto object = toJson(type, detection);
            object["image_id"] = image.imageId;
            object["category_id"] = categoryIds.at(std::size_t(detection.label));
            text += (text.size() > 1 ? ",\n" : "\n") + object.dump();
        }
    return text + "\n]\n";
}

Result<CocoScore> scoreCocoResults(const std::filesystem::path& results, const std::filesystem::path& annotations,
                                   CocoType type) {
    auto known = cocojson::readAnnotations(annotations, type);
    if (!known)
        return known.error();
    CocoScore score;
    const auto found = cocojson::readEntries(
        results, [&](const json& file, Position& position) { readFindings(file, type, *known, score, position); });
    if (!found)
        return found.error();
    CocoEvaluation evaluation(type, known->classes);
    ConfusionCounter confusion(known->classes);
    for (const auto& image : known->images) {
        evaluation.add(image);
        if (type == CocoType::Boxes)
            confusion.add(image);
    }
    score.metrics = evaluation.metrics();
    score.classes = evaluation.classScores();
    score.images = evaluation.images();
    score.evaluation = std::move(evaluation);
    if (type == CocoType::Boxes)
        score.confusion = confusion.matrix();
    return score;
}

} // namespace trainyard
