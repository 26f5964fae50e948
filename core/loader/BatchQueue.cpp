#include "core/loader/BatchQueue.h"

#include "core/base/Clock.h"
#include "core/loader/Collation.h"
#include "core/loader/OrderedWorkers.h"
#include "core/loader/SamplePlan.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <exception>

namespace trainyard {
namespace {

constexpr std::int64_t kMaxReplacements = 1000; ///< damaged samples in a row before the whole set counts as damaged

std::vector<std::int64_t> sizesOf(const DatasetList& datasets) {
    std::vector<std::int64_t> sizes;
    for (const auto& dataset : datasets)
        sizes.push_back(dataset->size());
    return sizes;
}

} // namespace

struct BatchQueue::State {
    BatchQueueParts parts;
    SamplePlan plan;
    SampleReader reader;
    Collation collation;
    std::mutex mutex; ///< guards the making and stopping of `workers`
    std::unique_ptr<OrderedWorkers<Result<StepBatch>>> workers;
    bool isStopped = false;

    State(BatchQueueParts given, std::vector<std::int64_t> shares)
        : parts(std::move(given)), plan(parts.config.seed, sizesOf(parts.datasets), std::move(shares)),
          reader(parts.config.seed, parts.datasets, parts.transforms, parts.warn), collation(parts.config, parts.task) {
    }

    OrderedWorkers<Result<StepBatch>>& start() {
        std::lock_guard lock(mutex);
        if (!workers) {
            workers = std::make_unique<OrderedWorkers<Result<StepBatch>>>(
                [this](std::int64_t step) { return make(step); },
                int(std::max<std::int64_t>(1, parts.config.data.workers)),
                int(std::max<std::int64_t>(1, parts.config.data.prefetch)));
            if (isStopped)
                workers->stop();
        }
        return *workers;
    }

    Result<StepBatch> make(std::int64_t step) const {
        try {
            return makeUnguarded(step);
        } catch (const std::exception& failure) { // no memory
            return Error{ErrorKind::Unexpected, fmt::format("A batch could not be made: {}.", failure.what()), "", ""};
        }
    }

    Result<StepBatch> makeUnguarded(std::int64_t step) const {
        std::vector<Sample> samples;
        for (const SampleAddress& address : plan.addresses(step)) {
            auto sample = readOrReplace(address);
            if (!sample)
                return sample.error();
            samples.push_back(std::move(*sample));
        }
        StepBatch batch;
        batch.parts = collation.collate(std::move(samples), parts.replicas);
        batch.step = step;
        batch.epoch = plan.epochOf(step);
        return batch;
    }

    Result<Sample> readOrReplace(const SampleAddress& address) const {
        const std::int64_t size = reader.datasets()[address.dataset]->size();
        const std::int64_t tries = size == Dataset::kEndless ? kMaxReplacements : std::min(size, kMaxReplacements);
        for (std::int64_t distance = 0; distance < tries; ++distance) {
            const SampleAddress at = distance == 0 ? address : plan.replacement(address, distance);
            auto sample = reader.read(at.dataset, at.index, at.epoch);
            if (sample || sample.error().kind != ErrorKind::Data || parts.config.data.onDamaged != "skip")
                return sample;
            reader.warnOnce(at.dataset, at.index, sample.error().sentence() + " Another sample takes its place.");
        }
        return Error{ErrorKind::Data, fmt::format("{} samples in a row are damaged.", tries),
                     reader.datasets()[address.dataset]->name(), "Look at the data with: trainyard data inspect PATH."};
    }
};

BatchQueue::BatchQueue(std::unique_ptr<State> state) : m_state(std::move(state)) {}
BatchQueue::~BatchQueue() = default;

Result<std::unique_ptr<BatchQueue>> BatchQueue::create(BatchQueueParts parts) {
    if (parts.datasets.size() != parts.config.data.train.size() || parts.datasets.empty())
        return Error{ErrorKind::Usage, "There is no training data.", "data.train",
                     "Name a folder: --data PATH, or data.train in the configuration."};
    for (const auto& dataset : parts.datasets)
        if (dataset->size() == 0)
            return Error{ErrorKind::Data, "The dataset has no usable sample.", dataset->name(),
                         "Look at it with: trainyard data inspect PATH."};
    auto shares = batchShares(parts.config.data, parts.replicas);
    if (!shares)
        return shares.error();
    return std::unique_ptr<BatchQueue>(new BatchQueue(std::make_unique<State>(std::move(parts), std::move(*shares))));
}

std::int64_t BatchQueue::batchSize() const {
    return m_state->plan.batchSize();
}

double BatchQueue::stepsPerEpoch() const {
    const std::int64_t size = m_state->parts.datasets.front()->size();
    const auto share = double(m_state->plan.shareOf(0));
    return size == Dataset::kEndless || share == 0 ? 0.0 : double(size) / share;
}

void BatchQueue::seek(std::int64_t step) {
    m_state->start().seek(step);
}

Result<StepBatch> BatchQueue::next() {
    auto& workers = m_state->start();
    const double start = steadySeconds();
    const int fill = workers.ready();
    auto batch = workers.take();
    if (!batch)
        return Error{ErrorKind::Interrupted, "The loader was stopped.", "", ""};
    if (!*batch)
        return batch->error();
    (*batch)->waitSeconds = steadySeconds() - start;
    (*batch)->queueFill = fill;
    (*batch)->queueCapacity = workers.capacity();
    return std::move(*batch);
}

void BatchQueue::stop() {
    std::lock_guard lock(m_state->mutex);
    m_state->isStopped = true;
    if (m_state->workers)
        m_state->workers->stop();
}

} // namespace trainyard
