#pragma once

#include "core/data/Dataset.h"

#include <memory>
#include <vector>

namespace trainyard {

/// Several datasets as one, each behind the one before it, in their own order. Image ids may repeat. Immutable; any
/// thread.
class ConcatenatedDataset final : public Dataset {
public:
    /// `parts` have the same task and classes, an end, and are not empty.
    explicit ConcatenatedDataset(std::vector<std::shared_ptr<const Dataset>> parts);

    TaskKind task() const override { return m_parts.front()->task(); }
    std::string name() const override;
    std::string format() const override { return m_parts.front()->format(); }
    std::int64_t size() const override { return m_ends.back(); }
    const std::vector<std::string>& classes() const override { return m_parts.front()->classes(); }
    std::vector<std::int64_t> categoryIds() const override { return m_parts.front()->categoryIds(); }
    SampleInfo info(std::int64_t index) const override;
    Result<Sample> sample(std::int64_t index) const override;
    Result<std::string> encodedImage(std::int64_t index) const override;
    const std::vector<DataProblem>& problems() const override { return m_problems; }
    std::string fingerprint() const override;

private:
    struct Place {
        const Dataset& dataset;
        std::int64_t index;
    };
    Place placeOf(std::int64_t index) const;

    std::vector<std::shared_ptr<const Dataset>> m_parts;
    std::vector<std::int64_t> m_ends; ///< how many samples there are up to the end of each part
    std::vector<DataProblem> m_problems;
};

} // namespace trainyard
