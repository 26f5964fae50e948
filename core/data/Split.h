#pragma once

#include "core/data/Dataset.h"

#include <memory>

namespace trainyard {

/// Some samples of another dataset, in the order given. Any thread.
class DatasetView final : public Dataset {
public:
    DatasetView(std::shared_ptr<const Dataset> whole, std::vector<std::int64_t> indices);

    TaskKind task() const override { return m_whole->task(); }
    std::string name() const override { return m_whole->name(); }
    std::string format() const override { return m_whole->format(); }
    std::int64_t size() const override { return std::int64_t(m_indices.size()); }
    const std::vector<std::string>& classes() const override { return m_whole->classes(); }
    std::vector<std::int64_t> categoryIds() const override { return m_whole->categoryIds(); }
    SampleInfo info(std::int64_t index) const override { return m_whole->info(m_indices.at(std::size_t(index))); }
    Result<Sample> sample(std::int64_t index) const override {
        return m_whole->sample(m_indices.at(std::size_t(index)));
    }
    Result<std::string> encodedImage(std::int64_t index) const override {
        return m_whole->encodedImage(m_indices.at(std::size_t(index)));
    }
    const std::vector<DataProblem>& problems() const override { return m_whole->problems(); }
    std::string fingerprint() const override;

    const std::vector<std::int64_t>& indices() const { return m_indices; }

private:
    std::shared_ptr<const Dataset> m_whole;
    std::vector<std::int64_t> m_indices;
};

/// A dataset in two, and who went to validation: that list is stored with the run.
struct DatasetSplit {
    std::shared_ptr<const DatasetView> train, validation;
    std::vector<std::string> validationIds;
};

/// Sets `config.validationShare` of `whole` aside. Whole groups move together: samples whose id gives the same match of
/// `config.group` (its first parentheses, where it has some). The choice hangs on seed and group alone, so that samples
/// added later move nobody. Fails on a malformed expression, an endless dataset, and when a side would be empty.
Result<DatasetSplit> splitDataset(std::shared_ptr<const Dataset> whole, const SplitConfig& config);

/// The split that was stored: exactly these ids validate. Ids that are gone are left out.
DatasetSplit splitByIds(std::shared_ptr<const Dataset> whole, const std::vector<std::string>& validationIds);

} // namespace trainyard
