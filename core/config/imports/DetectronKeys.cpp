#include "core/config/imports/DetectronKeys.h"

#include <algorithm>

namespace trainyard::detectron {
namespace {

struct Default {
    const char* key;
    const char* literal; ///< Python's
};

constexpr Default kTraining[] = {
    {"TRAIN.WEIGHTS", "''"},
    {"TRAIN.DATASETS", "()"},
    {"TRAIN.SCALES", "(600,)"},
    {"TRAIN.MAX_SIZE", "1000"},
    {"TRAIN.IMS_PER_BATCH", "2"},
    {"TRAIN.BATCH_SIZE_PER_IM", "64"},
    {"TRAIN.FG_FRACTION", "0.25"},
    {"TRAIN.FG_THRESH", "0.5"},
    {"TRAIN.BG_THRESH_HI", "0.5"},
    {"TRAIN.BG_THRESH_LO", "0.0"},
    {"TRAIN.USE_FLIPPED", "True"},
    {"TRAIN.BBOX_THRESH", "0.5"},
    {"TRAIN.SNAPSHOT_ITERS", "80000"},
    {"TRAIN.PROPOSAL_FILES", "()"},
    {"TRAIN.ASPECT_GROUPING", "True"},
    {"TRAIN.GENERATE_PROPOSALS_ON_GPU", "False"},
    {"TRAIN.RPN_POSITIVE_OVERLAP", "0.7"},
    {"TRAIN.RPN_NEGATIVE_OVERLAP", "0.3"},
    {"TRAIN.RPN_FG_FRACTION", "0.5"},
    {"TRAIN.RPN_BATCH_SIZE_PER_IM", "256"},
    {"TRAIN.RPN_NMS_THRESH", "0.7"},
    {"TRAIN.RPN_PRE_NMS_TOP_N", "12000"},
    {"TRAIN.RPN_POST_NMS_TOP_N", "2000"},
    {"TRAIN.RPN_STRADDLE_THRESH", "0"},
    {"TRAIN.RPN_MIN_SIZE", "0"},
    {"TRAIN.CROWD_FILTER_THRESH", "0.7"},
    {"TRAIN.GT_MIN_AREA", "-1"},
    {"TRAIN.FREEZE_CONV_BODY", "False"},
    {"TRAIN.AUTO_RESUME", "True"},
    {"TRAIN.COPY_WEIGHTS", "False"},
    {"TRAIN.FREEZE_AT", "2"},
    {"DATA_LOADER.NUM_THREADS", "4"},
    {"DATA_LOADER.MINIBATCH_QUEUE_SIZE", "64"},
    {"DATA_LOADER.BLOBS_QUEUE_CAPACITY", "8"},
    {"SOLVER.BASE_LR", "0.001"},
    {"SOLVER.LR_POLICY", "'step'"},
    {"SOLVER.GAMMA", "0.1"},
    {"SOLVER.STEP_SIZE", "30000"},
    {"SOLVER.STEPS", "[]"},
    {"SOLVER.LRS", "[]"},
    {"SOLVER.MAX_ITER", "40000"},
    {"SOLVER.MOMENTUM", "0.9"},
    {"SOLVER.WEIGHT_DECAY", "0.0005"},
    {"SOLVER.WEIGHT_DECAY_GN", "0.0"},
    {"SOLVER.WARM_UP_ITERS", "500"},
    {"SOLVER.WARM_UP_FACTOR", "0.3333333333333333"},
    {"SOLVER.WARM_UP_METHOD", "'linear'"},
    {"SOLVER.SCALE_MOMENTUM", "True"},
    {"SOLVER.SCALE_MOMENTUM_THRESHOLD", "1.1"},
    {"SOLVER.LOG_LR_CHANGE_THRESHOLD", "1.1"},
};

constexpr Default kTest[] = {
    {"TEST.WEIGHTS", "''"},
    {"TEST.DATASETS", "()"},
    {"TEST.SCALE", "600"},
    {"TEST.MAX_SIZE", "1000"},
    {"TEST.NMS", "0.3"},
    {"TEST.BBOX_REG", "True"},
    {"TEST.PROPOSAL_FILES", "()"},
    {"TEST.GENERATE_PROPOSALS_ON_GPU", "False"},
    {"TEST.PROPOSAL_LIMIT", "2000"},
    {"TEST.CLASS_SPECIFIC_AR", "False"},
    {"TEST.RPN_NMS_THRESH", "0.7"},
    {"TEST.RPN_PRE_NMS_TOP_N", "12000"},
    {"TEST.RPN_POST_NMS_TOP_N", "2000"},
    {"TEST.RPN_MIN_SIZE", "0"},
    {"TEST.DETECTIONS_PER_IM", "100"},
    {"TEST.SCORE_THRESH", "0.05"},
    {"TEST.COMPETITION_MODE", "True"},
    {"TEST.FORCE_JSON_DATASET_EVAL", "False"},
    {"TEST.PRECOMPUTED_PROPOSALS", "True"},
    {"TEST.BBOX_AUG.ENABLED", "False"},
    {"TEST.BBOX_AUG.SCORE_HEUR", "'UNION'"},
    {"TEST.BBOX_AUG.COORD_HEUR", "'UNION'"},
    {"TEST.BBOX_AUG.H_FLIP", "False"},
    {"TEST.BBOX_AUG.SCALES", "()"},
    {"TEST.BBOX_AUG.MAX_SIZE", "4000"},
    {"TEST.BBOX_AUG.SCALE_H_FLIP", "False"},
    {"TEST.BBOX_AUG.SCALE_SIZE_DEP", "False"},
    {"TEST.BBOX_AUG.AREA_TH_LO", "2500"},
    {"TEST.BBOX_AUG.AREA_TH_HI", "32400"},
    {"TEST.BBOX_AUG.ASPECT_RATIOS", "()"},
    {"TEST.BBOX_AUG.ASPECT_RATIO_H_FLIP", "False"},
    {"TEST.MASK_AUG.ENABLED", "False"},
    {"TEST.MASK_AUG.HEUR", "'SOFT_AVG'"},
    {"TEST.MASK_AUG.H_FLIP", "False"},
    {"TEST.MASK_AUG.SCALES", "()"},
    {"TEST.MASK_AUG.MAX_SIZE", "4000"},
    {"TEST.MASK_AUG.SCALE_H_FLIP", "False"},
    {"TEST.MASK_AUG.SCALE_SIZE_DEP", "False"},
    {"TEST.MASK_AUG.AREA_TH", "32400"},
    {"TEST.MASK_AUG.ASPECT_RATIOS", "()"},
    {"TEST.MASK_AUG.ASPECT_RATIO_H_FLIP", "False"},
    {"TEST.KPS_AUG.ENABLED", "False"},
    {"TEST.KPS_AUG.HEUR", "'HM_AVG'"},
    {"TEST.KPS_AUG.H_FLIP", "False"},
    {"TEST.KPS_AUG.SCALES", "()"},
    {"TEST.KPS_AUG.MAX_SIZE", "4000"},
    {"TEST.KPS_AUG.SCALE_H_FLIP", "False"},
    {"TEST.KPS_AUG.SCALE_SIZE_DEP", "False"},
    {"TEST.KPS_AUG.AREA_TH", "32400"},
    {"TEST.KPS_AUG.ASPECT_RATIOS", "()"},
    {"TEST.KPS_AUG.ASPECT_RATIO_H_FLIP", "False"},
    {"TEST.SOFT_NMS.ENABLED", "False"},
    {"TEST.SOFT_NMS.METHOD", "'linear'"},
    {"TEST.SOFT_NMS.SIGMA", "0.5"},
    {"TEST.BBOX_VOTE.ENABLED", "False"},
    {"TEST.BBOX_VOTE.VOTE_TH", "0.8"},
    {"TEST.BBOX_VOTE.SCORING_METHOD", "'ID'"},
    {"TEST.BBOX_VOTE.SCORING_METHOD_BETA", "1.0"},
};

constexpr Default kModels[] = {
    {"MODEL.TYPE", "''"},
    {"MODEL.CONV_BODY", "''"},
    {"MODEL.NUM_CLASSES", "-1"},
    {"MODEL.CLS_AGNOSTIC_BBOX_REG", "False"},
    {"MODEL.BBOX_REG_WEIGHTS", "(10.0, 10.0, 5.0, 5.0)"},
    {"MODEL.FASTER_RCNN", "False"},
    {"MODEL.MASK_ON", "False"},
    {"MODEL.KEYPOINTS_ON", "False"},
    {"MODEL.RPN_ONLY", "False"},
    {"MODEL.EXECUTION_TYPE", "'dag'"},
    {"RETINANET.RETINANET_ON", "False"},
    {"RETINANET.ASPECT_RATIOS", "(0.5, 1.0, 2.0)"},
    {"RETINANET.SCALES_PER_OCTAVE", "3"},
    {"RETINANET.ANCHOR_SCALE", "4"},
    {"RETINANET.NUM_CONVS", "4"},
    {"RETINANET.BBOX_REG_WEIGHT", "1.0"},
    {"RETINANET.BBOX_REG_BETA", "0.11"},
    {"RETINANET.PRE_NMS_TOP_N", "1000"},
    {"RETINANET.POSITIVE_OVERLAP", "0.5"},
    {"RETINANET.NEGATIVE_OVERLAP", "0.4"},
    {"RETINANET.LOSS_ALPHA", "0.25"},
    {"RETINANET.LOSS_GAMMA", "2.0"},
    {"RETINANET.PRIOR_PROB", "0.01"},
    {"RETINANET.SHARE_CLS_BBOX_TOWER", "False"},
    {"RETINANET.CLASS_SPECIFIC_BBOX", "False"},
    {"RETINANET.SOFTMAX", "False"},
    {"RETINANET.INFERENCE_TH", "0.05"},
    {"FAST_RCNN.ROI_BOX_HEAD", "''"},
    {"FAST_RCNN.MLP_HEAD_DIM", "1024"},
    {"FAST_RCNN.CONV_HEAD_DIM", "256"},
    {"FAST_RCNN.NUM_STACKED_CONVS", "4"},
    {"FAST_RCNN.ROI_XFORM_METHOD", "'RoIPoolF'"},
    {"FAST_RCNN.ROI_XFORM_SAMPLING_RATIO", "0"},
    {"FAST_RCNN.ROI_XFORM_RESOLUTION", "14"},
    {"RPN.RPN_ON", "False"},
    {"RPN.SIZES", "(64, 128, 256, 512)"},
    {"RPN.STRIDE", "16"},
    {"RPN.ASPECT_RATIOS", "(0.5, 1.0, 2.0)"},
    {"FPN.FPN_ON", "False"},
    {"FPN.DIM", "256"},
    {"FPN.ZERO_INIT_LATERAL", "False"},
    {"FPN.COARSEST_STRIDE", "32"},
    {"FPN.MULTILEVEL_ROIS", "False"},
    {"FPN.ROI_CANONICAL_SCALE", "224"},
    {"FPN.ROI_CANONICAL_LEVEL", "4"},
    {"FPN.ROI_MAX_LEVEL", "5"},
    {"FPN.ROI_MIN_LEVEL", "2"},
    {"FPN.MULTILEVEL_RPN", "False"},
    {"FPN.RPN_MAX_LEVEL", "6"},
    {"FPN.RPN_MIN_LEVEL", "2"},
    {"FPN.RPN_ASPECT_RATIOS", "(0.5, 1.0, 2.0)"},
    {"FPN.RPN_ANCHOR_START_SIZE", "32"},
    {"FPN.EXTRA_CONV_LEVELS", "False"},
    {"FPN.USE_GN", "False"},
    {"MRCNN.ROI_MASK_HEAD", "''"},
    {"MRCNN.RESOLUTION", "14"},
    {"MRCNN.ROI_XFORM_METHOD", "'RoIAlign'"},
    {"MRCNN.ROI_XFORM_RESOLUTION", "7"},
    {"MRCNN.ROI_XFORM_SAMPLING_RATIO", "0"},
    {"MRCNN.DIM_REDUCED", "256"},
    {"MRCNN.DILATION", "2"},
    {"MRCNN.UPSAMPLE_RATIO", "1"},
    {"MRCNN.USE_FC_OUTPUT", "False"},
    {"MRCNN.CONV_INIT", "'GaussianFill'"},
    {"MRCNN.CLS_SPECIFIC_MASK", "True"},
    {"MRCNN.WEIGHT_LOSS_MASK", "1.0"},
    {"MRCNN.THRESH_BINARIZE", "0.5"},
    {"KRCNN.ROI_KEYPOINTS_HEAD", "''"},
    {"KRCNN.HEATMAP_SIZE", "-1"},
    {"KRCNN.UP_SCALE", "-1"},
    {"KRCNN.USE_DECONV", "False"},
    {"KRCNN.DECONV_DIM", "256"},
    {"KRCNN.USE_DECONV_OUTPUT", "False"},
    {"KRCNN.DILATION", "1"},
    {"KRCNN.DECONV_KERNEL", "4"},
    {"KRCNN.NUM_KEYPOINTS", "-1"},
    {"KRCNN.NUM_STACKED_CONVS", "8"},
    {"KRCNN.CONV_HEAD_DIM", "256"},
    {"KRCNN.CONV_HEAD_KERNEL", "3"},
    {"KRCNN.CONV_INIT", "'GaussianFill'"},
    {"KRCNN.NMS_OKS", "False"},
    {"KRCNN.KEYPOINT_CONFIDENCE", "'bbox'"},
    {"KRCNN.ROI_XFORM_METHOD", "'RoIAlign'"},
    {"KRCNN.ROI_XFORM_RESOLUTION", "7"},
    {"KRCNN.ROI_XFORM_SAMPLING_RATIO", "0"},
    {"KRCNN.MIN_KEYPOINT_COUNT_FOR_VALID_MINIBATCH", "20"},
    {"KRCNN.INFERENCE_MIN_SIZE", "0"},
    {"KRCNN.LOSS_WEIGHT", "1.0"},
    {"KRCNN.NORMALIZE_BY_VISIBLE_KEYPOINTS", "True"},
    {"RFCN.PS_GRID_SIZE", "3"},
    {"RESNETS.NUM_GROUPS", "1"},
    {"RESNETS.WIDTH_PER_GROUP", "64"},
    {"RESNETS.STRIDE_1X1", "True"},
    {"RESNETS.TRANS_FUNC", "'bottleneck_transformation'"},
    {"RESNETS.STEM_FUNC", "'basic_bn_stem'"},
    {"RESNETS.SHORTCUT_FUNC", "'basic_bn_shortcut'"},
    {"RESNETS.RES5_DILATION", "1"},
    {"GROUP_NORM.DIM_PER_GP", "-1"},
    {"GROUP_NORM.NUM_GROUPS", "32"},
    {"GROUP_NORM.EPSILON", "1e-5"},
};

constexpr Default kOthers[] = {
    {"NUM_GPUS", "1"},
    {"USE_NCCL", "False"},
    {"DEDUP_BOXES", "0.0625"},
    {"BBOX_XFORM_CLIP", "4.135166556742356"},
    {"PIXEL_MEANS", "[[[102.9801, 115.9465, 122.7717]]]"},
    {"RNG_SEED", "3"},
    {"EPS", "1e-14"},
    {"ROOT_DIR", "''"},
    {"OUTPUT_DIR", "'/tmp'"},
    {"MATLAB", "'matlab'"},
    {"MEMONGER", "True"},
    {"MEMONGER_SHARE_ACTIVATIONS", "False"},
    {"VIS", "False"},
    {"VIS_TH", "0.9"},
    {"EXPECTED_RESULTS", "[]"},
    {"EXPECTED_RESULTS_RTOL", "0.1"},
    {"EXPECTED_RESULTS_ATOL", "0.005"},
    {"EXPECTED_RESULTS_SIGMA_TOL", "4"},
    {"EXPECTED_RESULTS_EMAIL", "''"},
    {"DOWNLOAD_CACHE", "'/tmp/detectron-download-cache'"},
    {"CLUSTER.ON_CLUSTER", "False"},
};

constexpr const char* kDeprecated[] = {
    "FINAL_MSG",     "MODEL.DILATION", "ROOT_GPU_ID",          "RPN.ON", "TRAIN.BBOX_NORMALIZE_TARGETS_PRECOMPUTED",
    "TRAIN.DROPOUT", "USE_GPU_NMS",    "TEST.NUM_TEST_IMAGES",
};

constexpr std::string_view kNowTuple = "It is a tuple now: ('one', 'two'), where one text with colons was.";
constexpr Renamed kRenamed[] = {
    {"EXAMPLE.RENAMED.KEY", "EXAMPLE.KEY", ""},
    {"MODEL.PS_GRID_SIZE", "RFCN.PS_GRID_SIZE", ""},
    {"MODEL.ROI_HEAD", "FAST_RCNN.ROI_BOX_HEAD", ""},
    {"MRCNN.MASK_HEAD_NAME", "MRCNN.ROI_MASK_HEAD", ""},
    {"TRAIN.DATASET", "TRAIN.DATASETS", kNowTuple},
    {"TRAIN.PROPOSAL_FILE", "TRAIN.PROPOSAL_FILES", "It is a tuple now: a file for each dataset."},
    {"TEST.SCALES", "TEST.SCALE", "It is a whole number now."},
    {"TEST.DATASET", "TEST.DATASETS", kNowTuple},
    {"TEST.PROPOSAL_FILE", "TEST.PROPOSAL_FILES", "It is a tuple now: a file for each dataset."},
};

template <std::size_t Count>
void add(const Default (&list)[Count], Values& values) {
    for (const Default& one : list)
        values.emplace(one.key, pythonLiteral(one.literal).value());
}

} // namespace

const Values& defaults() {
    static const Values all = [] {
        Values values;
        add(kTraining, values);
        add(kTest, values);
        add(kModels, values);
        add(kOthers, values);
        return values;
    }();
    return all;
}

bool isSection(const std::string& key) {
    const auto first = defaults().lower_bound(key + ".");
    return first != defaults().end() && first->first.starts_with(key + ".");
}

bool isArray(const std::string& key) {
    return key == "PIXEL_MEANS";
}

bool isDeprecated(const std::string& key) {
    return std::find(std::begin(kDeprecated), std::end(kDeprecated), key) != std::end(kDeprecated);
}

const Renamed* renamed(const std::string& key) {
    const auto* found =
        std::find_if(std::begin(kRenamed), std::end(kRenamed), [&](const Renamed& one) { return one.before == key; });
    return found == std::end(kRenamed) ? nullptr : found;
}

} // namespace trainyard::detectron
