// What a run does when it is told something between two iterations; the rest of TrainingLoop is beside this file.
#include "core/train/TrainingLoop.h"

#include <fmt/format.h>

#include <chrono>
#include <cmath>

namespace trainyard {
namespace {

constexpr auto kPauseGlance = std::chrono::milliseconds(250); ///< how often a paused run looks at its writer

} // namespace

void TrainingLoop::obeyCommands() {
    while (m_parts.mailbox && !m_isStopping && !m_failure) {
        const auto command = m_parts.mailbox->take();
        if (!command)
            return;
        obey(*command);
    }
}

void TrainingLoop::obey(const Command& command) {
    switch (command.kind) {
    case Command::Kind::Pause:
        pause();
        break;
    case Command::Kind::Resume:
        break; // it is not paused
    case Command::Kind::CheckpointNow:
        save();
        break;
    case Command::Kind::EvaluateNow:
        if (!m_parts.evaluator) {
            m_voice.event(EventKind::Warning, "There is no validation data to evaluate on.");
            break;
        }
        m_failure = evaluate();
        if (m_metric && m_keeper.newest() == m_progress.iteration)
            m_keeper.note(m_progress.iteration, *m_metric, m_isBest);
        else if (m_isBest)
            save();
        break;
    case Command::Kind::Stop:
        m_isStopping = true;
        break;
    case Command::Kind::ChangeRate:
        changeRate(command.value);
        break;
    }
}

void TrainingLoop::changeRate(double rate) {
    const double base = m_parts.config.solve.baseLr;
    if (!std::isfinite(rate) || rate < 0 || base <= 0) {
        m_voice.event(EventKind::Warning, fmt::format("The learning rate cannot be {}; it stays as it is.", rate));
        return;
    }
    const double before = base * m_progress.rateFactor;
    m_progress.rateFactor = rate / base;
    m_voice.event(EventKind::RateChanged, fmt::format("Base learning rate {} instead of {}.", rate, before));
}

void TrainingLoop::pause() {
    m_voice.event(EventKind::Paused, fmt::format("Paused at iteration {}.", m_progress.iteration));
    m_voice.phase(Phase::Paused, "paused");
    while (!m_isStopping && !m_failure) {
        const auto command = m_parts.mailbox->wait(kPauseGlance);
        m_keeper.hear();
        if (!command || command->kind == Command::Kind::Pause)
            continue;
        if (command->kind == Command::Kind::Resume) {
            m_voice.event(EventKind::Continued, fmt::format("Went on at iteration {}.", m_progress.iteration));
            m_voice.phase(Phase::Running, "training");
            return;
        }
        obey(*command);
        m_voice.phase(Phase::Paused, "paused");
    }
}

void TrainingLoop::pauseForDisk() {
    const auto folder = m_parts.runFolder;
    const std::string reason = m_keeper.lastFailure() ? m_keeper.lastFailure()->sentence() : "";
    const std::int64_t needed = m_keeper.neededBytes();
    const std::int64_t available = m_disk.freeBytes(folder);
    const std::string room = available < 0 ? "which does not say how much is free"
                                           : fmt::format("where {:.1f} MB are free", double(available) / 1e6);
    m_voice.event(
        EventKind::Paused,
        fmt::format("Paused at iteration {}: the checkpoint cannot be written. {} It needs {:.1f} MB in {}, {}. "
                    "Training goes on by itself once it can be written.",
                    m_progress.iteration, reason, double(needed) / 1e6, folder.string(), room));
    m_voice.phase(Phase::Paused, "the checkpoint cannot be written");
    while (m_keeper.hasFailed() && !m_isStopping) {
        std::optional<Command> command;
        if (m_parts.mailbox)
            command = m_parts.mailbox->wait(m_disk.retryDelay());
        else
            std::this_thread::sleep_for(m_disk.retryDelay());
        if (command && command->kind == Command::Kind::Stop)
            m_isStopping = true;
        if (command && command->kind == Command::Kind::ChangeRate)
            changeRate(command->value);
        const std::int64_t now = m_disk.freeBytes(folder);
        if (command || now < 0 || now >= needed)
            (void)m_keeper.retry(); // a failure leaves hasFailed() true, and was told above
    }
    if (m_keeper.hasFailed())
        return; // told to stop; stop() tries once more and fails with the sentence
    m_voice.event(EventKind::Continued,
                  fmt::format("The checkpoint of iteration {} is written; training goes on.", m_progress.iteration));
    m_voice.phase(Phase::Running, "training");
}

} // namespace trainyard
