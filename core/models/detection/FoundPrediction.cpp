#include "core/models/detection/FoundPrediction.h"

#include "core/models/detection/KeypointHead.h"
#include "core/models/detection/KeypointSuppression.h"
#include "core/models/detection/MaskHead.h"
#include "core/models/detection/PostProcess.h"

#include <ATen/ATen.h>

namespace trainyard {
namespace {

constexpr int kVisible = 2; // as COCO counts it

at::Tensor rowOf(const Box& box) {
    return at::tensor({box.x1, box.y1, box.x2, box.y2}).unsqueeze(0);
}

/// The box with edges in place of last pixels, and back.
Box edgesOf(const Box& box, BoxConvention convention) {
    const float bit = convention == BoxConvention::Detectron ? 1 : 0;
    return {box.x1, box.y1, box.x2 + bit, box.y2 + bit};
}
Box withoutEdges(const Box& box, BoxConvention convention) {
    const float bit = convention == BoxConvention::Detectron ? 1 : 0;
    return {box.x1, box.y1, box.x2 - bit, box.y2 - bit};
}

/// Where the keypoints of one object are, float [1, P, 3]. Detectron scales its heat maps to the box in the file,
/// torchvision to that in the network.
at::Tensor placesOf(const at::Tensor& logits, const Box& network, const Box& file, BoxConvention convention) {
    return keypointsOf(logits.unsqueeze(0), rowOf(convention == BoxConvention::Detectron ? file : network));
}

/// The same in file pixels.
std::vector<Keypoint> keypointsIn(const at::Tensor& places, const SampleInfo& sample, BoxConvention convention) {
    const bool isInFile = convention == BoxConvention::Detectron;
    std::vector<Keypoint> keypoints;
    for (std::int64_t k = 0; k < places.size(1); ++k) {
        const float* place = places.data_ptr<float>() + 3 * k;
        const Point at = isInFile ? Point{place[0], place[1]}
                                  : Point{float((double(place[0]) - sample.offsetX) / sample.scaleX),
                                          float((double(place[1]) - sample.offsetY) / sample.scaleY)};
        keypoints.push_back({at, kVisible});
    }
    return keypoints;
}

} // namespace

Prediction predictionOf(FoundObjects found, const SampleInfo& sample, const FoundRules& rules) {
    const bool isKnown = sample.width > 0 && sample.height > 0;
    const std::int64_t height = isKnown ? sample.height : rules.networkHeight;
    const std::int64_t width = isKnown ? sample.width : rules.networkWidth;
    std::vector<double> clarity; // of each object's keypoints
    for (std::size_t i = 0; i < found.detections.size(); ++i) {
        Detection& detection = found.detections[i];
        const Box network = detection.box;
        detection.box = toFilePixels(edgesOf(network, rules.convention), sample);
        const Box file = withoutEdges(detection.box, rules.convention);
        if (found.masks.defined())
            detection.mask = maskInPicture(found.masks[std::int64_t(i)], file, height, width, rules.maskThreshold);
        if (!found.keypoints.defined())
            continue;
        const at::Tensor places = placesOf(found.keypoints[std::int64_t(i)], network, file, rules.convention);
        detection.keypoints = keypointsIn(places, sample, rules.convention);
        clarity.push_back(keypointClarity(places).front());
    }
    if (found.keypoints.defined())
        suppressAlikeKeypoints(found.detections, clarity, rules.oksSuppression);
    Prediction prediction;
    prediction.detections = std::move(found.detections);
    return prediction;
}

} // namespace trainyard
