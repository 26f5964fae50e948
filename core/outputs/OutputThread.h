#pragma once

#include "core/base/Error.h"

#include <condition_variable>
#include <cstddef>
#include <deque>
#include <functional>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

namespace trainyard {

/// Does small deeds, one after the other, on a thread of its own: the engine never waits for a disk. At most `kMost`
/// wait; where a disk is slower than that, further ones are left out and it says so. The destructor does what is left.
class OutputThread {
public:
    static constexpr std::size_t kMost = 4096;

    OutputThread();
    ~OutputThread();
    OutputThread(const OutputThread&) = delete;
    OutputThread& operator=(const OutputThread&) = delete;

    void post(std::function<Result<void>()> deed); ///< any thread
    void wait();                                   ///< until all that was posted is done
    /// Sentences about what failed since the last call, each of them once in a lifetime. Any thread.
    std::vector<std::string> takeTroubles();

private:
    void work();
    void note(const std::string& sentence); ///< needs the lock

    std::mutex m_mutex;
    std::condition_variable m_changed;
    std::deque<std::function<Result<void>()>> m_deeds;
    std::vector<std::string> m_troubles;
    std::set<std::string> m_told;
    bool m_isBusy = false;
    bool m_isEnding = false;
    std::thread m_thread;
};

} // namespace trainyard
