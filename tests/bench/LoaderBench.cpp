// What loader threads bring, and how long a step waits for them.
#include "core/base/Clock.h"
#include "core/loader/BatchQueue.h"
#include "core/loader/Collation.h"
#include "core/loader/SamplePlan.h"
#include "core/models/ModelRegistry.h"
#include "core/nn/Autocast.h"
#include "tests/bench/Bench.h"
#include "tests/bench/Folder.h"
#include "tests/bench/Must.h"

#include <fmt/core.h>
#include <torch/torch.h>

#include <cmath>

namespace trainyard::bench {
namespace {

constexpr int kWidth = 640, kHeight = 480;
constexpr std::int64_t kBatch = 8;

/// A picture of soft waves with some noise: as long to decode as a photograph.
Image picture(int number) {
    Image image{kWidth, kHeight, 3, std::vector<std::uint8_t>(std::size_t(kWidth * kHeight * 3))};
    Random random(std::uint64_t(number) + 1);
    for (int y = 0; y < kHeight; ++y)
        for (int x = 0; x < kWidth * 3; ++x)
            image.row(y)[x] = std::uint8_t(128 + 80 * std::sin((x / 3 + 7 * number) * 0.02) * std::cos(y * 0.03) +
                                           random.uniform() * 24);
    return image;
}

/// JPEG files with two boxes each.
class Pictures final : public Dataset {
public:
    Pictures(std::filesystem::path folder, int count) : m_folder(std::move(folder)), m_count(count) {
        for (int i = 0; i < count; ++i)
            must(writeImage(file(i), picture(i)));
    }
    TaskKind task() const override { return TaskKind::Detection; }
    std::string name() const override { return "pictures"; }
    std::string format() const override { return "made"; }
    std::int64_t size() const override { return m_count; }
    const std::vector<std::string>& classes() const override { return m_classes; }
    std::vector<std::int64_t> categoryIds() const override { return {1}; }
    SampleInfo info(std::int64_t index) const override {
        SampleInfo info;
        info.id = file(index);
        info.width = kWidth;
        info.height = kHeight;
        return info;
    }
    Result<Sample> sample(std::int64_t index) const override {
        auto image = readImage(file(index), 3, 100000000);
        if (!image)
            return image.error();
        Sample sample{std::move(*image), std::vector<ObjectAnnotation>(2), info(index)};
        sample.objects[0].box = {100, 120, 220, 260};
        sample.objects[1].box = {400, 60, 470, 100};
        return sample;
    }
    const std::vector<DataProblem>& problems() const override { return m_problems; }
    std::string fingerprint() const override { return "made"; }

private:
    std::string file(std::int64_t index) const { return (m_folder / (std::to_string(index) + ".jpg")).string(); }

    std::filesystem::path m_folder;
    int m_count;
    std::vector<std::string> m_classes = {"thing"};
    std::vector<DataProblem> m_problems;
};

RunConfig configWith(std::int64_t workers) {
    RunConfig config;
    config.model.type = "retinanet";
    config.model.retinanet.fpnChannels = 128;
    config.data.batchSize = kBatch;
    config.data.workers = workers;
    config.data.train.resize(1);
    return config;
}

/// What queue and plain loop share.
struct World {
    Folder folder;
    std::shared_ptr<const Dataset> pictures;
    std::shared_ptr<const TransformChain> transforms =
        std::make_shared<TransformChain>(makeTransforms(configWith(1), TaskKind::Detection, true));

    explicit World(int count) : pictures(std::make_shared<Pictures>(folder.next(), count)) {}

