#include "core/models/detection/ViewCombination.h"

#include "core/models/detection/KeypointHead.h"
#include "core/models/detection/KeypointSuppression.h"
#include "core/models/detection/MapAverage.h"
#include "core/models/detection/MaskHead.h"
#include "core/telemetry/KeypointSides.h"

#include <torch/nn/module.h>

#include <algorithm>

namespace trainyard {
namespace {

constexpr int kFound = 2; // as COCO counts it: nothing says which are not

Box mirrored(const Box& box, int width) {
    return {float(width) - box.x2, box.y1, float(width) - box.x1, box.y2};
}

/// Boxes as they lie in the view.
std::vector<std::vector<Detection>> inView(std::vector<std::vector<Detection>> found, const View& view,
                                           const Batch& batch) {
    if (view.isMirrored)
        for (std::size_t i = 0; i < found.size(); ++i)
            for (Detection& one : found[i])
                one.box = mirrored(one.box, batch.samples[i].width);
    return found;
}

/// Heat maps as they are where nothing is mirrored.
at::Tensor unmirroredKeypoints(const at::Tensor& maps) {
    std::vector<std::int64_t> places;
    for (const std::size_t place : mirroredKeypoints(std::size_t(maps.size(1))))
        places.push_back(std::int64_t(place));
    return maps.flip({3}).index_select(1, at::tensor(places, at::kLong));
}

/// Of which of the boxes a view speaks, bool [K].
at::Tensor spokenOf(const std::vector<Detection>& found, const View& view, bool bySize, double smallArea) {
    const at::Tensor isUsed = at::ones({std::int64_t(found.size())}, at::kBool);
    for (std::size_t k = 0; bySize && k < found.size(); ++k) {
        const bool isSmall = found[k].box.area() < smallArea;
        isUsed.data_ptr<bool>()[k] = isSmall ? view.enlargement >= 1 : view.enlargement <= 1;
    }
    return isUsed;
}

at::Tensor boxTensor(const std::vector<Detection>& found) {
    const at::Tensor boxes = at::empty({std::int64_t(found.size()), 4});
    for (std::size_t k = 0; k < found.size(); ++k) {
        float* box = boxes.data_ptr<float>() + 4 * k;
        box[0] = found[k].box.x1, box[1] = found[k].box.y1, box[2] = found[k].box.x2, box[3] = found[k].box.y2;
    }
    return boxes;
}

void layMasks(const at::Tensor& masks, const SampleInfo& sample, std::vector<Detection>& found) {
    for (std::size_t k = 0; k < found.size(); ++k)
        found[k].mask = maskInPicture(masks[std::int64_t(k)], found[k].box, sample.height, sample.width);
}

void layKeypoints(const at::Tensor& maps, double oksSuppression, std::vector<Detection>& found) {
    const at::Tensor points = keypointsOf(maps, boxTensor(found)).contiguous();
    const std::int64_t count = points.size(1);
    for (std::size_t k = 0; k < found.size(); ++k)
        for (std::int64_t p = 0; p < count; ++p) {
            const float* point = points.data_ptr<float>() + (std::int64_t(k) * count + p) * 3;
            found[k].keypoints.push_back({{point[0], point[1]}, kFound});
        }
    suppressAlikeKeypoints(found, keypointClarity(points), oksSuppression);
}

} // namespace

std::vector<Prediction> ViewCombination::predict(DetectorStages& model, const std::vector<View>& views,
                                                 const std::vector<Batch>& batches) const {
    const torch::NoGradGuard noGradients;
    ByImage found = boxes(model, views, batches);
    addRegions(model, views, batches, found);
    std::vector<Prediction> predictions(found.size());
    for (std::size_t i = 0; i < found.size(); ++i)
        predictions[i].detections = std::move(found[i]);
    return predictions;
}

ViewCombination::ByImage ViewCombination::boxes(DetectorStages& model, const std::vector<View>& views,
                                                const std::vector<Batch>& batches) const {
    ByImage all(std::size_t(batches.front().size()));
    for (std::size_t v = 0; v < views.size(); ++v) {
        if (!views[v].forBoxes)
            continue;
        const ByImage found = inView(model.candidates(batches[v]), views[v], batches[v]); // mirroring undoes itself
        for (std::size_t i = 0; i < all.size(); ++i)
            all[i].insert(all[i].end(), found[i].begin(), found[i].end());
    }
    for (auto& candidates : all)
        candidates = suppressed(candidates, model.suppression());
    return all;
}

void ViewCombination::addRegions(DetectorStages& model, const std::vector<View>& views,
                                 const std::vector<Batch>& batches, ByImage& found) const {
    std::vector<MapAverage> masks(found.size(), MapAverage(m_rules.maskAverage));
    std::vector<MapAverage> keypoints(found.size(), MapAverage(m_rules.keypointAverage));
    for (std::size_t v = 0; v < views.size(); ++v) {
        const View& view = views[v];
        if (!view.forMasks && !view.forKeypoints)
            continue;
        const auto regions = model.regionMaps(batches[v], inView(found, view, batches[v]));
        for (std::size_t i = 0; i < found.size(); ++i) {
            const RegionMaps& maps = regions[i];
            if (found[i].empty())
                continue;
            if (view.forMasks && maps.masks.defined())
                masks[i].add(view.isMirrored ? maps.masks.flip({2}) : maps.masks, spokenOf(found[i], view, false, 0));
            if (view.forKeypoints && maps.keypoints.defined())
                keypoints[i].add(view.isMirrored ? unmirroredKeypoints(maps.keypoints) : maps.keypoints,
                                 spokenOf(found[i], view, m_rules.keypointsBySize, m_rules.smallArea));
        }
    }
    for (std::size_t i = 0; i < found.size(); ++i) {
        if (!masks[i].isEmpty())
            layMasks(masks[i].value(), batches.front().samples[i], found[i]);
        if (!keypoints[i].isEmpty())
            layKeypoints(keypoints[i].value(), model.suppression().oksSuppression, found[i]);
    }
}

} // namespace trainyard
