#include "app/engine/ProjectCheckpointCatalog.h"

namespace trainyard {

Result<std::unique_ptr<ProjectCheckpointCatalog>> ProjectCheckpointCatalog::open(const std::filesystem::path& project,
                                                                                 std::int64_t run, std::string metric) {
    auto opened = Project::open(project, Project::Mode::ReadWrite);
    if (!opened)
        return opened.error();
    return std::unique_ptr<ProjectCheckpointCatalog>(
        new ProjectCheckpointCatalog(std::move(*opened), run, std::move(metric)));
}

Result<std::int64_t> ProjectCheckpointCatalog::add(const CheckpointReport& report) {
    std::lock_guard lock(m_mutex);
    return m_project->addCheckpoint(m_run, report);
}

Result<void> ProjectCheckpointCatalog::remove(std::int64_t id) {
    std::lock_guard lock(m_mutex);
    return m_project->removeCheckpointNow(id);
}

Result<void> ProjectCheckpointCatalog::setMetric(std::int64_t iteration, double metric, bool isBest) {
    std::lock_guard lock(m_mutex);
    if (isBest)
        if (const auto set = m_project->setBest(m_run, m_metric, metric); !set)
            return set.error();
    return m_project->setMetric(m_run, iteration, metric, isBest);
}

Result<void> ProjectCheckpointCatalog::markFinal(std::int64_t iteration) {
    std::lock_guard lock(m_mutex);
    return m_project->markFinal(m_run, iteration);
}

Result<std::vector<CatalogEntry>> ProjectCheckpointCatalog::entries() const {
    std::lock_guard lock(m_mutex);
    const auto records = m_project->checkpoints(m_run);
    if (!records)
        return records.error();
    std::vector<CatalogEntry> entries;
    for (const CheckpointRecord& one : *records)
        if (!one.isAbandoned && !one.isDeleted && !one.isMissing)
            entries.push_back({one.id, one.report, one.isPinned, one.isBest, one.isFinal, one.metric});
    return entries;
}

} // namespace trainyard
