#include "core/train/CheckpointKeeper.h"

#include <ATen/ATen.h>
#include <fmt/format.h>

namespace trainyard {
namespace {

/// A copy of its own, in plain order, on the CPU.
at::Tensor copyOf(const at::Tensor& tensor) {
    at::Tensor copy =
        at::empty(tensor.sizes(), tensor.options().device(at::kCPU).requires_grad(false), at::MemoryFormat::Contiguous);
    copy.copy_(tensor.detach());
    return copy;
}

NamedTensors copyOf(const NamedTensors& tensors) {
    NamedTensors copies;
    for (const auto& [name, tensor] : tensors)
        copies.emplace_back(name, copyOf(tensor));
    return copies;
}

} // namespace

TrainingState CheckpointKeeper::snapshot(const RunProgress& progress) {
    TrainingState state;
    state.model = copyOf(m_team.first().state());
    state.optimizer = copyOf(m_team.first().optimizer().state());
    if (m_average)
        state.average = copyOf(m_average->state());
    for (int rank = 0; rank < m_team.size(); ++rank)
        state.random.emplace_back(fmt::format("rank{}", rank), copyOf(m_team[rank].randomState()));
    state.text = m_facts;
    progress.store(state);
    return state;
}

void CheckpointKeeper::save(const RunProgress& progress, std::optional<double> metric, bool isBest, bool isFinal) {
    m_newest = progress.iteration;
    m_writer.submit({snapshot(progress), metric, isBest, isFinal});
}

void CheckpointKeeper::note(std::int64_t iteration, double metric, bool isBest) {
    if (auto settled = settle(); !settled)
        return; // the checkpoint is not there; its failure was told
    if (auto noted = m_catalog.setMetric(iteration, metric, isBest); !noted)
        m_voice.event(EventKind::Warning, noted.error().sentence());
}

void CheckpointKeeper::hear(bool isQuiet) {
    while (const auto news = m_writer.poll()) {
        for (const std::string& warning : news->warnings)
            m_voice.event(EventKind::Warning, warning);
        if (news->saved) {
            m_lastFailure.reset();
            m_voice.sink().onCheckpoint(*news->saved);
            m_voice.event(EventKind::CheckpointSaved, news->saved->path);
        }
        for (const std::string& path : news->deleted)
            m_voice.event(EventKind::CheckpointDeleted, path);
        if (!news->failure)
            continue;
        m_lastFailure = news->failure;
        if (!isQuiet)
            m_voice.event(EventKind::Warning,
                          fmt::format("The checkpoint of iteration {} could not be written{}. {}", news->iteration,
                                      news->willRetry ? " and will be tried again" : "", news->failure->sentence()));
    }
}

Result<void> CheckpointKeeper::settle(bool isQuiet) {
    m_writer.wait();
    hear(isQuiet);
    if (!m_writer.holdsFailure())
        return {};
    return m_lastFailure.value_or(Error{ErrorKind::Damaged, "The checkpoint could not be written.", "", ""});
}

Result<void> CheckpointKeeper::retry() {
    m_writer.retry();
    return settle(true);
}

} // namespace trainyard
