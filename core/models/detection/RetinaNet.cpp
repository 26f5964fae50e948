#include "core/models/detection/RetinaNet.h"

#include "core/models/detection/AnchorTargets.h"
#include "core/models/detection/DetectorClasses.h"
#include "core/models/detection/ImageTruth.h"
#include "core/models/detection/PostProcess.h"
#include "core/nn/Autocast.h"
#include "core/nn/FocalLoss.h"
#include "core/nn/Initialiser.h"
#include "core/nn/RegressionLoss.h"

#include <fmt/format.h>
#include <torch/nn/module.h>

#include <cmath>
#include <limits>

namespace trainyard {
namespace {

constexpr double kPriorScore = 0.01; // of every class at every anchor before training
constexpr double kHeadDeviation = 0.01;

AnchorGrid::Size sizeOf(const at::Tensor& maps) {
    return {maps.size(2), maps.size(3)};
}

bool startsWith(const std::string& text, const char* start) {
    return text.rfind(start, 0) == 0;
}

/// Height and width of each picture inside its padding, int64 [N, 2] on the CPU.
at::Tensor pictureSizes(const Batch& batch) {
    if (const auto found = batch.targets.find("sizes"); found != batch.targets.end())
        return found->second.to(at::kCPU, at::kLong).contiguous();
    return at::tensor({batch.images.size(2), batch.images.size(3)}, at::kLong).expand({batch.images.size(0), 2});
}

} // namespace

RetinaNet::RetinaNet(const RetinaNetConfig& config, const std::string& norm) : m_config(config), m_grid(config) {
    auto backbone = register_module("backbone", std::make_shared<torch::nn::Module>());
    m_body = backbone->register_module("body", std::make_shared<ResNet>(config.depth, norm, config.frozenStages));
    const PyramidTop top = isDetectron() ? PyramidTop::FromBody : PyramidTop::FromPyramid;
    m_pyramid =
        backbone->register_module("fpn", std::make_shared<FeaturePyramid>(m_body->channels(), config.fpnChannels, top));
    m_head = register_module("head", std::make_shared<RetinaNetHead>(config.fpnChannels, config.headConvolutions,
                                                                     m_grid.anchorsAPlace(), config.classes,
                                                                     config.sharedConvolutions));
}

RetinaNet::Output RetinaNet::forward(const at::Tensor& images) {
    const auto levels = m_pyramid->forward(m_body->forward(images));
    std::vector<AnchorGrid::Size> sizes;
    for (const auto& level : levels)
        sizes.push_back(sizeOf(level));
    const at::Tensor anchors = m_grid.anchors(sizeOf(images), sizes, at::kCPU);
    return {m_head->forward(levels), anchors, AnchorGrid::rowsALevel(sizes, m_grid.anchorsAPlace())};
}

Model::Losses RetinaNet::losses(const Batch& batch) {
    const Output output = forward(batch.images);
    const Autocast plain(false); // losses are float32 work
    const AnchorTargets targets = anchorTargets(batch, output.anchors, m_config).to(batch.images.device());
    if (isDetectron()) {
        m_metrics = {{"retnet_fg_num", targets.foreground}, {"retnet_bg_num", targets.background}};
        return detectronLosses(output, targets);
    }
    const at::Tensor classification = sigmoidFocalLoss(output.head.logits.flatten(0, 1), targets.labels,
                                                       targets.weights, m_config.focalAlpha, m_config.focalGamma);
    const at::Tensor regression =
        weightedL1Loss(output.head.offsets.flatten(0, 1).index_select(0, targets.foregroundRows), targets.offsets,
                       targets.weights.index_select(0, targets.foregroundRows));
    return {{"classification", classification}, {"bbox_regression", regression * m_config.boxLossWeight}};
}

Model::Losses RetinaNet::detectronLosses(const Output& output, const AnchorTargets& targets) const {
    constexpr double kBeta = 0.11; // where the box loss turns from square to straight
    constexpr int kFinestLevel = 3;
    const std::int64_t images = output.head.logits.size(0), anchors = output.head.logits.size(1);
    const at::Tensor place = targets.foregroundRows.remainder(std::max<std::int64_t>(1, anchors));
    const at::Tensor offsets = output.head.offsets.flatten(0, 1).index_select(0, targets.foregroundRows);
    const at::Tensor weights = targets.weights.index_select(0, targets.foregroundRows);
    Losses losses;
    std::int64_t begin = 0;
    for (std::size_t i = 0; i < output.rowsALevel.size(); ++i) {
        const std::int64_t end = begin + output.rowsALevel[i];
        const std::string level = "fpn" + std::to_string(kFinestLevel + int(i));
        const auto own = [&](const at::Tensor& all) {
            return all.reshape({images, anchors}).slice(1, begin, end).reshape(-1);
        };
        losses.emplace_back("fl_" + level,
                            sigmoidFocalLoss(output.head.logits.slice(1, begin, end).flatten(0, 1), own(targets.labels),
                                             own(targets.weights), m_config.focalAlpha, m_config.focalGamma));
        const at::Tensor isHere = (place >= begin).logical_and(place < end).to(weights.scalar_type());
        losses.emplace_back("retnet_loss_bbox_" + level,
                            weightedL1Loss(offsets, targets.offsets, weights * isHere, kBeta) * m_config.boxLossWeight);
        begin = end;
    }
    return losses;
}

std::vector<std::vector<Detection>> RetinaNet::find(const Batch& batch, const DetectionRules& rules) {
    const torch::NoGradGuard noGradients;
    const Output output = forward(batch.images);
    const Autocast plain(false);
    const at::Tensor logits = output.head.logits.cpu(), offsets = output.head.offsets.cpu();
    const at::Tensor sizes = pictureSizes(batch);
    std::vector<std::vector<Detection>> found;
    for (std::int64_t i = 0; i < batch.images.size(0); ++i) {
        const SampleInfo sample = sampleOf(batch, std::size_t(i));
        const Box picture = pictureInNetwork(sample, sizes[i][0].item<double>(), sizes[i][1].item<double>());
        found.push_back(findObjects({logits[i], offsets[i], output.anchors, output.rowsALevel}, picture, rules));
        for (Detection& detection : found.back())
            detection.box = toFilePixels(detection.box, sample);
    }
    return found;
}

std::vector<Prediction> RetinaNet::predict(const Batch& batch) {
    std::vector<Prediction> predictions;
    for (auto& detections : find(batch, rules())) {
        predictions.emplace_back();
        predictions.back().detections = std::move(detections);
    }
    return predictions;
}

std::vector<std::vector<Detection>> RetinaNet::candidates(const Batch& batch) {
    DetectionRules all = rules();
    all.nmsIou = 2; // no overlap is more
    all.maxDetections = std::numeric_limits<std::int64_t>::max();
    return find(batch, all);
}

DetectionRules RetinaNet::rules() const {
    return {m_config.scoreThreshold, m_config.nmsIou, m_config.topCandidates, m_config.maxDetections,
            isDetectron() ? BoxConvention::Detectron : BoxConvention::Torchvision};
}

std::vector<std::string> RetinaNet::classDependent() const {
    return {"head.classification_head.cls_logits."};
}

void RetinaNet::initialise(std::uint64_t seed) {
    const Initialiser initialiser(seed);
    for (const auto& item : named_parameters()) {
        const std::string& name = item.key();
        const at::Tensor& value = item.value();
        if (value.dim() != 4)
            continue; // scales are 1 and offsets 0 already
        if (startsWith(name, "backbone.body."))
            initialiser.kaimingNormal(value, name);
        else if (startsWith(name, "backbone.fpn."))
            initialiser.kaimingUniform(value, name);
        else
            initialiser.normal(value, name, kHeadDeviation);
    }
    fillWith(named_parameters()["head.classification_head.cls_logits.bias"],
             -std::log((1 - kPriorScore) / kPriorScore));
}

Result<std::shared_ptr<Model>> makeRetinaNet(const RunConfig& config, const ModelContext& context) {
    RetinaNetConfig own = config.model.retinanet;
    const auto classes = detectorClasses("model.retinanet.classes", own.classes, context);
    if (!classes)
        return classes.error();
    own.classes = *classes;
    if (!isResNetDepth(own.depth))
        return Error{ErrorKind::Usage, fmt::format("There is no ResNet-{}.", own.depth), "model.retinanet.depth",
                     "Choose 18, 34, 50, 101 or 152."};
    if (own.anchorSizes.size() != 5)
        return Error{ErrorKind::Usage, fmt::format("There are {} anchor sizes for 5 levels.", own.anchorSizes.size()),
                     "model.retinanet.anchor_sizes", "Give one for each of P3, P4, P5, P6 and P7."};
    auto model = std::make_shared<RetinaNet>(own, config.model.norm);
    model->initialise(context.seed);
    return std::shared_ptr<Model>(model);
}

} // namespace trainyard
