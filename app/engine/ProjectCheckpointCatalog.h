#pragma once

#include "core/project/Project.h"
#include "core/train/CheckpointCatalog.h"

#include <memory>
#include <mutex>

namespace trainyard {

/// The trainer's list of checkpoints, kept in the project. Has a connection of its own; any thread, one at a time.
class ProjectCheckpointCatalog final : public CheckpointCatalog {
public:
    /// `metric` is the name of what decides which checkpoint is best.
    static Result<std::unique_ptr<ProjectCheckpointCatalog>> open(const std::filesystem::path& project,
                                                                  std::int64_t run, std::string metric);

    Result<std::int64_t> add(const CheckpointReport& report) override;
    Result<void> remove(std::int64_t id) override;
    Result<void> setMetric(std::int64_t iteration, double metric, bool isBest) override;
    Result<void> markFinal(std::int64_t iteration) override;
    Result<std::vector<CatalogEntry>> entries() const override;

private:
    ProjectCheckpointCatalog(std::unique_ptr<Project> project, std::int64_t run, std::string metric)
        : m_project(std::move(project)), m_run(run), m_metric(std::move(metric)) {}

    mutable std::mutex m_mutex;
    std::unique_ptr<Project> m_project;
    const std::int64_t m_run;
    const std::string m_metric;
};

} // namespace trainyard
