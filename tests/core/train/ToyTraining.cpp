#include "tests/core/train/ToyTraining.h"

#include <fmt/format.h>
#include <torch/nn.h>

#include <stdexcept>
#include <unistd.h>

namespace trainyard::testing {
namespace {

class ToyModel final : public Model {
public:
    ToyModel(const ToyShape& shape, std::uint64_t seed) {
        torch::manual_seed(seed);
        m_conv = register_module("conv", torch::nn::Conv2d(torch::nn::Conv2dOptions(1, 4, 3)));
        if (shape.hasBatchNorm)
            m_norm = register_module("norm", torch::nn::BatchNorm2d(4));
        if (shape.dropout > 0)
            m_dropout = register_module("dropout", torch::nn::Dropout(shape.dropout));
        m_head = register_module("head", torch::nn::Linear(4, shape.classes));
    }
    Losses losses(const Batch& batch) override {
        m_brightness = batch.images.mean().item<double>();
        const auto features = forward(batch.images);
        const auto logits = m_head(features).to(torch::kFloat);
        return {{"classification", torch::nn::functional::cross_entropy(logits, batch.targets.at("labels"))},
                {"size", 0.01 * features.to(torch::kFloat).square().mean()}};
    }
    std::vector<std::pair<std::string, double>> metrics() const override { return {{"brightness", m_brightness}}; }
    Summary summary(const Batch& batch) override {
        const auto features = torch::relu(m_conv(batch.images));
        return {{{"first", (batch.images[0].clamp(0, 1) * 255).to(torch::kByte)}}, {{"features", features}}};
    }
    std::vector<Prediction> predict(const Batch& batch) override {
        const auto best = std::get<1>(m_head(forward(batch.images)).max(1));
        std::vector<Prediction> predictions;
        for (std::int64_t i = 0; i < batch.size(); ++i)
            predictions.emplace_back().text = std::to_string(best[i].item<std::int64_t>());
        return predictions;
    }
    std::vector<std::string> classDependent() const override { return {"head."}; }

private:
    torch::Tensor forward(const torch::Tensor& images) {
        auto features = m_conv(images);
        if (m_norm)
            features = m_norm(features);
        features = torch::relu(features).mean({2, 3});
        return m_dropout ? m_dropout(features) : features;
    }
    torch::nn::Conv2d m_conv{nullptr};
    torch::nn::BatchNorm2d m_norm{nullptr};
    torch::nn::Dropout m_dropout{nullptr};
    torch::nn::Linear m_head{nullptr};
    double m_brightness = 0;
};

Batch toyBatch(std::int64_t step, int size) {
    auto generator = at::detail::createCPUGenerator(std::uint64_t(step) + 1000);
    Batch batch;
    batch.images = torch::randn({size, 1, 8, 8}, generator);
    const auto brightness = batch.images.mean({1, 2, 3}); // dark, middling or bright: deviation 1 / 8
    batch.targets["labels"] = (brightness > -0.05).to(torch::kLong) + (brightness > 0.05).to(torch::kLong);
    for (int i = 0; i < size; ++i)
        batch.samples.emplace_back().id = fmt::format("{}:{}", step, i);
    return batch;
}

Batch partOf(const Batch& whole, int part, int parts) {
    const auto rows = torch::arange(part, whole.size(), parts);
    Batch batch{
        whole.images.index_select(0, rows), {{"labels", whole.targets.at("labels").index_select(0, rows)}}, {}, {}};
    for (std::int64_t row = part; row < whole.size(); row += parts)
        batch.samples.push_back(whole.samples[std::size_t(row)]);
    return batch;
}

} // namespace

std::shared_ptr<Model> makeToyModel(const ToyShape& shape, std::uint64_t seed) {
    return std::make_shared<ToyModel>(shape, seed);
}

Result<StepBatch> ToyBatches::next(const std::function<bool()>&) {
    if (m_isStopped)
        return Error{ErrorKind::Interrupted, "The loader was stopped.", "", ""};
    if (failsAt == m_next)
        return Error{ErrorKind::Data, "The image is damaged.", "a.jpg", ""};
    StepBatch batch;
    batch.step = m_next++;
    batch.epoch = batch.step / 5;
    const Batch whole = toyBatch(batch.step, m_size);
    for (int part = 0; part < m_replicas; ++part)
        batch.parts.push_back(partOf(whole, part, m_replicas));
    if (spoil)
        spoil(batch);
    return batch;
}

Result<std::int64_t> MemoryCatalog::add(const CheckpointReport& report) {
    std::erase_if(list, [&](const CatalogEntry& entry) { return entry.report.iteration == report.iteration; });
    list.push_back({m_nextId, report, false, false, false, std::nullopt});
    return m_nextId++;
}

Result<void> MemoryCatalog::remove(std::int64_t id) {
    if (onRemove)
        onRemove(id);
    std::erase_if(list, [&](const CatalogEntry& entry) { return entry.id == id; });
    return {};
}

Result<void> MemoryCatalog::setMetric(std::int64_t iteration, double metric, bool isBest) {
    for (CatalogEntry& entry : list) {
        if (isBest)
            entry.isBest = entry.report.iteration == iteration;
        if (entry.report.iteration == iteration)
            entry.metric = metric;
    }
    return {};
}

Result<void> MemoryCatalog::markFinal(std::int64_t iteration) {
    for (CatalogEntry& entry : list)
        entry.isFinal = entry.report.iteration == iteration;
    return {};
}

void RecordingSink::onStep(const StepReport& report) {
    steps.push_back(report);
    if (afterStep)
        afterStep(report.iteration);
}

void RecordingSink::onEvent(const RunEvent& event) {
    all.push_back(event);
    if (afterEvent)
        afterEvent(event);
}

void RecordingSink::onPhase(const PhaseReport& report) {
    if (afterPhase)
        afterPhase(report);
}

std::vector<RunEvent> RecordingSink::events(EventKind kind) const {
    std::vector<RunEvent> found;
    for (const RunEvent& event : all)
        if (event.kind == kind)
            found.push_back(event);
    return found;
}

std::vector<double> RecordingSink::losses() const {
    std::vector<double> found;
    for (const StepReport& step : steps)
        found.push_back(step.loss);
    return found;
}

Result<EvaluationReport> ToyEvaluator::evaluate(Model& model, std::int64_t iteration, const std::function<bool()>&) {
    if (error)
        return *error;
    iterations.push_back(iteration);
    weights.push_back(model.named_parameters()["head.weight"].detach().clone());
    torch::rand({17}); // as a careless metric would
    const torch::NoGradGuard noGradients;
    const Batch batch = toyBatch(1'000'000, 32);
    const auto predictions = model.predict(batch);
    double right = 0;
    for (std::size_t i = 0; i < predictions.size(); ++i)
        right +=
            predictions[i].text == std::to_string(batch.targets.at("labels")[std::int64_t(i)].item<std::int64_t>());
    const double score = scores.contains(iteration) ? scores[iteration] : right / 32;
    EvaluationReport report;
    report.iteration = iteration;
    report.metrics = {{"accuracy", score}};
    report.samples = 32;
    report.dataset = "toy";
    return report;
}

Result<std::int64_t> FullDisk::write(const std::filesystem::path& path, const TrainingState& state) {
    ++writes;
    if (failuresLeft.load() > 0) {
        --failuresLeft;
        return Error{ErrorKind::Damaged, "The disk is full (3.1 MB free).", path.string(), "Free some space."};
    }
    if (throwsLeft.load() > 0) {
        --throwsLeft;
        throw std::runtime_error("the disk is on fire");
    }
    return CheckpointDisk::write(path, state);
}

ToyRun::ToyRun(const std::filesystem::path& folder, ToyShape toyShape, int replicas)
    : shape(toyShape), batches(replicas) {
    parts.config.solve.iterations = 12;
    parts.config.solve.baseLr = 0.1;
    parts.config.solve.policy = "cosine";
    parts.config.train.precision = "fp32";
    parts.config.train.threads = 1;
    parts.config.train.devices.assign(std::size_t(replicas), "cpu");
    parts.config.train.checkpointEvery = 5;
    parts.config.train.evaluateEvery = 4;
    parts.config.train.summariseEvery = 6;
    parts.makeModel = [this] { return Result<std::shared_ptr<Model>>(makeToyModel(shape, parts.config.seed)); };
    parts.batches = &batches;
    parts.evaluator = &evaluator;
    parts.catalog = &catalog;
    parts.sink = &sink;
    parts.mailbox = &mailbox;
    parts.disk = &disk;
    std::filesystem::create_directories(folder);
    parts.runFolder = folder;
    parts.resolvedConfig = "seed: 1\n";
}

RunOutcome ToyRun::run() {
    return Trainer(parts).run();
}

std::filesystem::path ToyRun::checkpoint(std::int64_t iteration) const {
    return parts.runFolder / "checkpoints" / fmt::format("iteration-{:08}.pth", iteration);
}

std::vector<double> undisturbedLosses(ToyShape shape) {
    const auto folder = std::filesystem::temp_directory_path() / fmt::format("trainyard-undisturbed-{}", ::getpid());
    ToyRun run(folder, shape);
    (void)run.run();
    std::filesystem::remove_all(folder);
    return run.sink.losses();
}

std::vector<std::int64_t> iterations(const std::vector<CheckpointReport>& checkpoints) {
    std::vector<std::int64_t> list;
    for (const CheckpointReport& checkpoint : checkpoints)
        list.push_back(checkpoint.iteration);
    return list;
}

} // namespace trainyard::testing