    std::unique_ptr<BatchQueue> queue(std::int64_t workers) const {
        return must(BatchQueue::create({.config = configWith(workers),
                                        .task = TaskKind::Detection,
                                        .datasets = {pictures},
                                        .transforms = transforms,
                                        .warn = {}}));
    }
    /// The batch of a step, made here and now.
    Batch plainBatch(std::int64_t step) const {
        const RunConfig config = configWith(1);
        const SampleReader reader(config.seed, {pictures}, transforms, {});
        std::vector<Sample> samples;
        for (const SampleAddress& address : SamplePlan(config.seed, {pictures->size()}, {kBatch}).addresses(step))
            samples.push_back(must(reader.read(address.dataset, address.index, address.epoch)));
        return Collation(config, TaskKind::Detection).collate(std::move(samples), 1).front();
    }
};

Comparison compareSpeed(const std::shared_ptr<World>& world) {
    constexpr int kBatches = 16;
    const auto imagesASecond = [](double seconds) {
        return fmt::format("{:.0f} images/s", double(kBatches * kBatch) / seconds);
    };
    Comparison comparison{fmt::format("loader: {} images of {} x {} to 320 x 320, augmented, as batches of {}",
                                      kBatches * kBatch, kWidth, kHeight, kBatch),
                          {{"one after the other, on the caller's thread",
                            [=] {
                                for (int i = 0; i < kBatches; ++i)
                                    world->plainBatch(i);
                            },
                            imagesASecond}},
                          5};
    for (const std::int64_t workers : {1, 2, 3}) {
        const std::shared_ptr<BatchQueue> queue = world->queue(workers);
        comparison.variants.push_back({fmt::format("batch queue, {} thread{}", workers, workers == 1 ? "" : "s"),
                                       [=] {
                                           queue->seek(0); // nothing made ahead helps
                                           for (int i = 0; i < kBatches; ++i)
                                               must(queue->next());
                                       },
                                       imagesASecond});
    }
    return comparison;
}

/// Forward and backward of the preset detector, in bfloat16 as the CPU likes it.
class Steps {
public:
    Steps() : m_model(must(makeModel(configWith(1), {{"thing"}, 1}))) { m_model->train(); }
    void step(const Batch& batch) {
        torch::Tensor total;
        {
            const Autocast autocast(true);
            for (const auto& [name, loss] : m_model->losses(batch))
                total = total.defined() ? total + loss : loss;
        }
        total.backward();
        m_model->zero_grad();
    }

private:
    std::shared_ptr<Model> m_model;
};

Comparison compareWaiting(const std::shared_ptr<World>& world) {
    constexpr int kSteps = 5;
    const auto steps = std::make_shared<Steps>();
    const auto same = std::make_shared<Batch>(world->plainBatch(0));
    Comparison comparison{fmt::format("loader: {} training steps of retinanet-r18-fpn", kSteps),
                          {{"with the same batch every time",
                            [=] {
                                for (int i = 0; i < kSteps; ++i)
                                    steps->step(*same);
                            }},
                           {"decoding between the steps",
                            [=] {
                                for (int i = 0; i < kSteps; ++i)
                                    steps->step(world->plainBatch(i));
                            }}},
                          3};
    for (const std::int64_t workers : {1, 2, 3}) {
        struct Waits {
            double waited = 0, all = 0;
        };
        const std::shared_ptr<BatchQueue> queue = world->queue(workers);
        const auto waits = std::make_shared<Waits>();
        comparison.variants.push_back(
            {fmt::format("batch queue, {} thread{}", workers, workers == 1 ? "" : "s"),
             [=] {
                 const double start = steadySeconds();
                 for (int i = 0; i < kSteps; ++i) {
                     const StepBatch batch = must(queue->next());
                     waits->waited += batch.waitSeconds;
                     steps->step(batch.parts.front());
                 }
                 waits->all += steadySeconds() - start;
             },
             [=](double) { return fmt::format("waits {:.2f} % of its time", 100 * waits->waited / waits->all); }});
    }
    return comparison;
}

std::vector<Comparison> compare() {
    const auto world = std::make_shared<World>(128);
    return {compareSpeed(world), compareWaiting(world)};
}

/// The queue's batches are those of the plain loop, for one thread and for three.
std::string check() {
    const World world(12);
    for (const std::int64_t workers : {1, 3}) {
        const auto queue = world.queue(workers);
        for (std::int64_t step = 0; step < 3; ++step) {
            const StepBatch batch = must(queue->next());
            const Batch plain = world.plainBatch(step);
            const Batch& part = batch.parts.front();
            if (!part.images.equal(plain.images) || !part.targets.at("boxes").equal(plain.targets.at("boxes")))
                return fmt::format("Step {} of {} threads is not the batch made one sample after the other.", step,
                                   workers);
        }
    }
    return {};
}

const Register kLoader("loader", compare, check);

} // namespace
} // namespace trainyard::bench
