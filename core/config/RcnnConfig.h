#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace trainyard {

/// `model.rcnn.rpn`: what proposes regions. Source: Ren et al. 2015, "Faster R-CNN".
struct RpnConfig {
    std::vector<double> anchorSizes = {32, 64, 128, 256, 512}; ///< of P2…P6; without a pyramid all of them everywhere
    std::vector<double> aspectRatios = {0.5, 1.0, 2.0};        ///< height by width
    double foregroundIou = 0.7;
    double backgroundIou = 0.3;
    std::int64_t anchorsPerImage = 256; ///< drawn for the losses
    double foregroundShare = 0.5;       ///< of these, at most
    double straddle = 0.0; ///< detectron: pixels that a trained anchor may reach out of the picture; negative: any
    double nmsIou = 0.7;
    double leastSize = 0.0;              ///< of a proposal's sides
    std::int64_t trainCandidates = 2000; ///< of a level, before suppression
    std::int64_t trainProposals = 2000;  ///< of an image, after it
    std::int64_t testCandidates = 1000;
    std::int64_t testProposals = 1000;
    bool operator==(const RpnConfig&) const = default;
};

/// `model.rcnn.box`: what says of each region what it shows. Source: Girshick 2015, "Fast R-CNN".
struct BoxHeadConfig {
    std::string head = "mlp";      ///< mlp, convolutions, stage (the body's last)
    std::string pooling = "align"; ///< align, pool
    std::int64_t resolution = 7;   ///< cells that a region is pooled to, each way
    std::int64_t samples = 2;      ///< of a cell, each way; 0: as many as it spans
    std::int64_t width = 1024;     ///< of fully connected layers
    std::int64_t convolutions = 4;
    std::int64_t channels = 256;        ///< of convolutions
    std::int64_t regionsPerImage = 512; ///< drawn for the losses
    double foregroundShare = 0.25;      ///< of these, at most
    double foregroundIou = 0.5;
    double backgroundIou = 0.5;
    double leastBackgroundIou = 0.0;
    bool classAgnostic = false; ///< one box for all classes
    std::vector<double> boxWeights = {10, 10, 5, 5};
    double scoreThreshold = 0.05;
    double nmsIou = 0.5;
    std::string suppression = "hard"; ///< hard, linear, gaussian
    double suppressionSigma = 0.5;    ///< of gaussian
    double votingIou = 0.0;           ///< 0: no voting
    std::string votingScore = "own";  ///< own, mean, overlap, generalised, quasi_sum, tempered
    double votingBeta = 1.0;
    std::int64_t maxDetections = 100; ///< an image
    bool operator==(const BoxHeadConfig&) const = default;
};

/// `model.rcnn.mask`. Source: He et al. 2017, "Mask R-CNN".
struct MaskHeadConfig {
    std::string head = "convolutions"; ///< convolutions, stage (a last stage of its own), shared_stage (the box head's)
    std::int64_t resolution = 14;      ///< cells that a region is pooled to; masks have twice as many
    std::int64_t samples = 2;
    std::int64_t convolutions = 4;
    std::int64_t channels = 256;
    std::int64_t dilation = 1;
    bool classAgnostic = false; ///< one mask for all classes
    double lossWeight = 1.0;
    double threshold = 0.5; ///< of a pixel's probability
    bool operator==(const MaskHeadConfig&) const = default;
};

/// `model.rcnn.keypoint`. Source: He et al. 2017, "Mask R-CNN", section 5.
struct KeypointHeadConfig {
    std::int64_t keypoints = 17;
    std::int64_t resolution = 14; ///< cells that a region is pooled to; heat maps have four times as many
    std::int64_t samples = 2;
    std::int64_t convolutions = 8;
    std::int64_t channels = 512;
    double lossWeight = 1.0;
    bool normaliseByVisible = true; ///< otherwise by all keypoints that might be drawn
    double oksSuppression = 0.0;    ///< of two objects whose keypoints are more alike one stays; 0: both do
    bool operator==(const KeypointHeadConfig&) const = default;
};

/// `model.rcnn.rfcn`. Source: Dai et al. 2016, "R-FCN".
struct RfcnConfig {
    std::int64_t bins = 3;        ///< k of the k × k parts of an object
    std::int64_t channels = 1024; ///< of the convolution before the score maps; 0 leaves it out
    bool operator==(const RfcnConfig&) const = default;
};

/// `model.rcnn`: detectors that first find regions and then look at each: rpn, fast_rcnn, faster_rcnn, mask_rcnn,
/// keypoint_rcnn, mask_keypoint_rcnn and rfcn.
struct RcnnConfig {
    std::int64_t classes = 0;               ///< 0: as many as the data has
    std::string convention = "torchvision"; ///< torchvision, detectron: anchors, box coding, sampling, losses
    std::string proposals = "network";      ///< network, given (with the data); fast_rcnn always takes given ones
    // body
    std::string body = "resnet";   ///< resnet, vgg16, vgg19, vgg_m
    std::int64_t depth = 50;       ///< ResNet-18, 34, 50, 101 or 152
    std::int64_t groups = 1;       ///< ResNeXt: 32 or 64
    std::int64_t groupWidth = 64;  ///< ResNeXt: 4 or 8
    bool stridesOn1x1 = false;     ///< as in Detectron's ResNets
    std::int64_t lastDilation = 1; ///< of layer4; 2 keeps the stride at 16
    bool pyramid = true;           ///< otherwise one level, of stride 16
    std::int64_t pyramidChannels = 256;
    std::string headNorm = "none"; ///< of pyramid and head convolutions: none, group, batch
    std::int64_t frozenStages = 0; ///< stem and first stages kept as they are
    bool frozenBody = false;       ///< body and pyramid kept as they are
    std::int64_t inputSize = 320;  ///< images are scaled to fit this square and padded
    RpnConfig rpn;
    BoxHeadConfig box;
    MaskHeadConfig mask;
    KeypointHeadConfig keypoint;
    RfcnConfig rfcn;
    bool operator==(const RcnnConfig&) const = default;
};

} // namespace trainyard
