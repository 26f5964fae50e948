// Whole training steps of the presets, and where their time goes. compare_with_python.py puts them beside Python's.
#include "core/config/ConfigFile.h"
#include "core/config/DetectorInput.h"
#include "core/config/WordInput.h"
#include "core/models/ModelRegistry.h"
#include "core/train/StepRunner.h"
#include "tests/bench/Bench.h"
#include "tests/bench/Must.h"

#include <ATen/ATen.h>
#include <ATen/CPUGeneratorImpl.h>
#include <ATen/Parallel.h>
#include <fmt/core.h>

#include <stdexcept>

namespace trainyard::bench {
namespace {

at::Tensor noise(at::IntArrayRef shape) {
    return at::randn(shape, at::detail::createCPUGenerator(1)).contiguous(at::MemoryFormat::ChannelsLast);
}

/// Pictures with twelve boxes each, as large as blood cells in a picture of this size.
Batch detectionBatch(std::int64_t count, std::int64_t size, std::int64_t classes) {
    constexpr std::int64_t kBoxes = 12;
    Batch batch{noise({count, 3, size, size}), {}, {}, {}};
    std::vector<float> corners;
    std::vector<std::int64_t> labels;
    for (std::int64_t i = 0; i < count * kBoxes; ++i) {
        const float x = float(i * 71 % (size - 70)), y = float(i * 37 % (size - 70)), side = float(24 + i * 13 % 40);
        corners.insert(corners.end(), {x, y, x + side, y + side});
        labels.push_back(i % classes);
    }
    batch.targets["boxes"] = at::tensor(corners).reshape({-1, 4});
    batch.targets["labels"] = at::tensor(labels, at::kLong);
    batch.targets["counts"] = at::full({count}, kBoxes, at::kLong);
    batch.samples.resize(std::size_t(count));
    return batch;
}

/// Words of six characters.
Batch recognitionBatch(std::int64_t count, const WordInput& input) {
    constexpr std::int64_t kCharacters = 6;
    Batch batch{noise({count, input.channels, input.height, input.width}), {}, {}, {}};
    batch.targets["labels"] = at::arange(count * kCharacters, at::kLong) % 36 + 1;
    batch.targets["lengths"] = at::full({count}, kCharacters, at::kLong);
    batch.samples.resize(std::size_t(count));
    return batch;
}

/// The same batch again and again, from memory.
class SameBatch final : public BatchSource {
public:
    explicit SameBatch(Batch batch) : m_batch(std::move(batch)) {}
    void seek(std::int64_t step) override { m_next = step; }
    Result<StepBatch> next(const std::function<bool()>& = {}) override {
        StepBatch step;
        step.parts = {m_batch};
        step.step = m_next++;
        return step;
    }
    void stop() override {}

private:
    Batch m_batch;
    std::int64_t m_next = 0;
};

/// A preset's training in memory, without statistics: update after update.
class Training {
public:
    Training(const std::string& preset, const std::string& precision) : m_config(configOf(preset, precision)) {
        const std::vector<std::string> classes = {"red", "white", "platelet"};
        const bool isDetection = taskOf(m_config.model) == TaskKind::Detection;
        m_batches = std::make_unique<SameBatch>(
            isDetection ? detectionBatch(m_config.data.batchSize, detectorInput(m_config.model).side, 3)
                        : recognitionBatch(m_config.data.batchSize, wordInput(m_config.model)));
        std::vector<std::unique_ptr<Replica>> replicas;
        replicas.push_back(std::make_unique<Replica>(
            0, at::kCPU, must(makeModel(m_config, {isDetection ? classes : std::vector<std::string>(), 1})), m_config,
            precision == "bf16", makeSingleCommunicator()));
        m_team = std::make_unique<ReplicaTeam>(std::move(replicas), at::get_num_threads());
        m_steps = std::make_unique<StepRunner>(m_config, *m_team, *m_batches, nullptr);
    }
    void step() {
        const StepResult result = must(m_steps->run(++m_iteration, 1e-5));
        if (result.finding)
            throw std::runtime_error("The loss is no number.");
        const StepTimings& seconds = result.report.seconds;
        m_sum.forward += seconds.forward;
        m_sum.backward += seconds.backward;
        m_sum.update += seconds.update;
        m_sum.total += seconds.total;
    }
    std::string parts() const {
        return fmt::format("forward {:.1f} %, backward {:.1f} %, update {:.1f} %", 100 * m_sum.forward / m_sum.total,
                           100 * m_sum.backward / m_sum.total, 100 * m_sum.update / m_sum.total);
    }

private:
    static RunConfig configOf(const std::string& preset, const std::string& precision) {
        RunConfig config = must(loadConfig(preset)).config;
        if (preset == "faster-rcnn-r50-fpn") { // made for a GPU: a step that two cores can bear
            config.model.rcnn.inputSize = 320;
            config.data.batchSize = 2;
        }
        config.train.precision = precision;
        config.train.summariseEvery = 0;
        return config;
    }

    RunConfig m_config;
    std::unique_ptr<SameBatch> m_batches;
    std::unique_ptr<ReplicaTeam> m_team;
    std::unique_ptr<StepRunner> m_steps;
    StepTimings m_sum;
    std::int64_t m_iteration = 0;
};

Comparison compareSteps(const std::string& preset) {
    Comparison comparison{"steps: " + preset + ", forward, backward and update", {}, 7};
    for (const char* precision : {"fp32", "bf16"}) {
        const auto training = std::make_shared<Training>(preset, precision);
        comparison.variants.push_back({preset + " " + precision, [training] { training->step(); },
                                       [training](double) { return training->parts(); }});
    }
    return comparison;
}

/// "steps-crnn", one a preset.
Register stepsOf(const std::string& preset) {
    return Register(
        "steps-" + preset, [preset] { return std::vector{compareSteps(preset)}; }, nullptr);
}

const Register kSteps[] = {stepsOf("retinanet-r18-fpn"), stepsOf("faster-rcnn-r50-fpn"), stepsOf("crnn"),
                           stepsOf("aster-demo")};

} // namespace
} // namespace trainyard::bench
