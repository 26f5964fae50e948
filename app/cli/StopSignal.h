#pragma once

#include <functional>
#include <thread>

namespace trainyard::cli {

/// While it lives, the first SIGINT, SIGTERM or SIGHUP calls `onFirst` on a thread of its own, and a second one that is
/// no SIGHUP ends the process at once with code 130. One at a time in a process.
class StopSignal {
public:
    explicit StopSignal(std::function<void()> onFirst);
    ~StopSignal();
    StopSignal(const StopSignal&) = delete;
    StopSignal& operator=(const StopSignal&) = delete;

private:
    std::function<void()> m_onFirst;
    std::thread m_thread;
};

} // namespace trainyard::cli
