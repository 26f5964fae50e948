#include "core/config/imports/DetectronMapping.h"

#include <fmt/format.h>

#include <cmath>

namespace trainyard::detectron {
namespace {

constexpr double kKeypointsAlike = 0.3; // fixed in Detectron

bool contains(const std::string& text, std::string_view part) {
    return text.find(part) != std::string::npos;
}

std::string modelType(const Config& from) {
    if (from.text("MODEL.TYPE") == "rfcn")
        return "rfcn";
    if (from.flag("MODEL.RPN_ONLY"))
        return "rpn";
    if (from.flag("MODEL.MASK_ON") && from.flag("MODEL.KEYPOINTS_ON"))
        return "mask_keypoint_rcnn";
    if (from.flag("MODEL.MASK_ON"))
        return "mask_rcnn";
    if (from.flag("MODEL.KEYPOINTS_ON"))
        return "keypoint_rcnn";
    return from.flag("MODEL.FASTER_RCNN") ? "faster_rcnn" : "fast_rcnn";
}

void mapProposals(Mapping& mapping) {
    const Config& from = mapping.from;
    const bool isPyramid = from.flag("FPN.FPN_ON");
    std::vector<double> sizes = from.numbers("RPN.SIZES");
    if (isPyramid) {
        sizes.clear();
        for (int level = 2; level <= 6; ++level)
            sizes.push_back(std::ldexp(double(from.integer("FPN.RPN_ANCHOR_START_SIZE")), level - 2));
        if (from.integer("FPN.RPN_MIN_LEVEL") != 2 || from.integer("FPN.RPN_MAX_LEVEL") != 6)
            return mapping.problem("FPN.RPN_MIN_LEVEL", "A pyramid of proposals here has the levels P2 to P6: set "
                                                        "FPN.RPN_MIN_LEVEL to 2 and FPN.RPN_MAX_LEVEL to 6.");
    }
    mapping.put({"RPN.SIZES", "FPN.RPN_ANCHOR_START_SIZE", "FPN.RPN_MIN_LEVEL", "FPN.RPN_MAX_LEVEL"},
                "model.rcnn.rpn.anchor_sizes", sizes);
    mapping.map(isPyramid ? "FPN.RPN_ASPECT_RATIOS" : "RPN.ASPECT_RATIOS", "model.rcnn.rpn.aspect_ratios");
    mapping.map("TRAIN.RPN_POSITIVE_OVERLAP", "model.rcnn.rpn.foreground_iou");
    mapping.map("TRAIN.RPN_NEGATIVE_OVERLAP", "model.rcnn.rpn.background_iou");
    mapping.map("TRAIN.RPN_BATCH_SIZE_PER_IM", "model.rcnn.rpn.anchors_per_image");
    mapping.map("TRAIN.RPN_FG_FRACTION", "model.rcnn.rpn.foreground_share");
    mapping.map("TRAIN.RPN_STRADDLE_THRESH", "model.rcnn.rpn.straddle");
    mapping.map("TRAIN.RPN_NMS_THRESH", "model.rcnn.rpn.nms_iou");
    mapping.map("TRAIN.RPN_MIN_SIZE", "model.rcnn.rpn.least_size");
    mapping.map("TRAIN.RPN_PRE_NMS_TOP_N", "model.rcnn.rpn.train_candidates");
    mapping.map("TRAIN.RPN_POST_NMS_TOP_N", "model.rcnn.rpn.train_proposals");
    mapping.map("TEST.RPN_PRE_NMS_TOP_N", "model.rcnn.rpn.test_candidates");
    mapping.map("TEST.RPN_POST_NMS_TOP_N", "model.rcnn.rpn.test_proposals");
    for (const char* key : {"NMS_THRESH", "MIN_SIZE"}) {
        const std::string train = std::string("TRAIN.RPN_") + key, test = std::string("TEST.RPN_") + key;
        if (from.real(train) == from.real(test))
            mapping.use({test});
        else
            mapping.adapt(test, fmt::format("what {} says holds in both.", train));
    }
}

/// Which layers look at each region. Detectron's older names had another module.
void mapBoxLayers(Mapping& mapping) {
    const std::string& head = mapping.from.text("FAST_RCNN.ROI_BOX_HEAD");
    const std::vector<std::string> source = {"FAST_RCNN.ROI_BOX_HEAD"};
    if (contains(head, "head_builder."))
        mapping.adapt(source[0], "it is called fast_rcnn_heads.add_roi_2mlp_head now.");
    if (contains(head, "2mlp") || contains(head, "VGG")) {
        mapping.put(source, "model.rcnn.box.head", std::string("mlp"));
        mapping.map("FAST_RCNN.MLP_HEAD_DIM", "model.rcnn.box.width");
        if (contains(head, "VGG")) // two layers of its own width
            mapping.to.set("model.rcnn.box.width", std::int64_t(contains(head, "VGG16") ? 4096 : 1024));
    } else if (contains(head, "Xconv1fc")) {
        mapping.put(source, "model.rcnn.box.head", std::string("convolutions"));
        mapping.map("FAST_RCNN.MLP_HEAD_DIM", "model.rcnn.box.width");
        mapping.map("FAST_RCNN.CONV_HEAD_DIM", "model.rcnn.box.channels");
        mapping.map("FAST_RCNN.NUM_STACKED_CONVS", "model.rcnn.box.convolutions");
    } else if (contains(head, "conv5_head")) {
        mapping.put(source, "model.rcnn.box.head", std::string("stage"));
    } else if (!head.empty()) {
        mapping.problem(source[0], fmt::format("There is no box head \"{}\".", head));
    }
}

std::string poolingOf(const std::string& method) {
    return method == "RoIAlign" ? "align" : method == "RoIPoolF" ? "pool" : method;
}

void mapBoxHead(Mapping& mapping) {
    mapBoxLayers(mapping);
    const std::string method = poolingOf(mapping.from.text("FAST_RCNN.ROI_XFORM_METHOD"));
    if (!mapping.put({"FAST_RCNN.ROI_XFORM_METHOD"}, "model.rcnn.box.pooling", method) &&
        ImportTarget::has("model.rcnn.box.pooling"))
        mapping.problem("FAST_RCNN.ROI_XFORM_METHOD", fmt::format("There is no pooling \"{}\"; choose RoIAlign or "
                                                                  "RoIPoolF.",
                                                                  method));
    mapping.map("FAST_RCNN.ROI_XFORM_RESOLUTION", "model.rcnn.box.resolution");
    mapping.map("FAST_RCNN.ROI_XFORM_SAMPLING_RATIO", "model.rcnn.box.samples");
    mapping.map("TRAIN.BATCH_SIZE_PER_IM", "model.rcnn.box.regions_per_image");
    mapping.map("TRAIN.FG_FRACTION", "model.rcnn.box.foreground_share");
    mapping.map("TRAIN.FG_THRESH", "model.rcnn.box.foreground_iou");
    mapping.map("TRAIN.BG_THRESH_HI", "model.rcnn.box.background_iou");
    mapping.map("TRAIN.BG_THRESH_LO", "model.rcnn.box.least_background_iou");
    if (mapping.from.real("TRAIN.BBOX_THRESH") == mapping.from.real("TRAIN.FG_THRESH"))
        mapping.use({"TRAIN.BBOX_THRESH"});
    mapping.map("MODEL.CLS_AGNOSTIC_BBOX_REG", "model.rcnn.box.class_agnostic");
    mapping.map("MODEL.BBOX_REG_WEIGHTS", "model.rcnn.box.box_weights");
    mapping.map("TEST.SCORE_THRESH", "model.rcnn.box.score_threshold");
    mapping.map("TEST.NMS", "model.rcnn.box.nms_iou");
    mapping.map("TEST.DETECTIONS_PER_IM", "model.rcnn.box.max_detections");
}

void mapMaskHead(Mapping& mapping) {
    const Config& from = mapping.from;
    const std::string& head = from.text("MRCNN.ROI_MASK_HEAD");
    const std::vector<std::string> source = {"MRCNN.ROI_MASK_HEAD"};
    if (contains(head, "ResNet_mask_rcnn"))
        mapping.adapt(source[0], "its name no longer has ResNet_ in it.");
    const bool isShared = contains(head, "v0upshare"), isStage = contains(head, "v0up");
    if (!isStage && !contains(head, "v1up"))
        return mapping.problem(source[0], fmt::format("There is no mask head \"{}\".", head));
    mapping.put(source, "model.rcnn.mask.head",
                std::string(isShared  ? "shared_stage"
                            : isStage ? "stage"
                                      : "convolutions"));
    if (!isStage)
        mapping.to.set("model.rcnn.mask.convolutions", std::int64_t(contains(head, "4convs") ? 4 : 2));
    mapping.map("MRCNN.ROI_XFORM_RESOLUTION", "model.rcnn.mask.resolution");
    mapping.map("MRCNN.ROI_XFORM_SAMPLING_RATIO", "model.rcnn.mask.samples");
    mapping.map("MRCNN.DIM_REDUCED", "model.rcnn.mask.channels");
    mapping.map("MRCNN.DILATION", "model.rcnn.mask.dilation");
    mapping.put({"MRCNN.CLS_SPECIFIC_MASK"}, "model.rcnn.mask.class_agnostic", !from.flag("MRCNN.CLS_SPECIFIC_MASK"));
    mapping.map("MRCNN.WEIGHT_LOSS_MASK", "model.rcnn.mask.loss_weight");
    mapping.map("MRCNN.THRESH_BINARIZE", "model.rcnn.mask.threshold");
    if (!isStage && from.integer("MRCNN.RESOLUTION") == 2 * from.integer("MRCNN.ROI_XFORM_RESOLUTION"))
        mapping.use({"MRCNN.RESOLUTION"});
    if (from.text("MRCNN.ROI_XFORM_METHOD") == "RoIAlign")
        mapping.use({"MRCNN.ROI_XFORM_METHOD"});
    mapping.adapt("MRCNN.CONV_INIT", "the heads have initial values of their own.");
}

void mapKeypointHead(Mapping& mapping) {
    const Config& from = mapping.from;
    const std::string& head = from.text("KRCNN.ROI_KEYPOINTS_HEAD");
    if (!contains(head, "v1convX"))
        return mapping.problem("KRCNN.ROI_KEYPOINTS_HEAD", fmt::format("There is no keypoint head \"{}\".", head));
    mapping.use({"KRCNN.ROI_KEYPOINTS_HEAD"});
    mapping.map("KRCNN.NUM_KEYPOINTS", "model.rcnn.keypoint.keypoints");
    mapping.map("KRCNN.ROI_XFORM_RESOLUTION", "model.rcnn.keypoint.resolution");
    mapping.map("KRCNN.ROI_XFORM_SAMPLING_RATIO", "model.rcnn.keypoint.samples");
    mapping.map("KRCNN.NUM_STACKED_CONVS", "model.rcnn.keypoint.convolutions");
    mapping.map("KRCNN.CONV_HEAD_DIM", "model.rcnn.keypoint.channels");
    mapping.map("KRCNN.LOSS_WEIGHT", "model.rcnn.keypoint.loss_weight");
    mapping.map("KRCNN.NORMALIZE_BY_VISIBLE_KEYPOINTS", "model.rcnn.keypoint.normalise_by_visible");
    if (from.integer("KRCNN.HEATMAP_SIZE") == 4 * from.integer("KRCNN.ROI_XFORM_RESOLUTION") &&
        from.flag("KRCNN.USE_DECONV_OUTPUT") && from.integer("KRCNN.UP_SCALE") == 2)
        mapping.use({"KRCNN.HEATMAP_SIZE", "KRCNN.USE_DECONV_OUTPUT", "KRCNN.UP_SCALE"});
    if (from.text("KRCNN.ROI_XFORM_METHOD") == "RoIAlign")
        mapping.use({"KRCNN.ROI_XFORM_METHOD"});
    if (from.text("KRCNN.KEYPOINT_CONFIDENCE") == "bbox")
        mapping.use({"KRCNN.KEYPOINT_CONFIDENCE"});
    mapping.put({"KRCNN.NMS_OKS"}, "model.rcnn.keypoint.oks_suppression",
                from.flag("KRCNN.NMS_OKS") ? kKeypointsAlike : 0.0);
    mapping.adapt("KRCNN.CONV_INIT", "the heads have initial values of their own.");
}

void mapPyramid(Mapping& mapping) {
    const Config& from = mapping.from;
    mapping.map("FPN.FPN_ON", "model.rcnn.pyramid");
    if (!from.flag("FPN.FPN_ON"))
        return;
    mapping.map("FPN.DIM", "model.rcnn.pyramid_channels");
    mapping.put({"FPN.USE_GN"}, "model.rcnn.head_norm", std::string(from.flag("FPN.USE_GN") ? "group" : "none"));
    if (from.flag("FPN.MULTILEVEL_RPN"))
        mapping.use({"FPN.MULTILEVEL_RPN"});
    if (from.flag("FPN.MULTILEVEL_ROIS"))
        mapping.use({"FPN.MULTILEVEL_ROIS"});
}

} // namespace

void mapRegions(Mapping& mapping) {
    const Config& from = mapping.from;
    const std::string type = modelType(from);
    const std::vector<std::string> sources = {"MODEL.FASTER_RCNN", "MODEL.MASK_ON", "MODEL.KEYPOINTS_ON",
                                              "MODEL.RPN_ONLY", "RPN.RPN_ON"};
    if (!mapping.put(sources, "model.type", type))
        return mapping.problem("MODEL.TYPE", fmt::format("There is no model {} here.", type));
    mapping.to.set("model.rcnn.convention", std::string("detectron"));
    const bool isProposing = from.flag("MODEL.FASTER_RCNN") || from.flag("MODEL.RPN_ONLY");
    mapping.to.set("model.rcnn.proposals", std::string(isProposing ? "network" : "given"));
    mapping.map("TRAIN.FREEZE_CONV_BODY", "model.rcnn.frozen_body");
    mapPyramid(mapping);
    mapProposals(mapping);
    mapBoxHead(mapping);
    if (from.flag("MODEL.MASK_ON"))
        mapMaskHead(mapping);
    if (from.flag("MODEL.KEYPOINTS_ON"))
        mapKeypointHead(mapping);
    if (type == "rfcn")
        mapping.map("RFCN.PS_GRID_SIZE", "model.rcnn.rfcn.bins");
}

} // namespace trainyard::detectron
