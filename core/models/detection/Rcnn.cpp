#include "core/models/detection/Rcnn.h"

#include "core/config/DetectorInput.h"
#include "core/models/detection/DetectorClasses.h"
#include "core/models/detection/FoundPrediction.h"
#include "core/nn/Autocast.h"
#include "core/nn/Initialiser.h"

#include <torch/nn/module.h>

#include <limits>

namespace trainyard {
namespace {

/// One number of the device's generator, whose state lies in every checkpoint.
Random drawnRandom(const at::Device& device) {
    const at::Tensor drawn =
        at::randint(std::numeric_limits<std::int32_t>::max(), {1}, at::TensorOptions().dtype(at::kLong).device(device));
    return Random(std::uint64_t(drawn.item<std::int64_t>()));
}

std::vector<ImageObjects> objectsOf(const std::vector<ImageTruth>& images) {
    std::vector<ImageObjects> objects;
    for (const ImageTruth& image : images)
        objects.push_back(image.objects);
    return objects;
}

/// The proposals of each image as what is found in it.
std::vector<FoundObjects> foundRegions(const std::vector<at::Tensor>& boxes, const std::vector<at::Tensor>& scores) {
    std::vector<FoundObjects> images(boxes.size());
    for (std::size_t n = 0; n < boxes.size(); ++n) {
        const at::Tensor own = boxes[n].to(at::kCPU).contiguous(), values = scores[n].to(at::kCPU).contiguous();
        for (std::int64_t i = 0; i < own.size(0); ++i) {
            const float* corner = own.data_ptr<float>() + 4 * i;
            Detection& detection = images[n].detections.emplace_back();
            detection.score = values.data_ptr<float>()[i];
            detection.box = {corner[0], corner[1], corner[2], corner[3]};
        }
    }
    return images;
}

/// A box by its edges in the file, in pixels of the network and by the model's convention.
Box inNetwork(const Box& box, const SampleInfo& sample, BoxConvention convention) {
    const auto x = [&](float value) { return float(value * sample.scaleX + sample.offsetX); };
    const auto y = [&](float value) { return float(value * sample.scaleY + sample.offsetY); };
    const float bit = convention == BoxConvention::Detectron ? 1 : 0; // the last pixel belongs to the box
    return {x(box.x1), y(box.y1), x(box.x2) - bit, y(box.y2) - bit};
}

bool has(const std::string& name, const char* part) {
    return name.find(part) != std::string::npos;
}

void initialiseWeight(const Initialiser& initialiser, const at::Tensor& value, const std::string& name) {
    if (has(name, "rpn.head.") || has(name, "_maps.") || has(name, "cls_score"))
        initialiser.normal(value, name, 0.01);
    else if (has(name, "bbox_pred") || has(name, "kps_score_lowres"))
        initialiser.normal(value, name, 0.001);
    else if (has(name, "backbone.fpn.") || value.dim() == 2)
        initialiser.kaimingUniform(value, name);
    else
        initialiser.kaimingNormal(value, name);
}

} // namespace

Rcnn::Rcnn(const RcnnConfig& config, const RcnnParts& parts, const std::string& norm)
    : m_config(config), m_parts(parts), m_convention(conventionOf(config.convention)),
      m_body(register_module("backbone", std::make_shared<DetectorBody>(config, norm))) {
    if (parts.proposes)
        m_proposer = register_module("rpn", std::make_shared<RegionProposer>(config, *m_body));
    if (parts.hasBoxes)
        m_heads = register_module("roi_heads", std::make_shared<RegionHeads>(config, parts, *m_body));
}

Model::Losses Rcnn::losses(const Batch& batch) {
    Random random = drawnRandom(batch.images.device());
    const std::vector<ImageTruth> truth = truthOf(batch, m_convention, m_parts.hasBoxes ? m_config.classes : 0);
    const std::vector<at::Tensor> levels = m_body->forward(batch.images);
    Losses losses;
    std::vector<at::Tensor> regions;
    if (m_proposer) {
        const auto judged = m_proposer->judge(levels, {batch.images.size(2), batch.images.size(3)});
        const Autocast plain(false); // losses are float32 work
        losses = m_proposer->losses(judged, objectsOf(truth), random);
        if (m_heads)
            for (const ImageProposals& image : m_proposer->proposals(judged, picturesOf(batch)))
                regions.push_back(image.boxes);
    } else {
        regions = givenProposals(batch, m_convention);
    }
    if (m_heads)
        for (auto& loss : m_heads->losses(levels, regions, truth, random))
            losses.push_back(std::move(loss));
    return losses;
}

Rcnn::Proposed Rcnn::proposed(const std::vector<at::Tensor>& levels, const Batch& batch) {
    if (!m_proposer)
        return {givenProposals(batch, m_convention), {}};
    const auto judged = m_proposer->judge(levels, {batch.images.size(2), batch.images.size(3)});
    const Autocast plain(false);
    Proposed proposed;
    for (const ImageProposals& image : m_proposer->proposals(judged, picturesOf(batch))) {
        proposed.boxes.push_back(image.boxes);
        proposed.scores.push_back(image.scores);
    }
    return proposed;
}

std::vector<Prediction> Rcnn::inFiles(const std::vector<FoundObjects>& found, const Batch& batch) const {
    const FoundRules rules{m_convention, m_config.mask.threshold, m_config.keypoint.oksSuppression,
                           batch.images.size(2), batch.images.size(3)};
    std::vector<Prediction> predictions;
    for (std::size_t i = 0; i < found.size(); ++i)
        predictions.push_back(predictionOf(found[i], sampleOf(batch, i), rules));
    return predictions;
}

std::vector<Prediction> Rcnn::predict(const Batch& batch) {
    const torch::NoGradGuard noGradients;
    const std::vector<at::Tensor> levels = m_body->forward(batch.images);
    const Proposed regions = proposed(levels, batch);
    if (m_heads)
        return inFiles(m_heads->find(levels, regions.boxes, picturesOf(batch)), batch);
    return inFiles(foundRegions(regions.boxes, regions.scores), batch);
}

SuppressionRules Rcnn::suppression() const {
    if (m_heads)
        return m_heads->suppression();
    return {m_config.rpn.nmsIou, m_config.rpn.testProposals, {}, {}};
}

std::vector<std::vector<Detection>> Rcnn::candidates(const Batch& batch) {
    const torch::NoGradGuard noGradients;
    const std::vector<at::Tensor> levels = m_body->forward(batch.images);
    const Proposed regions = proposed(levels, batch);
    const auto found = m_heads ? m_heads->candidates(levels, regions.boxes, picturesOf(batch))
                               : foundRegions(regions.boxes, regions.scores);
    std::vector<std::vector<Detection>> candidates;
    for (Prediction& prediction : inFiles(found, batch))
        candidates.push_back(std::move(prediction.detections));
    return candidates;
}

std::vector<RegionMaps> Rcnn::regionMaps(const Batch& batch, const std::vector<std::vector<Detection>>& boxes) {
    const torch::NoGradGuard noGradients;
    std::vector<RegionMaps> maps(boxes.size());
    if (!m_heads || (!m_parts.hasMasks && !m_parts.hasKeypoints))
        return maps;
    std::vector<FoundObjects> found(boxes.size());
    for (std::size_t i = 0; i < boxes.size(); ++i) {
        found[i].detections = boxes[i];
        for (Detection& one : found[i].detections)
            one.box = inNetwork(one.box, sampleOf(batch, i), m_convention);
    }
    m_heads->addMaps(m_body->forward(batch.images), found);
    for (std::size_t i = 0; i < boxes.size(); ++i)
        maps[i] = {found[i].masks, found[i].keypoints};
    return maps;
}

std::vector<std::pair<std::string, double>> Rcnn::metrics() const {
    if (!m_heads || m_heads->accuracy() < 0)
        return {};
    return {{"accuracy_cls", m_heads->accuracy()}};
}

std::vector<std::string> Rcnn::classDependent() const {
    std::vector<std::string> prefixes;
    if (!m_parts.hasBoxes)
        return prefixes;
    prefixes.emplace_back(m_parts.votes ? "roi_heads.box_predictor.cls_maps." : "roi_heads.box_predictor.cls_score.");
    if (!m_config.box.classAgnostic)
        prefixes.emplace_back(m_parts.votes ? "roi_heads.box_predictor.bbox_maps."
                                            : "roi_heads.box_predictor.bbox_pred.");
    if (m_parts.hasMasks && !m_config.mask.classAgnostic)
        prefixes.emplace_back("roi_heads.mask_predictor.mask_fcn_logits.");
    return prefixes;
}

void Rcnn::initialise(std::uint64_t seed) {
    const Initialiser initialiser(seed);
    for (const auto& item : named_parameters())
        if (item.value().dim() >= 2)
            initialiseWeight(initialiser, item.value(), item.key());
        else if (has(item.key(), ".bias"))
            fillWith(item.value(), 0);
}

Result<std::shared_ptr<Model>> makeRcnn(const RunConfig& config, const ModelContext& context) {
    RcnnConfig own = config.model.rcnn;
    const RcnnParts parts = partsOf(config.model);
    if (parts.hasBoxes) {
        const auto classes = detectorClasses("model.rcnn.classes", own.classes, context);
        if (!classes)
            return classes.error();
        own.classes = *classes;
    }
    own.pyramid = own.pyramid && !parts.votes; // its maps lie on one level
    auto model = std::make_shared<Rcnn>(own, parts, config.model.norm);
    model->initialise(context.seed);
    return std::shared_ptr<Model>(model);
}

} // namespace trainyard
