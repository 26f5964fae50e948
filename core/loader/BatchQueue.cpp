#include "core/loader/BatchQueue.h"

#include "core/base/Clock.h"
#include "core/base/Text.h"
#include "core/loader/Collation.h"
#include "core/loader/OrderedWorkers.h"
#include "core/loader/SamplePlan.h"

#include <fmt/format.h>

#include <algorithm>
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

/// Of the datasets whose batches are to have one orientation; else empty.
std::vector<std::vector<bool>> orientationsOf(const BatchQueueParts& parts) {
    std::vector<std::vector<bool>> isPortrait(parts.datasets.size());
    if (parts.task != TaskKind::Detection || !parts.config.data.aspectGrouping)
        return isPortrait;
    for (std::size_t i = 0; i < parts.datasets.size(); ++i)
        for (std::int64_t index = 0; index < parts.datasets[i]->size(); ++index) {
            const SampleInfo info = parts.datasets[i]->info(index);
            isPortrait[i].push_back(info.height > info.width);
        }
    return isPortrait;
}

std::int64_t visibleKeypoints(const Sample& sample) {
    std::int64_t count = 0;
    for (const ObjectAnnotation& object : sample.objects)
        if (!object.isCrowd)
            count += std::count_if(object.keypoints.begin(), object.keypoints.end(),
                                   [](const Keypoint& keypoint) { return keypoint.visibility > 0; });
    return count;
}

/// What samples are sorted by: their aspect, or the lengths of their transcripts where sizes are not known yet.
std::vector<float> widthsOf(const Dataset& dataset) {
    std::vector<float> aspects, lengths;
    bool areKnown = true;
    for (std::int64_t i = 0; i < dataset.size(); ++i) { // none of an endless one
        const SampleInfo info = dataset.info(i);
        areKnown = areKnown && info.width > 0 && info.height > 0;
        aspects.push_back(info.height > 0 ? float(info.width) / float(info.height) : 0.F);
        lengths.push_back(float(text::repaired(info.transcript).size()));
    }
    return areKnown ? aspects : lengths;
}

SamplePlan::Buckets bucketsOf(const BatchQueueParts& parts) {
    SamplePlan::Buckets buckets{parts.task == TaskKind::Recognition ? parts.config.data.bucketBatches : 0, {}};
    if (buckets.batches > 0)
        for (const auto& dataset : parts.datasets)
            buckets.widths.push_back(widthsOf(*dataset));
    return buckets;
}

Error stoppedError() {
    return {ErrorKind::Interrupted, "The loader was stopped.", "", ""};
}

/// Makes the batch of a step. Shared by the loader's threads, which may outlive the queue; any thread.
class BatchMaker {
public:
    BatchMaker(BatchQueueParts parts, std::vector<std::int64_t> shares)
        : m_parts(std::move(parts)), m_plan(m_parts.config.seed, sizesOf(m_parts.datasets), std::move(shares),
                                            orientationsOf(m_parts), bucketsOf(m_parts)),
          m_reader(m_parts.config.seed, m_parts.datasets, m_parts.transforms, m_parts.warn),
          m_collation(m_parts.config, m_parts.task) {}

    const BatchQueueParts& parts() const { return m_parts; }
    const SamplePlan& plan() const { return m_plan; }

    /// Given up between two samples when `stopped`.
    Result<StepBatch> make(std::int64_t step, const CancellationToken& stopped) const {
        try {
            return makeUnguarded(step, stopped);
        } catch (const std::exception& failure) { // no memory
            return Error{ErrorKind::Unexpected, fmt::format("A batch could not be made: {}.", failure.what()), "", ""};
        }
    }

private:
    Result<StepBatch> makeUnguarded(std::int64_t step, const CancellationToken& stopped) const {
        auto samples = readBatch(m_plan.addresses(step), stopped);
        if (!samples)
            return samples.error();
        StepBatch batch;
        batch.parts = m_collation.collate(std::move(*samples), m_parts.replicas);
        batch.step = step;
        batch.epoch = m_plan.epochOf(step);
        return batch;
    }

