#include "core/loader/SamplePlan.h"

#include "core/data/Dataset.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

namespace trainyard {

namespace {

void shuffle(std::vector<std::int64_t>& values, Random& random) {
    for (std::int64_t i = std::int64_t(values.size()) - 1; i > 0; --i)
        std::swap(values[std::size_t(i)], values[std::size_t(random.integer(0, i))]);
}

/// How many samples of the two orientations stand in full shares; 0 where the dataset is better not grouped.
std::int64_t groupedLength(const std::vector<bool>& isPortrait, std::int64_t share) {
    const auto tall = std::int64_t(std::count(isPortrait.begin(), isPortrait.end(), true));
    const std::int64_t wide = std::int64_t(isPortrait.size()) - tall;
    const bool isRare = (tall > 0 && tall < share) || (wide > 0 && wide < share);
    return isRare || share == 0 ? 0 : tall / share * share + wide / share * share;
}

} // namespace

SamplePlan::SamplePlan(std::uint64_t seed, std::vector<std::int64_t> sizes, std::vector<std::int64_t> shares)
    : SamplePlan(seed, std::move(sizes), std::move(shares), {}) {}

SamplePlan::SamplePlan(std::uint64_t seed, std::vector<std::int64_t> sizes, std::vector<std::int64_t> shares,
                       std::vector<std::vector<bool>> isPortrait)
    : m_seed(seed), m_sizes(std::move(sizes)), m_shares(std::move(shares)), m_lengths(m_sizes),
      m_isPortrait(std::move(isPortrait)) {
    m_isPortrait.resize(m_sizes.size());
    for (std::size_t i = 0; i < m_sizes.size(); ++i)
        if (const std::int64_t length = groupedLength(m_isPortrait[i], m_shares[i]); length > 0)
            m_lengths[i] = length;
        else
            m_isPortrait[i].clear();
}

std::int64_t SamplePlan::batchSize() const {
    return std::accumulate(m_shares.begin(), m_shares.end(), std::int64_t(0));
}

std::vector<SampleAddress> SamplePlan::addresses(std::int64_t step) const {
    std::vector<SampleAddress> batch;
    for (std::size_t dataset = 0; dataset < m_sizes.size(); ++dataset) {
        const std::int64_t size = m_lengths[dataset];
        for (std::int64_t j = 0; j < m_shares[dataset]; ++j) {
            const std::int64_t position = step * m_shares[dataset] + j;
            if (size == Dataset::kEndless) {
                batch.push_back({dataset, position, 0, position});
                continue;
            }
            const std::int64_t epoch = position / size, place = position % size;
            batch.push_back({dataset, (*order(dataset, epoch))[std::size_t(place)], epoch, place});
        }
    }
    return batch;
}

SampleAddress SamplePlan::replacement(const SampleAddress& address, std::int64_t distance) const {
    const std::int64_t size = m_lengths[address.dataset];
    SampleAddress other = address;
    if (size == Dataset::kEndless) { // far beyond what training reaches
        other.index = address.index + (std::int64_t(1) << 40) + distance;
        return other;
    }
    const Order places = order(address.dataset, address.epoch);
    const auto& isPortrait = m_isPortrait[address.dataset];
    for (std::int64_t left = distance; left > 0;) {
        other.place = (other.place + 1) % size;
        other.index = (*places)[std::size_t(other.place)];
        left -= isPortrait.empty() || isPortrait[std::size_t(other.index)] == isPortrait[std::size_t(address.index)];
    }
    return other;
}

std::int64_t SamplePlan::epochOf(std::int64_t step) const {
    return m_sizes.empty() || m_sizes.front() == Dataset::kEndless ? 0 : step * m_shares.front() / m_lengths.front();
}

SamplePlan::Order SamplePlan::order(std::size_t dataset, std::int64_t epoch) const {
    const std::pair key(dataset, epoch);
    std::lock_guard lock(m_mutex);
    if (const auto known = m_orders.find(key); known != m_orders.end())
        return known->second;
    Random random(deriveSeed(m_seed, std::uint64_t(epoch), dataset, 0x6f72646572)); // "order"
    std::vector<std::int64_t> order;
    if (isGrouped(dataset)) {
        order = groupedOrder(dataset, random);
    } else {
        order.resize(static_cast<std::size_t>(m_sizes[dataset]));
        std::iota(order.begin(), order.end(), std::int64_t(0));
        shuffle(order, random);
    }
    std::erase_if(m_orders, [&](const auto& entry) { // workers are at most an epoch apart, save in tiny sets
        return entry.first.first == dataset && entry.first.second < epoch - 2;
    });
    return m_orders[key] = std::make_shared<const std::vector<std::int64_t>>(std::move(order));
}

/// Both orientations shuffled and cut to full shares, then the shares shuffled.
std::vector<std::int64_t> SamplePlan::groupedOrder(std::size_t dataset, Random& random) const {
    const std::int64_t share = m_shares[dataset];
    std::vector<std::int64_t> grouped, shares, order;
    for (const bool isTall : {false, true}) {
        std::vector<std::int64_t> group;
        for (std::size_t i = 0; i < m_isPortrait[dataset].size(); ++i)
            if (m_isPortrait[dataset][i] == isTall)
                group.push_back(std::int64_t(i));
        shuffle(group, random);
        group.resize(group.size() - group.size() % std::size_t(share));
        grouped.insert(grouped.end(), group.begin(), group.end());
    }
    for (std::int64_t i = 0; i < std::int64_t(grouped.size()) / share; ++i)
        shares.push_back(i);
    shuffle(shares, random);
    for (const std::int64_t one : shares)
        order.insert(order.end(), grouped.begin() + one * share, grouped.begin() + (one + 1) * share);
    return order;
}

Result<std::vector<std::int64_t>> batchShares(const DataConfig& config, int replicas) {
    std::int64_t given = 0, open = 0;
    for (const DatasetConfig& entry : config.train) {
        given += entry.batchSize;
        open += entry.batchSize == 0;
    }
    const std::int64_t left = config.batchSize - given;
    if (open > 0 && left < open)
        return Error{ErrorKind::Usage,
                     fmt::format("A batch of {} leaves {} samples for the {} training sets that name no batch_size.",
                                 config.batchSize, std::max<std::int64_t>(left, 0), open),
                     "data.batch_size", fmt::format("Make it at least {}.", given + open)};
    std::vector<std::int64_t> shares;
    std::int64_t shared = 0;
    for (const DatasetConfig& entry : config.train)
        if (entry.batchSize > 0) {
            shares.push_back(entry.batchSize);
        } else { // the first ones take what does not divide
            shares.push_back(left / open + (shared < left % open ? 1 : 0));
            ++shared;
        }
    const std::int64_t total = std::accumulate(shares.begin(), shares.end(), std::int64_t(0));
    if (total == 0 || total % replicas != 0)
        return Error{ErrorKind::Usage,
                     fmt::format("A batch of {} cannot be shared evenly by {} devices.", total, replicas),
                     "data.batch_size", fmt::format("Use a multiple of {}.", replicas)};
    return shares;
}

} // namespace trainyard
