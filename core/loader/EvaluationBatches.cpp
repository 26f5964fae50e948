#include "core/loader/EvaluationBatches.h"

#include "core/loader/Collation.h"
#include "core/loader/OrderedWorkers.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <utility>
#include <vector>

namespace trainyard {

struct EvaluationBatches::State {
    EvaluationBatchesParts parts;
    SampleReader reader;
    Collation collation;
    std::vector<std::pair<std::size_t, std::int64_t>> samples; ///< dataset, index
    std::int64_t batchSize = 1;
    std::unique_ptr<OrderedWorkers<Result<Batch>>> workers;

    explicit State(EvaluationBatchesParts given)
        : parts(std::move(given)), reader(parts.config.seed, parts.datasets, parts.transforms, parts.warn),
          collation(parts.config, parts.task) {
        listSamples();
        const RunConfig& config = parts.config;
        batchSize = std::max<std::int64_t>(1, config.evaluate.batchSize > 0 ? config.evaluate.batchSize
                                                                            : config.data.batchSize);
        const std::int64_t batches = (std::int64_t(samples.size()) + batchSize - 1) / batchSize;
        workers = std::make_unique<OrderedWorkers<Result<Batch>>>(
            [this](std::int64_t number) { return make(number); }, int(std::max<std::int64_t>(1, config.data.workers)),
            int(std::max<std::int64_t>(1, config.data.prefetch)), batches);
    }

    void listSamples() {
        for (std::size_t dataset = 0; dataset < parts.datasets.size(); ++dataset) {
            const std::int64_t size = parts.datasets[dataset]->size();
            const std::int64_t count = size == Dataset::kEndless ? parts.config.data.rendered.validationCount : size;
            for (std::int64_t index = 0; index < count; ++index)
                samples.emplace_back(dataset, index);
        }
        const auto all = std::int64_t(samples.size()), wanted = parts.config.evaluate.maxSamples;
        if (wanted <= 0 || wanted >= all)
            return;
        for (std::int64_t i = 0; i < wanted; ++i) // i * all / wanted is never behind i: in place is safe
            samples[std::size_t(i)] = samples[std::size_t(i * all / wanted)];
        samples.resize(std::size_t(wanted));
    }

    Result<Batch> make(std::int64_t number) const {
        try {
            std::vector<Sample> batch;
            const std::int64_t end = std::min<std::int64_t>((number + 1) * batchSize, std::int64_t(samples.size()));
            for (std::int64_t i = number * batchSize; i < end; ++i) {
                const auto [dataset, index] = samples[std::size_t(i)];
                auto sample = reader.read(dataset, index, 0);
                if (sample)
                    batch.push_back(std::move(*sample));
                else if (sample.error().kind != ErrorKind::Data || parts.config.data.onDamaged != "skip")
                    return sample.error();
                else
                    reader.warnOnce(dataset, index, sample.error().sentence() + " The evaluation goes on without it.");
            }
            return collation.collate(std::move(batch), 1).front();
        } catch (const std::exception& failure) { // no memory
            return Error{ErrorKind::Unexpected, fmt::format("A batch could not be made: {}.", failure.what()), "", ""};
        }
    }
};

EvaluationBatches::EvaluationBatches(EvaluationBatchesParts parts)
    : m_state(std::make_unique<State>(std::move(parts))) {}
EvaluationBatches::~EvaluationBatches() = default;

std::int64_t EvaluationBatches::sampleCount() const {
    return std::int64_t(m_state->samples.size());
}

Result<std::optional<Batch>> EvaluationBatches::next() {
    auto batch = m_state->workers->take();
    if (!batch)
        return std::optional<Batch>();
    if (!*batch)
        return batch->error();
    return std::optional<Batch>(std::move(**batch));
}

void EvaluationBatches::stop() {
    m_state->workers->stop();
}

} // namespace trainyard