    /// The samples of these addresses, or, while there is too little to learn from in them, those a whole batch further
    /// on in the same epochs.
    Result<std::vector<Sample>> readBatch(const std::vector<SampleAddress>& addresses,
                                          const CancellationToken& stopped) const {
        const std::int64_t fewest = m_parts.task == TaskKind::Detection ? m_parts.config.data.minBatchKeypoints : 0;
        for (std::int64_t batch = 0; batch < kMaxReplacements; ++batch) {
            std::vector<Sample> samples;
            std::int64_t visible = 0;
            for (const SampleAddress& address : addresses) {
                const std::int64_t distance = batch * m_plan.shareOf(address.dataset);
                auto sample = readOrReplace(distance == 0 ? address : m_plan.replacement(address, distance), stopped);
                if (!sample)
                    return sample.error();
                visible += fewest > 0 ? visibleKeypoints(*sample) : 0;
                samples.push_back(std::move(*sample));
            }
            if (visible >= fewest)
                return samples;
        }
        return Error{ErrorKind::Data,
                     fmt::format("{} batches in a row have fewer than {} visible keypoints.", kMaxReplacements, fewest),
                     m_parts.datasets.front()->name(), "Lower data.min_batch_keypoints, or raise data.batch_size."};
    }

    Result<Sample> readOrReplace(const SampleAddress& address, const CancellationToken& stopped) const {
        const std::int64_t size = m_reader.datasets()[address.dataset]->size();
        const std::int64_t tries = size == Dataset::kEndless ? kMaxReplacements : std::min(size, kMaxReplacements);
        const std::int64_t fewest = m_parts.task == TaskKind::Detection ? m_parts.config.data.minKeypoints : 0;
        const char* fault = "are damaged";
        for (std::int64_t distance = 0; distance < tries; ++distance) {
            const SampleAddress at = distance == 0 ? address : m_plan.replacement(address, distance);
            auto sample = m_reader.read(at.dataset, at.index, at.epoch);
            if (stopped.isCancelled())
                return stoppedError();
            if (sample && fewest > 0 && visibleKeypoints(*sample) < fewest) { // too many were cut off
                fault = "have too few visible keypoints or are damaged";
                continue;
            }
            if (sample || sample.error().kind != ErrorKind::Data || m_parts.config.data.onDamaged != "skip")
                return sample;
            m_reader.warnOnce(at.dataset, at.index, sample.error().sentence() + " Another sample takes its place.");
        }
        return Error{ErrorKind::Data, fmt::format("{} samples in a row {}.", tries, fault),
                     m_reader.datasets()[address.dataset]->name(),
                     "Look at the data with: trainyard data inspect PATH."};
    }

    BatchQueueParts m_parts;
    SamplePlan m_plan;
    SampleReader m_reader;
    Collation m_collation;
};

} // namespace

struct BatchQueue::State {
    std::shared_ptr<const BatchMaker> maker;
    std::mutex mutex; ///< guards the making and stopping of `workers`
    std::unique_ptr<OrderedWorkers<Result<StepBatch>>> workers;
    bool isStopped = false;

    OrderedWorkers<Result<StepBatch>>& start() {
        std::lock_guard lock(mutex);
        if (!workers) {
            const BatchQueueParts& parts = maker->parts();
            const int threads = int(std::max<std::int64_t>(1, parts.config.data.workers));
            const int capacity = int(std::max<std::int64_t>(1, parts.config.data.prefetch));
            workers = std::make_unique<OrderedWorkers<Result<StepBatch>>>(
                [maker = maker](std::int64_t step, const CancellationToken& stopped) {
                    return maker->make(step, stopped);
                },
                OrderedWorkers<Result<StepBatch>>::Shape{
                    .threads = threads, .capacity = capacity, .patience = parts.patience});
            if (isStopped)
                workers->stop();
        }
        return *workers;
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
    auto state = std::make_unique<State>();
    state->maker = std::make_shared<const BatchMaker>(std::move(parts), std::move(*shares));
    return std::unique_ptr<BatchQueue>(new BatchQueue(std::move(state)));
}

std::int64_t BatchQueue::batchSize() const {
    return m_state->maker->plan().batchSize();
}

double BatchQueue::stepsPerEpoch() const {
    const std::int64_t length = m_state->maker->plan().epochLength(0);
    const auto share = double(m_state->maker->plan().shareOf(0));
    return length == Dataset::kEndless || share == 0 ? 0.0 : double(length) / share;
}

void BatchQueue::seek(std::int64_t step) {
    m_state->start().seek(step);
}

Result<StepBatch> BatchQueue::next(const std::function<bool()>& isCancelled) {
    auto& workers = m_state->start();
    const double start = steadySeconds();
    const int fill = workers.ready();
    auto batch = workers.take(isCancelled);
    if (!batch)
        return stoppedError();
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
