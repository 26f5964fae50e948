#include "core/config/FieldBuilder.h"

namespace trainyard::declare {
namespace {

void boxLayerFields(BoxHeadSection& box) {
    box.field("head", &BoxHeadConfig::head)
        .oneOf({"mlp", "convolutions", "stage"})
        .help(TR_LATER("Schema", "What looks at each region: two fully connected layers, convolutions and one such "
                                 "layer, or the body's last stage."));
    box.field("pooling", &BoxHeadConfig::pooling)
        .oneOf({"align", "pool"})
        .help(TR_LATER("Schema", "How regions are read: by bilinear samples, or the largest value of whole cells."));
    box.field("resolution", &BoxHeadConfig::resolution)
        .between(1, 64)
        .unit("cells")
        .help(TR_LATER("Schema", "Side of the grid that each region is read to."));
    box.field("samples", &BoxHeadConfig::samples)
        .between(0, 16)
        .help(TR_LATER("Schema", "Samples of a cell each way; 0 takes as many as it spans."));
    box.field("width", &BoxHeadConfig::width)
        .between(8, 16384)
        .help(TR_LATER("Schema", "Width of the fully connected layers of the box head."));
    box.field("convolutions", &BoxHeadConfig::convolutions)
        .between(1, 16)
        .help(TR_LATER("Schema", "Convolutions of a box head that has them."));
    box.field("channels", &BoxHeadConfig::channels)
        .between(8, 2048)
        .help(TR_LATER("Schema", "Channels of the box head's convolutions."));
    box.field("class_agnostic", &BoxHeadConfig::classAgnostic)
        .help(TR_LATER("Schema", "Whether a region has one box for all classes, or one for each."));
    box.field("box_weights", &BoxHeadConfig::boxWeights)
        .above(0)
        .help(TR_LATER("Schema", "Factors of the four offsets that the box head learns."));
}

void boxSamplingFields(BoxHeadSection& box) {
    box.field("regions_per_image", &BoxHeadConfig::regionsPerImage)
        .between(1, 100000)
        .help(TR_LATER("Schema", "Regions of an image that the heads learn from."));
    box.field("foreground_share", &BoxHeadConfig::foregroundShare)
        .between(0, 1)
        .help(TR_LATER("Schema", "Largest share of objects among these regions."));
    box.field("foreground_iou", &BoxHeadConfig::foregroundIou)
        .above(0)
        .atMost(1)
        .help(TR_LATER("Schema", "A region that overlaps an object at least this much is the object's."));
    box.field("background_iou", &BoxHeadConfig::backgroundIou)
        .between(0, 1)
        .help(TR_LATER("Schema", "A region that overlaps every object less than this is background."));
    box.field("least_background_iou", &BoxHeadConfig::leastBackgroundIou)
        .between(0, 1)
        .help(TR_LATER("Schema", "Background regions overlap some object at least this much."));
}

void boxDetectionFields(BoxHeadSection& box) {
    box.field("score_threshold", &BoxHeadConfig::scoreThreshold)
        .between(0, 1)
        .changeable(Change::OnResume)
        .help(TR_LATER("Schema", "Objects below this score are not detected."));
    box.field("nms_iou", &BoxHeadConfig::nmsIou)
        .between(0, 1)
        .changeable(Change::OnResume)
        .help(TR_LATER("Schema", "Two detections of a class that overlap more than this are the same object."));
    box.field("suppression", &BoxHeadConfig::suppression)
        .oneOf({"hard", "linear", "gaussian"})
        .changeable(Change::OnResume)
        .help(TR_LATER("Schema", "Whether the worse of two such detections goes, or loses score."));
    box.field("suppression_sigma", &BoxHeadConfig::suppressionSigma)
        .above(0)
        .changeable(Change::OnResume)
        .help(TR_LATER("Schema", "How widely gaussian suppression reaches."));
    box.field("voting_iou", &BoxHeadConfig::votingIou)
        .between(0, 1)
        .changeable(Change::OnResume)
        .help(TR_LATER("Schema", "Detections that overlap a kept one this much have a vote on its box; 0 is no vote."));
    box.field("voting_score", &BoxHeadConfig::votingScore)
        .oneOf({"own", "mean", "overlap", "generalised", "quasi_sum", "tempered"})
        .changeable(Change::OnResume)
        .help(TR_LATER("Schema", "The score of a box that was voted on."));
    box.field("voting_beta", &BoxHeadConfig::votingBeta)
        .above(0)
        .changeable(Change::OnResume)
        .help(TR_LATER("Schema", "The exponent in the scores generalised, quasi_sum and tempered."));
    box.field("max_detections", &BoxHeadConfig::maxDetections)
        .atLeast(1)
        .changeable(Change::OnResume)
        .help(TR_LATER("Schema", "Objects found in an image at most."));
}

} // namespace

void rpnFields(RpnSection rpn) {
    rpn.field("anchor_sizes", &RpnConfig::anchorSizes)
        .above(0)
        .unit("pixels")
        .help(TR_LATER("Schema", "Side of the anchors of the levels P2 to P6; without a pyramid all of them stand at "
                                 "every place."));
    rpn.field("aspect_ratios", &RpnConfig::aspectRatios)
        .above(0)
        .help(TR_LATER("Schema", "Each anchor of the proposing network comes in these shapes, height by width."));
    rpn.field("foreground_iou", &RpnConfig::foregroundIou)
        .above(0)
        .atMost(1)
        .help(TR_LATER("Schema", "An anchor that overlaps an object at least this much is to propose it."));
    rpn.field("background_iou", &RpnConfig::backgroundIou)
        .between(0, 1)
        .help(TR_LATER("Schema", "An anchor that overlaps every object less than this is to propose nothing."));
    rpn.field("anchors_per_image", &RpnConfig::anchorsPerImage)
        .between(1, 100000)
        .help(TR_LATER("Schema", "Anchors of an image that are learnt from."));
    rpn.field("foreground_share", &RpnConfig::foregroundShare)
        .between(0, 1)
        .help(TR_LATER("Schema", "Largest share of objects among these anchors."));
    rpn.field("straddle", &RpnConfig::straddle)
        .unit("pixels")
        .help(TR_LATER("Schema", "Detectron's rules: how far an anchor to be learnt may reach out of the picture; "
                                 "negative is any distance."));
    rpn.field("nms_iou", &RpnConfig::nmsIou)
        .between(0, 1)
        .help(TR_LATER("Schema", "Two proposals of a level that overlap more than this are the same."));
    rpn.field("least_size", &RpnConfig::leastSize)
        .atLeast(0)
        .unit("pixels")
        .help(TR_LATER("Schema", "Smallest side of a proposal."));
    rpn.field("train_candidates", &RpnConfig::trainCandidates)
        .between(1, 1000000)
        .help(TR_LATER("Schema", "Proposals of a level before suppression, in training."));
    rpn.field("train_proposals", &RpnConfig::trainProposals)
        .between(1, 1000000)
        .help(TR_LATER("Schema", "Proposals of an image after suppression, in training; with Detectron's rules and a "
                                 "pyramid, of the batch."));
    rpn.field("test_candidates", &RpnConfig::testCandidates)
        .between(1, 1000000)
        .changeable(Change::OnResume)
        .help(TR_LATER("Schema", "Proposals of a level before suppression, when predicting."));
    rpn.field("test_proposals", &RpnConfig::testProposals)
        .between(1, 1000000)
        .changeable(Change::OnResume)
        .help(TR_LATER("Schema", "Proposals of an image after suppression, when predicting."));
}

void boxHeadFields(BoxHeadSection box) {
    boxLayerFields(box);
    boxSamplingFields(box);
    boxDetectionFields(box);
}

void maskHeadFields(MaskHeadSection mask) {
    mask.field("head", &MaskHeadConfig::head)
        .oneOf({"convolutions", "stage", "shared_stage"})
        .help(TR_LATER("Schema", "What looks at each region for its outline: convolutions, a last stage of its own, or "
                                 "the box head's."));
    mask.field("resolution", &MaskHeadConfig::resolution)
        .between(1, 64)
        .unit("cells")
        .help(TR_LATER("Schema", "Side of the grid that regions are read to; masks have twice as many cells."));
    mask.field("samples", &MaskHeadConfig::samples)
        .between(0, 16)
        .help(TR_LATER("Schema", "Samples of a cell each way for masks; 0 takes as many as it spans."));
    mask.field("convolutions", &MaskHeadConfig::convolutions)
        .between(0, 16)
        .help(TR_LATER("Schema", "Convolutions of the mask head."));
    mask.field("channels", &MaskHeadConfig::channels)
        .between(8, 2048)
        .help(TR_LATER("Schema", "Channels of the mask head."));
    mask.field("dilation", &MaskHeadConfig::dilation)
        .between(1, 8)
        .help(TR_LATER("Schema", "Dilation of the mask head's convolutions."));
    mask.field("class_agnostic", &MaskHeadConfig::classAgnostic)
        .help(TR_LATER("Schema", "Whether a region has one mask for all classes, or one for each."));
    mask.field("loss_weight", &MaskHeadConfig::lossWeight)
        .atLeast(0)
        .help(TR_LATER("Schema", "Factor of the mask loss in the total."));
    mask.field("threshold", &MaskHeadConfig::threshold)
        .between(0, 1)
        .changeable(Change::OnResume)
        .help(TR_LATER("Schema", "A pixel of more than this probability belongs to the object."));
}

void keypointHeadFields(KeypointHeadSection keypoint) {
    keypoint.field("keypoints", &KeypointHeadConfig::keypoints)
        .between(1, 1000)
        .help(TR_LATER("Schema", "Keypoints of each object."));
    keypoint.field("resolution", &KeypointHeadConfig::resolution)
        .between(1, 64)
        .unit("cells")
        .help(
            TR_LATER("Schema", "Side of the grid that regions are read to; heat maps have four times as many cells."));
    keypoint.field("samples", &KeypointHeadConfig::samples)
        .between(0, 16)
        .help(TR_LATER("Schema", "Samples of a cell each way for keypoints; 0 takes as many as it spans."));
    keypoint.field("convolutions", &KeypointHeadConfig::convolutions)
        .between(1, 16)
        .help(TR_LATER("Schema", "Convolutions of the keypoint head."));
    keypoint.field("channels", &KeypointHeadConfig::channels)
        .between(8, 2048)
        .help(TR_LATER("Schema", "Channels of the keypoint head."));
    keypoint.field("loss_weight", &KeypointHeadConfig::lossWeight)
        .atLeast(0)
        .help(TR_LATER("Schema", "Factor of the keypoint loss in the total."));
    keypoint.field("normalise_by_visible", &KeypointHeadConfig::normaliseByVisible)
        .help(TR_LATER("Schema", "Whether the loss is the mean over visible keypoints, or over all that might be drawn "
                                 "(Detectron's rules)."));
    keypoint.field("oks_suppression", &KeypointHeadConfig::oksSuppression)
        .between(0, 1)
        .changeable(Change::OnResume)
        .help(TR_LATER("Schema", "Of two objects whose keypoints are more alike than this (as COCO measures it), the "
                                 "one with the clearer keypoints stays; 0 keeps both."));
}

void rfcnFields(RfcnSection rfcn) {
    rfcn.field("bins", &RfcnConfig::bins)
        .between(1, 16)
        .help(TR_LATER("Schema", "An object has this many parts each way, and every part a map of its own."));
    rfcn.field("channels", &RfcnConfig::channels)
        .between(0, 8192)
        .help(TR_LATER("Schema", "Channels of the convolution before the maps; 0 leaves it out."));
}

} // namespace trainyard::declare
