#pragma once

#include "core/config/RunConfig.h"
#include "core/data/Dataset.h"
#include "core/data/Transforms.h"

#include <functional>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <vector>

namespace trainyard {

using DatasetList = std::vector<std::shared_ptr<const Dataset>>;

/// Hears of a damaged image, by name, once a file. Called on a loader's thread.
using LoaderWarning = std::function<void(const std::string& sentence)>;

/// Reads one sample and brings it to the network's size; its random numbers come from (seed, epoch, index, dataset)
/// alone. Any thread.
class SampleReader {
public:
    SampleReader(std::uint64_t seed, DatasetList datasets, std::shared_ptr<const TransformChain> transforms,
                 LoaderWarning warn);

    /// A Data error where the image is damaged or missing, or a transform refuses it.
    Result<Sample> read(std::size_t dataset, std::int64_t index, std::int64_t epoch) const;
    /// Tells of a sample that is left out, once however often it comes up.
    void warnOnce(std::size_t dataset, std::int64_t index, const std::string& sentence) const;
    const DatasetList& datasets() const { return m_datasets; }

private:
    std::uint64_t m_seed;
    DatasetList m_datasets;
    std::shared_ptr<const TransformChain> m_transforms;
    LoaderWarning m_warn;
    mutable std::mutex m_mutex;
    mutable std::set<std::pair<std::size_t, std::int64_t>> m_warned;
};

} // namespace trainyard
