#pragma once

#include <condition_variable>
#include <chrono>
#include <deque>
#include <mutex>
#include <optional>

namespace trainyard {

/// What an engine can be told between two iterations.
struct Command {
    enum class Kind { Pause, Resume, CheckpointNow, EvaluateNow, Stop, ChangeRate };
    Kind kind = Kind::Stop;
    double value = 0; ///< the new base learning rate of ChangeRate
};

/// The door through which commands reach the engine thread. Any thread puts, the engine takes.
class CommandMailbox {
public:
    void put(Command command) {
        {
            std::lock_guard lock(m_mutex);
            m_commands.push_back(command);
        }
        m_arrived.notify_one();
    }
    std::optional<Command> take() {
        std::lock_guard lock(m_mutex);
        return pop();
    }
    /// Waits for a command, at most `patience`; a paused engine waits here.
    std::optional<Command> wait(std::chrono::milliseconds patience) {
        std::unique_lock lock(m_mutex);
        m_arrived.wait_for(lock, patience, [this] { return !m_commands.empty(); });
        return pop();
    }
    /// Whether a Stop waits; long work (an evaluation) asks this to give up early.
    bool holdsStop() const {
        std::lock_guard lock(m_mutex);
        for (const Command& command : m_commands)
            if (command.kind == Command::Kind::Stop)
                return true;
        return false;
    }

private:
    std::optional<Command> pop() {
        if (m_commands.empty())
            return std::nullopt;
        const Command command = m_commands.front();
        m_commands.pop_front();
        return command;
    }
    mutable std::mutex m_mutex;
    std::condition_variable m_arrived;
    std::deque<Command> m_commands;
};

} // namespace trainyard
