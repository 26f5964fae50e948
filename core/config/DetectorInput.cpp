#include "core/config/DetectorInput.h"

#include <set>

namespace trainyard {

DetectorInput detectorInput(const ModelConfig& model) {
    static const std::set<std::string> byRegions = {
        "fast_rcnn", "faster_rcnn", "keypoint_rcnn", "mask_keypoint_rcnn", "mask_rcnn", "rfcn", "rpn"};
    if (byRegions.count(model.type) == 0)
        return {.section = "model.retinanet", .classes = model.retinanet.classes, .side = model.retinanet.inputSize};
    const RcnnConfig& rcnn = model.rcnn;
    DetectorInput input{.section = "model.rcnn", .classes = rcnn.classes, .side = rcnn.inputSize};
    input.hasMasks = model.type == "mask_rcnn" || model.type == "mask_keypoint_rcnn";
    if (model.type == "keypoint_rcnn" || model.type == "mask_keypoint_rcnn")
        input.keypoints = rcnn.keypoint.keypoints;
    input.takesProposals = model.type == "fast_rcnn" || (model.type != "rpn" && rcnn.proposals == "given");
    return input;
}

} // namespace trainyard
