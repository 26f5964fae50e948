#include "core/config/FieldBuilder.h"

namespace trainyard::declare {
namespace {

void generalFields(RcnnSection& rcnn) {
    rcnn.field("classes", &RcnnConfig::classes)
        .between(0, 100000)
        .help(TR_LATER("Schema", "Object classes of a detector by regions; 0 takes as many as the data has."));
    rcnn.field("convention", &RcnnConfig::convention)
        .oneOf({"torchvision", "detectron"})
        .help(TR_LATER("Schema", "Whose rules hold for anchors, box coding, sampling, losses and suppression."));
    rcnn.field("proposals", &RcnnConfig::proposals)
        .oneOf({"network", "given"})
        .help(TR_LATER("Schema", "Where regions come from: the model's own network, or given with the data."));
    rcnn.field("input_size", &RcnnConfig::inputSize)
        .between(64, 4096)
        .unit("pixels")
        .help(TR_LATER("Schema", "Images are scaled to fit this square and padded; a multiple of 32 for regions."));
}

void bodyFields(RcnnSection& rcnn) {
    rcnn.field("body", &RcnnConfig::body)
        .oneOf({"resnet", "vgg16", "vgg19", "vgg_m"})
        .help(TR_LATER("Schema", "The network that makes features of the image."));
    rcnn.field("depth", &RcnnConfig::depth)
        .between(18, 152)
        .help(TR_LATER("Schema", "Layers of a ResNet body: 18, 34, 50, 101 or 152."));
    rcnn.field("groups", &RcnnConfig::groups)
        .between(1, 64)
        .help(TR_LATER("Schema", "Groups of the wide convolutions; 32 or 64 make a ResNeXt, with group_width 4 or 8."));
    rcnn.field("group_width", &RcnnConfig::groupWidth)
        .between(1, 64)
        .help(TR_LATER("Schema", "Channels of each group in the first stage; 64 for a ResNet."));
    rcnn.field("strides_on_1x1", &RcnnConfig::stridesOn1x1)
        .help(TR_LATER("Schema", "Whether blocks of 50 and more layers stride on their first convolution, as "
                                 "Detectron's do, or on their second."));
    rcnn.field("last_dilation", &RcnnConfig::lastDilation)
        .between(1, 4)
        .help(TR_LATER("Schema", "Dilation of the body's last stage; above 1 it keeps the stride of the one before."));
    rcnn.field("pyramid", &RcnnConfig::pyramid)
        .help(TR_LATER("Schema", "Whether regions are found and read on several levels, or on one of stride 16, as "
                                 "always by R-FCN."));
    rcnn.field("pyramid_channels", &RcnnConfig::pyramidChannels)
        .between(8, 2048)
        .help(TR_LATER("Schema", "Channels of every level of a region detector's pyramid."));
    rcnn.field("head_norm", &RcnnConfig::headNorm)
        .oneOf({"none", "group", "batch"})
        .help(TR_LATER("Schema", "Normalisation in the pyramid and in the heads' convolutions."));
    rcnn.field("frozen_stages", &RcnnConfig::frozenStages)
        .between(0, 5)
        .help(TR_LATER("Schema", "How many of the body's stages stay as they are, the stem counted first; for VGG any "
                                 "number above 0 is its start."));
    rcnn.field("frozen_body", &RcnnConfig::frozenBody)
        .help(TR_LATER("Schema", "Whether the whole body and its pyramid stay as they are."));
}

} // namespace

void rcnnFields(RcnnSection rcnn) {
    generalFields(rcnn);
    bodyFields(rcnn);
    rpnFields(rcnn.section("rpn", &RcnnConfig::rpn));
    boxHeadFields(rcnn.section("box", &RcnnConfig::box));
    maskHeadFields(rcnn.section("mask", &RcnnConfig::mask));
    keypointHeadFields(rcnn.section("keypoint", &RcnnConfig::keypoint));
    rfcnFields(rcnn.section("rfcn", &RcnnConfig::rfcn));
}

} // namespace trainyard::declare
