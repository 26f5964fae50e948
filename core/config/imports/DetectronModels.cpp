#include "core/config/imports/DetectronMapping.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <optional>

namespace trainyard::detectron {
namespace {

constexpr std::array kOldTypes = {"fast_rcnn", "mask_rcnn", "keypoint_rcnn", "mask_and_keypoint_rcnn",
                                  "rpn",       "fpn_rpn",   "faster_rcnn"};

/// The number after "ResNet" in a body's function; nothing for other bodies.
std::optional<std::int64_t> resNetDepth(const std::string& body) {
    const std::size_t at = body.find("ResNet");
    std::size_t digit = at == std::string::npos ? body.size() : at + 6;
    // "ResNet.add_ResNet50_conv4_body" names its module first
    if (const std::size_t last = body.rfind("ResNet"); last != std::string::npos)
        digit = last + 6;
    std::int64_t depth = 0;
    for (; digit < body.size() && std::isdigit(static_cast<unsigned char>(body[digit])); ++digit)
        depth = depth * 10 + (body[digit] - '0');
    return depth > 0 ? std::optional(depth) : std::nullopt;
}

bool hasGroupNorm(const Config& from) {
    return from.text("RESNETS.TRANS_FUNC").find("_gn_") != std::string::npos;
}

void mapNorm(Mapping& mapping) {
    mapping.put({"RESNETS.TRANS_FUNC", "RESNETS.STEM_FUNC", "RESNETS.SHORTCUT_FUNC"}, "model.norm",
                std::string(hasGroupNorm(mapping.from) ? "group" : "affine"));
    const Config& from = mapping.from;
    if (from.integer("GROUP_NORM.NUM_GROUPS") == 32 && from.integer("GROUP_NORM.DIM_PER_GP") == -1)
        mapping.use({"GROUP_NORM.NUM_GROUPS", "GROUP_NORM.DIM_PER_GP"});
    if (from.real("GROUP_NORM.EPSILON") == 1e-5)
        mapping.use({"GROUP_NORM.EPSILON"});
}

void mapClasses(Mapping& mapping, const std::string& key) {
    const std::int64_t classes = mapping.from.integer("MODEL.NUM_CLASSES");
    if (classes < 2)
        return mapping.problem(
            "MODEL.NUM_CLASSES",
            fmt::format("MODEL.NUM_CLASSES must count the background and at least one class, not {}.", classes));
    mapping.put({"MODEL.NUM_CLASSES"}, key, classes - 1);
}

/// Ours counts the stem first: 2 keeps the stem and res2, as FREEZE_AT 2 does.
void mapFreezing(Mapping& mapping, const std::string& section) {
    const std::int64_t at = mapping.from.integer("TRAIN.FREEZE_AT");
    if (at != 0 && (at < 2 || at > 5))
        return mapping.problem("TRAIN.FREEZE_AT", fmt::format("TRAIN.FREEZE_AT must be 0, 2, 3, 4 or 5, not {}.", at));
    mapping.put({"TRAIN.FREEZE_AT"}, section + ".frozen_stages", at);
}

void mapBody(Mapping& mapping, const std::string& section) {
    const std::string& body = mapping.from.text("MODEL.CONV_BODY");
    if (const auto depth = resNetDepth(body)) {
        mapping.put({"MODEL.CONV_BODY"}, section + ".depth", *depth);
        mapping.to.set(section + ".body", std::string("resnet"));
    } else if (body.find("VGG16") != std::string::npos) {
        mapping.put({"MODEL.CONV_BODY"}, section + ".body", std::string("vgg16"));
    } else if (body.find("VGG_CNN_M_1024") != std::string::npos) {
        mapping.put({"MODEL.CONV_BODY"}, section + ".body", std::string("vgg_m"));
    } else {
        return mapping.problem("MODEL.CONV_BODY", fmt::format("There is no body \"{}\".", body));
    }
    if (body.find("P2only") != std::string::npos)
        mapping.adapt("MODEL.CONV_BODY", "all levels of the pyramid are used, not the finest alone.");
    mapping.map("RESNETS.NUM_GROUPS", section + ".groups");
    mapping.map("RESNETS.WIDTH_PER_GROUP", section + ".group_width");
    mapping.map("RESNETS.RES5_DILATION", section + ".last_dilation");
    if (!mapping.map("RESNETS.STRIDE_1X1", section + ".strides_on_1x1") && mapping.from.flag("RESNETS.STRIDE_1X1"))
        mapping.adapt("RESNETS.STRIDE_1X1",
                      "blocks stride on their 3x3 convolution, so that weights of Detectron fit but "
                      "see their features a little differently.",
                      true);
    if (mapping.from.integer("RESNETS.NUM_GROUPS") == 1 && mapping.from.integer("RESNETS.WIDTH_PER_GROUP") == 64)
        mapping.use({"RESNETS.NUM_GROUPS", "RESNETS.WIDTH_PER_GROUP"});
    if (mapping.from.integer("RESNETS.RES5_DILATION") == 1)
        mapping.use({"RESNETS.RES5_DILATION"});
    mapFreezing(mapping, section);
}

/// Sides of the base anchors of P3 to P7, and what they are multiplied with.
void mapRetinaAnchors(Mapping& mapping) {
    const Config& from = mapping.from;
    const std::int64_t first = from.integer("FPN.RPN_MIN_LEVEL"), last = from.integer("FPN.RPN_MAX_LEVEL");
    const std::int64_t octaves = from.integer("RETINANET.SCALES_PER_OCTAVE");
    if (first != 3 || last != 7 || !from.flag("FPN.EXTRA_CONV_LEVELS"))
        return mapping.problem("FPN.RPN_MIN_LEVEL", "A RetinaNet here has the levels P3 to P7, convolved above P5: set "
                                                    "FPN.RPN_MIN_LEVEL to 3, FPN.RPN_MAX_LEVEL to 7 and "
                                                    "FPN.EXTRA_CONV_LEVELS to True.");
    if (octaves < 1 || octaves > 100)
        return mapping.problem("RETINANET.SCALES_PER_OCTAVE",
                               fmt::format("RETINANET.SCALES_PER_OCTAVE must be from 1 to 100, not {}.", octaves));
    std::vector<double> sizes, scales;
    for (std::int64_t level = first; level <= last; ++level)
        sizes.push_back(std::ldexp(double(from.integer("RETINANET.ANCHOR_SCALE")), int(level)));
    for (std::int64_t octave = 0; octave < octaves; ++octave)
        scales.push_back(std::exp2(double(octave) / double(octaves)));
    mapping.put({"RETINANET.ANCHOR_SCALE"}, "model.retinanet.anchor_sizes", sizes);
    mapping.put({"RETINANET.SCALES_PER_OCTAVE"}, "model.retinanet.anchor_scales", scales);
    mapping.map("RETINANET.ASPECT_RATIOS", "model.retinanet.aspect_ratios");
    mapping.use({"FPN.RPN_MIN_LEVEL", "FPN.RPN_MAX_LEVEL", "FPN.EXTRA_CONV_LEVELS", "FPN.FPN_ON", "FPN.MULTILEVEL_RPN",
                 "RETINANET.RETINANET_ON", "MODEL.TYPE"});
}

void mapRetinaNet(Mapping& mapping) {
    const std::string section = "model.retinanet";
    mapping.put({}, "model.type", std::string("retinanet"));
    mapping.to.set(section + ".convention", std::string("detectron"));
    mapClasses(mapping, section + ".classes");
    mapBody(mapping, section);
    mapping.map("FPN.DIM", section + ".fpn_channels");
    mapping.map("RETINANET.NUM_CONVS", section + ".head_convolutions");
    mapping.map("RETINANET.SHARE_CLS_BBOX_TOWER", section + ".shared_convolutions");
    mapRetinaAnchors(mapping);
    mapping.map("RETINANET.POSITIVE_OVERLAP", section + ".foreground_iou");
    mapping.map("RETINANET.NEGATIVE_OVERLAP", section + ".background_iou");
    mapping.map("RETINANET.LOSS_ALPHA", section + ".focal_alpha");
    mapping.map("RETINANET.LOSS_GAMMA", section + ".focal_gamma");
    mapping.map("RETINANET.BBOX_REG_WEIGHT", section + ".box_loss_weight");
    mapping.map("RETINANET.INFERENCE_TH", section + ".score_threshold");
    mapping.map("RETINANET.PRE_NMS_TOP_N", section + ".top_candidates");
    mapping.map("TEST.NMS", section + ".nms_iou");
    mapping.map("TEST.DETECTIONS_PER_IM", section + ".max_detections");
    mapping.adapt("TRAIN.RPN_STRADDLE_THRESH", "a RetinaNet looks at every anchor.");
    for (const char* unread :
         {"TEST.RPN_PRE_NMS_TOP_N", "TEST.RPN_POST_NMS_TOP_N", "TRAIN.RPN_PRE_NMS_TOP_N", "TRAIN.RPN_POST_NMS_TOP_N"})
        mapping.adapt(unread, "a RetinaNet makes no proposals.");
}

/// Old names that Detectron itself takes with a warning.
void noteOldType(Mapping& mapping, const std::string& type) {
    for (const char* old : kOldTypes)
        if (type == old)
            mapping.adapt("MODEL.TYPE",
                          fmt::format("{} is called generalized_rcnn now; what it is follows from the other "
                                      "keys.",
                                      type));
    mapping.use({"MODEL.TYPE"});
}

} // namespace

void mapModel(Mapping& mapping) {
    const std::string& type = mapping.from.text("MODEL.TYPE");
    mapNorm(mapping);
    mapping.use({"MODEL.EXECUTION_TYPE"});
    if (type == "retinanet")
        return mapRetinaNet(mapping);
    const bool isOld = std::find(kOldTypes.begin(), kOldTypes.end(), type) != kOldTypes.end();
    if (type != "generalized_rcnn" && type != "rfcn" && !isOld)
        return mapping.problem("MODEL.TYPE",
                               fmt::format("There is no model \"{}\"; choose generalized_rcnn, retinanet or "
                                           "rfcn.",
                                           type));
    noteOldType(mapping, type);
    mapClasses(mapping, "model.rcnn.classes");
    mapBody(mapping, "model.rcnn");
    mapRegions(mapping);
}

} // namespace trainyard::detectron
