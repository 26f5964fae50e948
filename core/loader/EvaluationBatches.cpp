#include "core/loader/EvaluationBatches.h"

#include "core/loader/Collation.h"
#include "core/loader/OrderedWorkers.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <utility>
#include <vector>

namespace trainyard {

namespace {

/// Makes batch after batch of the list of samples. Shared by the loader's threads, which may outlive the pass; any
/// thread.
class EvaluationBatchMaker {
public:
    explicit EvaluationBatchMaker(EvaluationBatchesParts parts)
        : m_parts(std::move(parts)), m_reader(m_parts.config.seed, m_parts.datasets, m_parts.transforms, m_parts.warn),
          m_collation(m_parts.config, m_parts.task) {
        listSamples();
        const RunConfig& config = m_parts.config;
        m_batchSize = std::max<std::int64_t>(1, config.evaluate.batchSize > 0 ? config.evaluate.batchSize
                                                                              : config.data.batchSize);
    }

    std::int64_t samples() const { return std::int64_t(m_samples.size()); }
    std::int64_t batches() const { return (samples() + m_batchSize - 1) / m_batchSize; }

    /// Given up between two samples when `stopped`.
    Result<Batch> make(std::int64_t number, const CancellationToken& stopped) const {
        try {
            std::vector<Sample> batch;
            const std::int64_t end = std::min((number + 1) * m_batchSize, samples());
            for (std::int64_t i = number * m_batchSize; i < end; ++i) {
                const auto [dataset, index] = m_samples[std::size_t(i)];
                auto sample = m_reader.read(dataset, index, 0);
                if (stopped.isCancelled())
                    return cancelled();
                if (sample)
                    batch.push_back(std::move(*sample));
                else if (sample.error().kind != ErrorKind::Data || m_parts.config.data.onDamaged != "skip")
                    return sample.error();
                else
                    m_reader.warnOnce(dataset, index,
                                      sample.error().sentence() + " The evaluation goes on without it.");
            }
            return m_collation.collate(std::move(batch), 1).front();
        } catch (const std::exception& failure) { // no memory
            return Error{ErrorKind::Unexpected, fmt::format("A batch could not be made: {}.", failure.what()), "", ""};
        }
    }

    static Error cancelled() { return {ErrorKind::Interrupted, "The evaluation was stopped.", "", ""}; }

private:
    void listSamples() {
        for (std::size_t dataset = 0; dataset < m_parts.datasets.size(); ++dataset) {
            const std::int64_t size = m_parts.datasets[dataset]->size();
            const std::int64_t count = size == Dataset::kEndless ? m_parts.config.data.rendered.validationCount : size;
            for (std::int64_t index = 0; index < count; ++index)
                m_samples.emplace_back(dataset, index);
        }
        const std::int64_t all = samples(), wanted = m_parts.config.evaluate.maxSamples;
        if (wanted <= 0 || wanted >= all)
            return;
        for (std::int64_t i = 0; i < wanted; ++i) // i * all / wanted is never behind i: in place is safe
            m_samples[std::size_t(i)] = m_samples[std::size_t(i * all / wanted)];
        m_samples.resize(std::size_t(wanted));
    }

    EvaluationBatchesParts m_parts;
    SampleReader m_reader;
    Collation m_collation;
    std::vector<std::pair<std::size_t, std::int64_t>> m_samples; ///< dataset, index
    std::int64_t m_batchSize = 1;
};

} // namespace

struct EvaluationBatches::State {
    std::int64_t samples = 0;
    std::unique_ptr<OrderedWorkers<Result<Batch>>> workers;

    explicit State(const EvaluationBatchesParts& parts) {
        const auto maker = std::make_shared<const EvaluationBatchMaker>(parts);
        samples = maker->samples();
        workers = std::make_unique<OrderedWorkers<Result<Batch>>>(
            [maker](std::int64_t number, const CancellationToken& stopped) { return maker->make(number, stopped); },
            OrderedWorkers<Result<Batch>>::Shape{.threads = int(std::max<std::int64_t>(1, parts.config.data.workers)),
                                                 .capacity = int(std::max<std::int64_t>(1, parts.config.data.prefetch)),
                                                 .end = maker->batches(),
                                                 .patience = parts.patience});
    }
};

EvaluationBatches::EvaluationBatches(EvaluationBatchesParts parts) : m_state(std::make_unique<State>(parts)) {}
EvaluationBatches::~EvaluationBatches() = default;

std::int64_t EvaluationBatches::sampleCount() const {
    return m_state->samples;
}

Result<std::optional<Batch>> EvaluationBatches::next(const std::function<bool()>& isCancelled) {
    auto batch = m_state->workers->take(isCancelled);
    if (!batch && !m_state->workers->isAtEnd())
        return EvaluationBatchMaker::cancelled();
    if (!batch)
        return std::optional<Batch>();
    if (!*batch)
        return batch->error();
    return std::optional<Batch>(std::move(**batch));
}

} // namespace trainyard
