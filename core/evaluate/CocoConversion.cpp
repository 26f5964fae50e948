#include "core/evaluate/CocoConversion.h"

#include "core/evaluate/Masks.h"
#include "core/telemetry/RunLength.h"

namespace trainyard {
namespace {

CocoBox toBox(const Box& box) {
    return {box.x1, box.y1, double(box.x2) - double(box.x1), double(box.y2) - double(box.y1)};
}

std::vector<double> toTriples(const std::vector<Keypoint>& keypoints) {
    std::vector<double> triples;
    for (const auto& keypoint : keypoints)
        triples.insert(triples.end(), {keypoint.at.x, keypoint.at.y, double(keypoint.visibility)});
    return triples;
}

std::optional<RunLengthMask> maskOf(const ObjectAnnotation& object, int width, int height) {
    if (object.mask || object.polygons.empty())
        return object.mask;
    std::vector<RunLengthMask> parts;
    for (const auto& polygon : object.polygons) {
        std::vector<double> corners;
        for (const auto& point : polygon)
            corners.insert(corners.end(), {point.x, point.y});
        parts.push_back(masks::fromPolygon(corners, width, height));
    }
    return masks::unionOf(parts);
}

} // namespace

CocoImage toCocoImage(CocoType type, const SampleInfo& truth, const std::vector<Detection>& found) {
    CocoImage image;
    image.id = truth.imageId;
    for (const auto& object : truth.objects) {
        auto& coco = image.truths.emplace_back();
        coco.label = object.label;
        coco.box = toBox(object.box);
        coco.area = object.area > 0 ? object.area : coco.box.area();
        coco.isCrowd = object.isCrowd;
        if (type == CocoType::Masks)
            coco.mask = maskOf(object, truth.width, truth.height);
        coco.keypoints = toTriples(object.keypoints);
    }
    for (const auto& detection : found) {
        auto& coco = image.findings.emplace_back();
        coco.label = detection.label;
        coco.score = detection.score;
        coco.box = toBox(detection.box);
        if (type == CocoType::Masks)
            coco.mask = detection.mask;
        coco.keypoints = toTriples(detection.keypoints);
        if (type == CocoType::Keypoints)
            coco.area = keypointExtent(coco.keypoints).area();
        else
            coco.area = coco.mask ? double(runlength::area(*coco.mask)) : coco.box.area();
    }
    return image;
}

} // namespace trainyard
