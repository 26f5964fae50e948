#include "core/config/FieldBuilder.h"

namespace trainyard::declare {
namespace {

void resizeFields(Section<Field, RunConfig, ResizeConfig> resize) {
    resize.field("scales", &ResizeConfig::scales)
        .between(8, 20000)
        .unit("pixels")
        .changeable(kOnResume)
        .help(TR_LATER("Schema",
                       "Lengths of the shorter side in training, one drawn for each image; empty fits pictures "
                       "into the model's square (input_size)."));
    resize.field("max_size", &ResizeConfig::maxSize)
        .between(8, 20000)
        .unit("pixels")
        .changeable(kOnResume)
        .help(TR_LATER("Schema", "The longer side is never made longer than this."));
    resize.field("validation_scale", &ResizeConfig::validationScale)
        .between(0, 20000)
        .unit("pixels")
        .changeable(kOnResume)
        .help(TR_LATER("Schema", "Length of the shorter side outside training; 0 takes the last of the scales."));
    resize.field("validation_max_size", &ResizeConfig::validationMaxSize)
        .between(0, 20000)
        .unit("pixels")
        .changeable(kOnResume)
        .help(TR_LATER("Schema", "Longest side outside training; 0 takes max_size."));
    resize.field("pad_to", &ResizeConfig::padTo)
        .between(1, 1024)
        .unit("pixels")
        .changeable(kOnResume)
        .help(TR_LATER("Schema", "Batches are padded to a multiple of this: the coarsest stride of the network."));
}

void normaliseFields(Section<Field, RunConfig, NormaliseConfig> normalise) {
    normalise.field("channel_order", &NormaliseConfig::channelOrder)
        .oneOf({"rgb", "bgr"})
        .help(TR_LATER("Schema", "The order of colours that the network is used to."));
    normalise.field("mean", &NormaliseConfig::mean)
        .between(0, 255)
        .help(TR_LATER("Schema", "Taken off the pixels (0 to 255), a number for each channel in that order."));
    normalise.field("deviation", &NormaliseConfig::deviation)
        .above(0)
        .atMost(255)
        .help(TR_LATER("Schema", "What pixels are divided by then; ones leave them."));
}

void tileFields(Section<Field, RunConfig, TilesConfig> tiles) {
    tiles.field("size", &TilesConfig::size)
        .between(0, 20000)
        .unit("pixels")
        .changeable(kOnResume)
        .help(TR_LATER("Schema", "Larger pictures are cut into squares of this side; 0 leaves them whole."));
    tiles.field("overlap", &TilesConfig::overlap)
        .between(0, 10000)
        .unit("pixels")
        .changeable(kOnResume)
        .help(TR_LATER("Schema", "How much neighbouring tiles share at least."));
    tiles.field("merge_overlap", &TilesConfig::mergeOverlap)
        .between(0, 1)
        .changeable(kOnResume)
        .help(
            TR_LATER("Schema", "Boxes of one class from two tiles that share more of the smaller one are one object."));
}

void ruleFields(Section<Field, RunConfig, DataConfig>& data) {
    data.field("on_outside", &DataConfig::onOutside)
        .oneOf({"clip", "skip", "stop"})
        .changeable(kOnResume)
        .help(TR_LATER("Schema",
                       "Boxes that leave the image by more than a pixel are clipped, skipped, or stop the run."));
    data.field("on_duplicate", &DataConfig::onDuplicate)
        .oneOf({"keep", "skip", "stop"})
        .changeable(kOnResume)
        .help(TR_LATER("Schema", "Objects of the same class and box as another are kept, skipped, or stop the run."));
    data.field("min_area", &DataConfig::minArea)
        .atLeast(0)
        .unit("pixels")
        .changeable(kOnResume)
        .help(TR_LATER("Schema", "Objects with a smaller area are left out of training."));
    data.field("min_keypoints", &DataConfig::minKeypoints)
        .between(0, 1000000)
        .unit("keypoints")
        .changeable(kOnResume)
        .help(TR_LATER("Schema", "Images with fewer visible keypoints never enter training."));
    data.field("min_batch_keypoints", &DataConfig::minBatchKeypoints)
        .between(0, 1000000)
        .unit("keypoints")
        .changeable(kOnResume)
        .help(TR_LATER("Schema", "A batch with fewer visible keypoints in all is replaced by another."));
    data.field("combine", &DataConfig::combine)
        .oneOf({"shares", "concatenate"})
        .changeable(kOnResume)
        .help(TR_LATER("Schema", "Several training sets give a share of every batch each, or are one long set."));
    data.field("aspect_grouping", &DataConfig::aspectGrouping)
        .changeable(kOnResume)
        .help(TR_LATER("Schema", "Wide pictures go with wide ones and tall with tall ones, so that little is padded."));
    data.field("flipped_copies", &DataConfig::flippedCopies)
        .changeable(kOnResume)
        .help(TR_LATER("Schema", "Each training image is there a second time, mirrored; data.flip is best 0 then."));
    data.field("repeat_threshold", &DataConfig::repeatThreshold)
        .between(0, 1)
        .changeable(kOnResume)
        .help(TR_LATER("Schema",
                       "Images with a class that fewer than this share of images have are repeated; 0 is off."));
    data.field("keypoint_pairs", &DataConfig::keypointPairs)
        .between(0, 1000)
        .changeable(kOnResume)
        .help(TR_LATER("Schema",
                       "Numbers, from 0, of the keypoints that change places in a mirror, two by two; empty goes "
                       "by the names of the data, or COCO's persons where there are 17."));
}

} // namespace

void detectionDataFields(DataSection& data) {
    ruleFields(data);
    resizeFields(data.section("resize", &DataConfig::resize));
    normaliseFields(data.section("normalise", &DataConfig::normalise));
    tileFields(data.section("tiles", &DataConfig::tiles));
}

} // namespace trainyard::declare
