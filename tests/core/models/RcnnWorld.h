#pragma once

#include "core/models/ModelRegistry.h"
#include "core/models/detection/Rcnn.h"
#include "core/telemetry/RunLength.h"
#include "tests/core/models/Reference.h"

namespace trainyard::testing {

/// The rule of make_rcnn_reference.py's `values`, line by line.
inline torch::Tensor rcnnValues(const std::string& name, const torch::Tensor& like) {
    torch::Tensor values = noise(name, like.sizes());
    if (like.dim() >= 2) {
        values = values * std::sqrt(6.0 / (double(like.numel()) / double(like.size(0))));
        if (name.find("bbox_pred") != std::string::npos || name.find("cls_logits") != std::string::npos)
            values = values * 0.1;
    } else if (endsWith(name, "running_var")) {
        values = 1 + 0.3 * values;
    } else if (endsWith(name, "weight")) {
        values = 0.5 + 0.2 * values;
    } else {
        values = 0.1 * values;
    }
    return values.to(torch::kFloat);
}

inline void fillLikeRcnnReference(torch::nn::Module& module) {
    const torch::NoGradGuard noGradients;
    for (auto& item : module.named_parameters())
        item.value().copy_(rcnnValues(item.key(), item.value()));
    for (auto& item : module.named_buffers())
        item.value().copy_(rcnnValues(item.key(), item.value()));
}

/// A mask of the whole input, set where a pixel's middle lies in the ellipse that fills the box.
inline RunLengthMask ellipse(const float* box, int height, int width) {
    std::vector<std::uint8_t> pixels;
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
            const double dx = (x + 0.5 - double(box[0] + box[2]) / 2) / (double(box[2] - box[0]) / 2);
            const double dy = (y + 0.5 - double(box[1] + box[3]) / 2) / (double(box[3] - box[1]) / 2);
            pixels.push_back(dx * dx + dy * dy <= 1);
        }
    return runlength::fromPixels(pixels.data(), width, height);
}

/// The two images of make_rcnn_reference.py with boxes, outlines and keypoints.
inline Batch rcnnBatch(std::int64_t keypoints = 5) {
    Batch batch;
    batch.images = noise("images", {2, 3, 128, 128}).to(torch::kFloat).contiguous(torch::MemoryFormat::ChannelsLast);
    const torch::Tensor boxes = torch::tensor(
        {{10.5F, 20.F, 33.F, 48.25F}, {50.F, 60.F, 98.F, 120.F}, {70.F, 5.F, 78.5F, 12.F}, {3.F, 3.F, 120.F, 88.F}});
    batch.targets["boxes"] = boxes;
    batch.targets["labels"] = torch::tensor({0, 2, 1, 1}, torch::kLong);
    batch.targets["crowd"] = torch::zeros({4}, torch::kBool);
    batch.targets["counts"] = torch::tensor({3, 1}, torch::kLong);
    batch.targets["sizes"] = torch::tensor({{128, 100}, {90, 128}}, torch::kLong);
    batch.samples.resize(2);
    for (int i = 0; i < 4; ++i)
        batch.shapes.push_back({{}, ellipse(boxes.data_ptr<float>() + 4 * i, 128, 128)});
    const torch::Tensor places =
        (torch::cat({noise("keypoints 0", {3, keypoints, 2}), noise("keypoints 1", {1, keypoints, 2})}) + 1) / 2;
    const torch::Tensor corner = boxes.slice(1, 0, 2).unsqueeze(1), size = boxes.slice(1, 2, 4).unsqueeze(1) - corner;
    const torch::Tensor row = torch::tensor({0, 1, 2, 0}).unsqueeze(1) + torch::arange(keypoints);
    batch.targets["keypoints"] =
        torch::cat({corner + places * size, row.remainder(3).unsqueeze(2)}, 2).to(torch::kFloat).contiguous();
    return batch;
}

/// A network small enough to train in a test.
inline RunConfig smallRcnn(const std::string& type) {
    RunConfig config;
    config.model.type = type;
    config.model.norm = "group";
    RcnnConfig& net = config.model.rcnn;
    net.classes = 3;
    net.depth = 18;
    net.pyramidChannels = 32;
    net.inputSize = 128;
    net.rpn.anchorSizes = {8, 16, 32, 64, 128};
    net.rpn.trainCandidates = net.rpn.trainProposals = 200;
    net.rpn.testCandidates = net.rpn.testProposals = 100;
    net.rpn.anchorsPerImage = 64;
    net.box.width = 64;
    net.box.channels = 32;
    net.box.convolutions = 2;
    net.box.regionsPerImage = 32;
    net.mask.channels = net.keypoint.channels = 32;
    net.mask.convolutions = net.keypoint.convolutions = 2;
    net.keypoint.keypoints = 5;
    net.rfcn.channels = 64;
    if (type == "rfcn")
        net.pyramid = false;
    return config;
}

inline const ModelContext kThreeClasses{{"one", "two", "three"}, 7};

using Change = std::function<void(RcnnConfig&)>;

/// Proposals around each box, and some that show nothing.
inline void addProposals(Batch& batch) {
    const torch::Tensor near = batch.targets.at("boxes") + torch::tensor({1.F, -1.F, 2.F, 1.F});
    const torch::Tensor far = torch::tensor({{2.F, 90.F, 30.F, 110.F}, {60.F, 2.F, 80.F, 30.F}});
    batch.targets["proposals"] = torch::cat({near.slice(0, 0, 3), far, near.slice(0, 3, 4), far});
    batch.targets["proposal_counts"] = torch::tensor({5, 3}, torch::kLong);
}

inline Batch wholeBatch() {
    Batch batch = rcnnBatch();
    addProposals(batch);
    return batch;
}

inline std::shared_ptr<Model> made(const RunConfig& config) {
    const auto model = makeModel(config, kThreeClasses);
    if (!model)
        qFatal("%s", model.error().sentence().c_str());
    return *model;
}

} // namespace trainyard::testing
