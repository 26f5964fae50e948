#include "core/config/FieldBuilder.h"

namespace trainyard::declare {
namespace {

std::vector<std::string> typeNames() {
    std::vector<std::string> names;
    for (const auto& type : modelTypes())
        names.push_back(type.name);
    return names;
}

void crnnFields(Section<Field, RunConfig, CrnnConfig> crnn) {
    crnn.field("alphabet", &CrnnConfig::alphabet)
        .help(TR_LATER("Schema", "The characters that can be read, in the order of the network's outputs."));
    crnn.field("case_sensitive", &CrnnConfig::caseSensitive)
        .help(TR_LATER("Schema", "Whether capital and small letters are different characters."));
    crnn.field("height", &CrnnConfig::height)
        .between(32, 256)
        .unit("pixels")
        .help(TR_LATER("Schema", "Height of the network's input, a multiple of 16."));
    crnn.field("width", &CrnnConfig::width)
        .between(16, 4096)
        .unit("pixels")
        .help(TR_LATER("Schema", "Width of the network's input; four pixels give about one time step."));
    crnn.field("variable_width", &CrnnConfig::variableWidth)
        .help(TR_LATER("Schema", "Whether images keep their aspect, up to the width; a batch is as wide as its widest "
                                 "image, and what is added to the others is not looked at."));
    crnn.field("channels", &CrnnConfig::channels)
        .between(1, 3)
        .help(TR_LATER("Schema", "1 reads grey images, 3 reads colour."));
    crnn.field("stem_channels", &CrnnConfig::stemChannels)
        .between(4, 512)
        .help(TR_LATER("Schema", "Width of the first convolution; the later ones are multiples of it."));
    crnn.field("hidden", &CrnnConfig::hidden)
        .between(8, 4096)
        .help(TR_LATER("Schema", "Units of each LSTM in each direction."));
    crnn.field("layers", &CrnnConfig::layers).between(1, 8).help(TR_LATER("Schema", "Bidirectional LSTM layers."));
    crnn.field("dropout", &CrnnConfig::dropout)
        .atLeast(0)
        .below(1)
        .help(TR_LATER("Schema", "Share of activations dropped between the recurrent layers."));
}

void retinaNetFields(Section<Field, RunConfig, RetinaNetConfig> net) {
    net.field("classes", &RetinaNetConfig::classes)
        .between(0, 100000)
        .help(TR_LATER("Schema", "Object classes; 0 takes as many as the data has."));
    net.field("convention", &RetinaNetConfig::convention)
        .oneOf({"torchvision", "detectron"})
        .help(TR_LATER("Schema", "Whose rules hold for anchors, box coding, losses and the extra levels."));
    net.field("depth", &RetinaNetConfig::depth)
        .between(18, 152)
        .help(TR_LATER("Schema", "Layers of the ResNet backbone: 18, 34, 50, 101 or 152."));
    net.field("fpn_channels", &RetinaNetConfig::fpnChannels)
        .between(8, 2048)
        .help(TR_LATER("Schema", "Channels of every level of the feature pyramid."));
    net.field("head_convolutions", &RetinaNetConfig::headConvolutions)
        .between(0, 16)
        .help(TR_LATER("Schema", "Convolutions of each head before its output layer."));
    net.field("shared_convolutions", &RetinaNetConfig::sharedConvolutions)
        .help(
            TR_LATER("Schema", "Whether scores and boxes are read from the same convolutions, or each from its own."));
    net.field("anchor_sizes", &RetinaNetConfig::anchorSizes)
        .above(0)
        .unit("pixels")
        .help(TR_LATER("Schema", "Side of the base anchor of the levels P3 to P7, in pixels of the network's input."));
    net.field("anchor_scales", &RetinaNetConfig::anchorScales)
        .above(0)
        .help(TR_LATER("Schema", "Each base anchor comes in these multiples of its size."));
    net.field("aspect_ratios", &RetinaNetConfig::aspectRatios)
        .above(0)
        .help(TR_LATER("Schema", "Each anchor comes in these shapes, height by width."));
    net.field("foreground_iou", &RetinaNetConfig::foregroundIou)
        .above(0)
        .atMost(1)
        .help(TR_LATER("Schema", "An anchor that overlaps an object at least this much is trained to find it."));
    net.field("background_iou", &RetinaNetConfig::backgroundIou)
        .between(0, 1)
        .help(TR_LATER("Schema", "An anchor that overlaps every object less than this is trained as background."));
    net.field("focal_alpha", &RetinaNetConfig::focalAlpha)
        .between(0, 1)
        .help(TR_LATER("Schema", "Weight of objects against background in the focal loss."));
    net.field("focal_gamma", &RetinaNetConfig::focalGamma)
        .between(0, 10)
        .help(TR_LATER("Schema", "How strongly the focal loss turns away from easy examples; 0 is cross entropy."));
    net.field("box_loss_weight", &RetinaNetConfig::boxLossWeight)
        .atLeast(0)
        .help(TR_LATER("Schema", "Factor of the box loss in the total."));
    net.field("score_threshold", &RetinaNetConfig::scoreThreshold)
        .between(0, 1)
        .changeable(Change::OnResume)
        .help(TR_LATER("Schema", "Detections below this score are dropped."));
    net.field("nms_iou", &RetinaNetConfig::nmsIou)
        .between(0, 1)
        .changeable(Change::OnResume)
        .help(TR_LATER("Schema", "Of two detections of a class that overlap more than this, the better one stays."));
    net.field("top_candidates", &RetinaNetConfig::topCandidates)
        .atLeast(1)
        .changeable(Change::OnResume)
        .help(TR_LATER("Schema", "Candidates of each level that go into non-maximum suppression."));
    net.field("max_detections", &RetinaNetConfig::maxDetections)
        .atLeast(1)
        .changeable(Change::OnResume)
        .help(TR_LATER("Schema", "Detections of an image at most."));
    net.field("input_size", &RetinaNetConfig::inputSize)
        .between(64, 4096)
        .unit("pixels")
        .help(TR_LATER("Schema", "Images are scaled to fit this square and padded; a multiple of 32."));
    net.field("frozen_stages", &RetinaNetConfig::frozenStages)
        .between(0, 5)
        .help(TR_LATER("Schema", "How many of the backbone's stages stay as they are, the stem counted first."));
}

} // namespace

void modelFields(RunSection& run) {
    auto model = run.section("model", &RunConfig::model);
    model.field("type", &ModelConfig::type)
        .oneOf(typeNames())
        .help(TR_LATER("Schema", "The network; it decides between detection and recognition."));
    model.field("norm", &ModelConfig::norm)
        .oneOf({"batch", "group", "frozen", "affine", "none"})
        .help(TR_LATER("Schema", "Normalisation layers: by batch, by group, with fixed statistics, a fixed scale and "
                                 "offset alone, or none."));
    model.field("weights", &ModelConfig::weights)
        .help(TR_LATER("Schema", "File of weights to start from; empty starts from random values."));
    crnnFields(model.section("crnn", &ModelConfig::crnn));
    asterFields(model.section("aster", &ModelConfig::aster));
    retinaNetFields(model.section("retinanet", &ModelConfig::retinanet));
    rcnnFields(model.section("rcnn", &ModelConfig::rcnn));
}

} // namespace trainyard::declare
