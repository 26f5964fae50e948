#include "core/evaluate/CocoObject.h"

#include "core/evaluate/Masks.h"
#include "core/telemetry/KeypointSigmas.h"
#include "core/telemetry/RunLength.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace trainyard {
namespace {

constexpr double kTiny = std::numeric_limits<double>::epsilon();

double boxOverlap(const CocoBox& found, const CocoBox& truth, bool isCrowd) {
    const double width = std::min(found.x + found.width, truth.x + truth.width) - std::max(found.x, truth.x);
    const double height = std::min(found.y + found.height, truth.y + truth.height) - std::max(found.y, truth.y);
    if (width <= 0 || height <= 0)
        return 0;
    const double shared = width * height;
    return shared / (isCrowd ? found.area() : found.area() + truth.area() - shared);
}

double maskOverlap(const RunLengthMask& found, const RunLengthMask& truth, bool isCrowd) {
    const auto shared = masks::intersection(found, truth);
    if (shared == 0)
        return 0;
    const auto whole = isCrowd ? runlength::area(found) : runlength::area(found) + runlength::area(truth) - shared;
    return double(shared) / double(whole);
}

/// Distance beyond twice the box's extent, for a truth none of whose keypoints is labelled.
double beyond(double value, double start, double length) {
    return std::max(0.0, start - length - value) + std::max(0.0, value - (start + 2 * length));
}

double keypointSimilarity(const std::vector<double>& found, const CocoTruth& truth) {
    const auto count = std::min(found.size(), truth.keypoints.size()) / 3;
    const auto sigmas = keypointSigmas(truth.keypoints.size() / 3);
    const auto isLabelled = [&](std::size_t k) { return truth.keypoints[3 * k + 2] > 0; };
    bool someLabelled = false;
    for (std::size_t k = 0; k < count; ++k)
        someLabelled |= isLabelled(k);
    double sum = 0;
    int used = 0;
    for (std::size_t k = 0; k < count; ++k) {
        if (someLabelled && !isLabelled(k))
            continue;
        const double x = found[3 * k], y = found[3 * k + 1];
        const double dx = someLabelled ? x - truth.keypoints[3 * k] : beyond(x, truth.box.x, truth.box.width);
        const double dy = someLabelled ? y - truth.keypoints[3 * k + 1] : beyond(y, truth.box.y, truth.box.height);
        const double variance = (2 * sigmas[k]) * (2 * sigmas[k]);
        sum += std::exp(-(dx * dx + dy * dy) / variance / (truth.area + kTiny) / 2);
        ++used;
    }
    return used == 0 ? 0 : sum / used;
}

double overlap(CocoType type, const CocoFinding& finding, const CocoTruth& truth) {
    if (type == CocoType::Boxes)
        return boxOverlap(finding.box, truth.box, truth.isCrowd);
    if (type == CocoType::Keypoints)
        return keypointSimilarity(finding.keypoints, truth);
    return finding.mask && truth.mask ? maskOverlap(*finding.mask, *truth.mask, truth.isCrowd) : 0;
}

/// What lies around each mask, so that the runs of two that are far apart need not be walked.
template <class Object>
std::vector<Box> boundsOf(CocoType type, const std::vector<const Object*>& objects) {
    std::vector<Box> bounds;
    if (type == CocoType::Masks)
        for (const Object* object : objects)
            bounds.push_back(object->mask ? runlength::bounds(*object->mask) : Box());
    return bounds;
}

bool meet(const Box& a, const Box& b) {
    return a.x1 < b.x2 && b.x1 < a.x2 && a.y1 < b.y2 && b.y1 < a.y2;
}

} // namespace

const char* prefixOf(CocoType type) {
    return type == CocoType::Boxes ? "bbox" : type == CocoType::Masks ? "segm" : "keypoints";
}

CocoBox keypointExtent(const std::vector<double>& keypoints) {
    if (keypoints.empty())
        return {};
    double left = keypoints[0], right = left, top = keypoints[1], bottom = top;
    for (std::size_t k = 0; k + 1 < keypoints.size(); k += 3) {
        left = std::min(left, keypoints[k]);
        right = std::max(right, keypoints[k]);
        top = std::min(top, keypoints[k + 1]);
        bottom = std::max(bottom, keypoints[k + 1]);
    }
    return {left, top, right - left, bottom - top};
}

std::vector<std::vector<double>> overlaps(CocoType type, const std::vector<const CocoFinding*>& findings,
                                          const std::vector<const CocoTruth*>& truths) {
    const auto ofTruths = boundsOf(type, truths), ofFindings = boundsOf(type, findings);
    std::vector<std::vector<double>> rows(findings.size(), std::vector<double>(truths.size(), 0.0));
    for (std::size_t i = 0; i < findings.size(); ++i)
        for (std::size_t j = 0; j < truths.size(); ++j)
            if (type != CocoType::Masks || meet(ofFindings[i], ofTruths[j]))
                rows[i][j] = overlap(type, *findings[i], *truths[j]);
    return rows;
}

} // namespace trainyard
