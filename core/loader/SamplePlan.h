#pragma once

#include "core/base/Error.h"
#include "core/base/Random.h"
#include "core/config/RunConfig.h"

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <utility>
#include <vector>

namespace trainyard {

/// One place of a batch: which sample stands there.
struct SampleAddress {
    std::size_t dataset = 0;
    std::int64_t index = 0; ///< in the dataset
    std::int64_t epoch = 0; ///< of that dataset
    std::int64_t place = 0; ///< in the epoch's order; of an endless dataset the index again
};

/// Which samples make which batch, as a function of (seed, step) alone. Every dataset gives its own number of samples
/// to every batch, runs through its own epochs, and shows each sample once an epoch, in an order drawn by
/// (seed, epoch, dataset); an endless one just goes on. With aspect grouping a batch takes samples of one orientation
/// from a dataset: an epoch shows none twice and leaves out those, others every time, that make no full share. Any
/// thread. Source of the grouping: Detectron.
class SamplePlan {
public:
    /// `sizes` are the datasets' (Dataset::kEndless where endless), `shares` how many samples each gives to a batch.
    SamplePlan(std::uint64_t seed, std::vector<std::int64_t> sizes, std::vector<std::int64_t> shares);
    /// `isPortrait[d]` says of each sample of dataset d whether it is taller than wide; empty: not grouped. Where one
    /// of its orientations has samples, but fewer than a share, a dataset is not grouped: they would never be seen.
    SamplePlan(std::uint64_t seed, std::vector<std::int64_t> sizes, std::vector<std::int64_t> shares,
               std::vector<std::vector<bool>> isPortrait);

    std::int64_t batchSize() const;
    std::int64_t shareOf(std::size_t dataset) const { return m_shares[dataset]; }
    /// The samples of the batch of `step`, dataset by dataset.
    std::vector<SampleAddress> addresses(std::int64_t step) const;
    /// How many samples an epoch of a dataset shows.
    std::int64_t epochLength(std::size_t dataset) const { return m_lengths[dataset]; }
    bool isGrouped(std::size_t dataset) const { return !m_isPortrait[dataset].empty(); }
    /// The sample that stands `distance` places further on in the same epoch, going round at its end; those of another
    /// orientation are not counted where the dataset is grouped.
    SampleAddress replacement(const SampleAddress& address, std::int64_t distance) const;
    /// Of the first dataset; 0 where it is endless.
    std::int64_t epochOf(std::int64_t step) const;

private:
    using Order = std::shared_ptr<const std::vector<std::int64_t>>;
    Order order(std::size_t dataset, std::int64_t epoch) const;
    std::vector<std::int64_t> groupedOrder(std::size_t dataset, Random& random) const;

    std::uint64_t m_seed;
    std::vector<std::int64_t> m_sizes, m_shares, m_lengths;
    std::vector<std::vector<bool>> m_isPortrait;
    mutable std::mutex m_mutex;
    mutable std::map<std::pair<std::size_t, std::int64_t>, Order> m_orders; ///< of the newest epochs
};

/// How many samples each entry gives to a batch: its own `batch_size`, or an even share of what the others leave.
/// A Usage error when nothing is left for one, or when `replicas` cannot share the whole evenly.
Result<std::vector<std::int64_t>> batchShares(const DataConfig& config, int replicas);

} // namespace trainyard
