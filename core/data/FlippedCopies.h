#pragma once

#include "core/data/Dataset.h"

#include <memory>

namespace trainyard {

/// A dataset twice: first as it is, then every sample mirrored, in the same order. Immutable; any thread.
/// Source: Detectron's flipped roidb entries.
class FlippedCopies final : public Dataset {
public:
    explicit FlippedCopies(std::shared_ptr<const Dataset> whole) : m_whole(std::move(whole)) {}

    TaskKind task() const override { return m_whole->task(); }
    std::string name() const override { return m_whole->name(); }
    std::string format() const override { return m_whole->format(); }
    std::int64_t size() const override { return 2 * m_whole->size(); }
    const std::vector<std::string>& classes() const override { return m_whole->classes(); }
    std::vector<std::int64_t> categoryIds() const override { return m_whole->categoryIds(); }
    SampleInfo info(std::int64_t index) const override { return m_whole->info(index % m_whole->size()); }
    Result<Sample> sample(std::int64_t index) const override;
    const std::vector<DataProblem>& problems() const override { return m_whole->problems(); }
    std::string fingerprint() const override { return "flipped copies of " + m_whole->fingerprint(); }

private:
    std::shared_ptr<const Dataset> m_whole;
};

} // namespace trainyard
