#include "core/data/ConcatenatedDataset.h"

#include "core/base/Fingerprint.h"

#include <algorithm>
#include <stdexcept>

namespace trainyard {

ConcatenatedDataset::ConcatenatedDataset(std::vector<std::shared_ptr<const Dataset>> parts)
    : m_parts(std::move(parts)) {
    std::int64_t end = 0;
    for (const auto& part : m_parts) {
        m_ends.push_back(end += part->size());
        m_problems.insert(m_problems.end(), part->problems().begin(), part->problems().end());
    }
}

std::string ConcatenatedDataset::name() const {
    std::string name;
    for (const auto& part : m_parts)
        name += (name.empty() ? "" : " + ") + part->name();
    return name;
}

ConcatenatedDataset::Place ConcatenatedDataset::placeOf(std::int64_t index) const {
    const auto end = std::upper_bound(m_ends.begin(), m_ends.end(), index);
    if (index < 0 || end == m_ends.end())
        throw std::out_of_range("a sample beyond the end of the datasets");
    const Dataset& part = *m_parts[std::size_t(end - m_ends.begin())];
    return {part, index - (*end - part.size())};
}

SampleInfo ConcatenatedDataset::info(std::int64_t index) const {
    const Place place = placeOf(index);
    return place.dataset.info(place.index);
}

Result<Sample> ConcatenatedDataset::sample(std::int64_t index) const {
    const Place place = placeOf(index);
    return place.dataset.sample(place.index);
}

Result<std::string> ConcatenatedDataset::encodedImage(std::int64_t index) const {
    const Place place = placeOf(index);
    return place.dataset.encodedImage(place.index);
}

std::string ConcatenatedDataset::fingerprint() const {
    Fingerprint print;
    for (const auto& part : m_parts)
        print.add(part->fingerprint());
    return print.text();
}

} // namespace trainyard
