#include "core/loader/SampleReader.h"

#include "core/base/Random.h"

#include <exception>

namespace trainyard {

SampleReader::SampleReader(std::uint64_t seed, DatasetList datasets, std::shared_ptr<const TransformChain> transforms,
                           LoaderWarning warn)
    : m_seed(seed), m_datasets(std::move(datasets)), m_transforms(std::move(transforms)), m_warn(std::move(warn)) {}

Result<Sample> SampleReader::read(std::size_t dataset, std::int64_t index, std::int64_t epoch) const {
    try {
        auto sample = m_datasets[dataset]->sample(index);
        if (!sample)
            return sample;
        Random random(deriveSeed(m_seed, std::uint64_t(epoch), std::uint64_t(index), dataset));
        m_transforms->apply(*sample, random);
        return sample;
    } catch (const std::exception& failure) { // from an image library: the sample is of no use, the run goes on
        return Error{ErrorKind::Data, std::string("The image cannot be used: ") + failure.what() + ".",
                     m_datasets[dataset]->info(index).id, "Repair or remove it."};
    }
}

void SampleReader::warnOnce(std::size_t dataset, std::int64_t index, const std::string& sentence) const {
    {
        std::lock_guard lock(m_mutex);
        if (!m_warned.emplace(dataset, index).second)
            return;
    }
    if (m_warn)
        m_warn(sentence);
}

} // namespace trainyard
