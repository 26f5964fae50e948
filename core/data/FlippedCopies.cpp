#include "core/data/FlippedCopies.h"

#include "core/data/DetectionTransforms.h"

namespace trainyard {

Result<Sample> FlippedCopies::sample(std::int64_t index) const {
    auto sample = m_whole->sample(index % m_whole->size());
    if (sample && index >= m_whole->size())
        mirror(*sample);
    return sample;
}

} // namespace trainyard
