#pragma once

#include "core/data/Dataset.h"

#include <memory>
#include <string>
#include <vector>

namespace trainyard {

/// A dataset seen through the model's list of classes. Immutable; any thread.
class ClassView final : public Dataset {
public:
    /// `dataset` with its labels turned into positions in `classes`, by name; itself when they agree already. Objects
    /// of other classes are left out and noted in `problems()`. A Data error naming both lists when no class is shared.
    static Result<std::shared_ptr<const Dataset>> make(std::shared_ptr<const Dataset> dataset,
                                                       std::vector<std::string> classes);

    TaskKind task() const override { return m_whole->task(); }
    std::string name() const override { return m_whole->name(); }
    std::string format() const override { return m_whole->format(); }
    std::int64_t size() const override { return m_whole->size(); }
    const std::vector<std::string>& classes() const override { return m_classes; }
    std::vector<std::int64_t> categoryIds() const override;
    SampleInfo info(std::int64_t index) const override;
    Result<Sample> sample(std::int64_t index) const override;
    const std::vector<DataProblem>& problems() const override { return m_problems; }
    std::string fingerprint() const override { return m_whole->fingerprint(); }

private:
    ClassView(std::shared_ptr<const Dataset> whole, std::vector<std::string> classes, std::vector<int> labels)
        : m_whole(std::move(whole)), m_classes(std::move(classes)), m_labels(std::move(labels)),
          m_problems(m_whole->problems()) {}
    void relabel(std::vector<ObjectAnnotation>& objects) const;

    std::shared_ptr<const Dataset> m_whole;
    std::vector<std::string> m_classes;
    std::vector<int> m_labels; ///< by the dataset's label; negative leaves the object out
    std::vector<DataProblem> m_problems;
};

} // namespace trainyard
