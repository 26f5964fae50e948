#include "app/workbench/engine/ModelScale.h"

#include "app/engine/Machine.h"
#include "core/config/DetectorInput.h"
#include "core/config/PictureScaling.h"
#include "core/config/WordInput.h"
#include "core/loader/Collation.h"
#include "core/models/Model.h"
#include "core/nn/Autocast.h"

#include <torch/torch.h>

#include <algorithm>
#include <cstdio>
#include <exception>

#include <malloc.h>
#include <unistd.h>

namespace trainyard {
namespace {

/// Bytes that the process has been given by malloc and not returned.
std::int64_t heldBytes() {
    const auto information = ::mallinfo2();
    return std::int64_t(information.uordblks + information.hblkhd);
}

std::int64_t residentBytes() {
    std::int64_t pages = 0, resident = 0;
    if (std::FILE* file = std::fopen("/proc/self/statm", "r")) {
        if (std::fscanf(file, "%ld %ld", &pages, &resident) != 2)
            resident = 0;
        std::fclose(file);
    }
    return resident * ::sysconf(_SC_PAGESIZE);
}

Image blankImage(std::int64_t width, std::int64_t height, std::int64_t channels) {
    return {int(width), int(height), int(channels), std::vector<std::uint8_t>(std::size_t(width * height * channels))};
}

/// A blank sample as the transforms hand it over, with something to learn in it.
Sample blankSample(const RunConfig& config) {
    Sample sample;
    if (taskOf(config.model) == TaskKind::Recognition) {
        const WordInput model = wordInput(config.model);
        sample.image = blankImage(model.width, model.height, model.channels);
        sample.info.transcript = model.alphabet.substr(0, 1);
    } else {
        const PictureScaling scaling = pictureScaling(config, true);
        const std::int64_t side =
            scaling.square > 0 ? scaling.square : *std::max_element(scaling.scales.begin(), scaling.scales.end());
        const std::int64_t longer = scaling.square > 0 ? side : std::min(scaling.maxSize, side * 4 / 3); // of a photo
        sample.image = blankImage(longer, side, 3);
        ObjectAnnotation object;
        object.box = {0, 0, float(side) / 2, float(side) / 2};
        sample.objects = {object};
    }
    return sample;
}

/// What forward passes keep for the way back, for `count` samples at once.
std::int64_t keptBytes(Model& model, const RunConfig& config, bool isBf16, int count) {
    const Collation collation(config, taskOf(config.model));
    std::vector<Sample> samples;
    for (int i = 0; i < count; ++i)
        samples.push_back(blankSample(config));
    const Batch batch = std::move(collation.collate(std::move(samples), 1).front());
    const std::int64_t before = heldBytes();
    const Autocast autocast(isBf16);
    const Model::Losses losses = model.losses(batch); // holds the graph until it goes out of scope
    return heldBytes() - before;
}

/// Moments that the optimiser keeps for every parameter.
std::int64_t momentsOf(const SolveConfig& solve) {
    if (solve.optimizer == "adam" || solve.optimizer == "adadelta")
        return 2;
    return solve.momentum > 0 ? 1 : 0;
}

} // namespace

Result<ModelWeight> weighModel(const RunConfig& config, const std::vector<std::string>& classes) {
    const auto device = resolveDevice(config);
    if (!device)
        return device.error();
    const std::int64_t program = residentBytes();
    std::vector<std::string> known = classes;
    if (known.empty() && taskOf(config.model) == TaskKind::Detection)
        known.resize(std::size_t(std::max<std::int64_t>(1, detectorInput(config.model).classes)), "object");
    const auto made = makeModel(config, {known, config.seed});
    if (!made)
        return made.error();
    Model& model = **made;
    model.train();
    ModelWeight weight;
    std::int64_t learning = 0, other = 0; // bytes
    for (const auto& parameter : model.parameters()) {
        weight.parameters += parameter.numel();
        learning += std::int64_t(parameter.nbytes());
    }
    for (const auto& buffer : model.buffers())
        other += std::int64_t(buffer.nbytes());
    const std::int64_t moments = momentsOf(config.solve);
    weight.checkpointBytes = learning * (1 + moments) + other;
    try {
        const bool isBf16 = device->precision == "bf16";
        keptBytes(model, config, isBf16, 1); // what the first pass alone sets up
        const std::int64_t one = keptBytes(model, config, isBf16, 1);
        const std::int64_t sample = std::max<std::int64_t>(0, keptBytes(model, config, isBf16, 2) - one);
        const auto replicas = std::int64_t(device->devices.size());
        // weights, gradients, moments; the snapshot that a checkpoint is written from; the activations of a batch
        weight.memoryBytes = program +
                             replicas * (learning * (2 + moments) + other + std::max<std::int64_t>(0, one - sample)) +
                             weight.checkpointBytes + sample * config.data.batchSize;
    } catch (const std::exception&) {
        weight.memoryBytes = 0; // not known, and said so; the training will say what is wrong
    }
    return weight;
}

} // namespace trainyard
