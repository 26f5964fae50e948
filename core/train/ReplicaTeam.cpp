#include "core/train/ReplicaTeam.h"

#include "core/nn/Threads.h"

#include <fmt/format.h>

#include <pthread.h>
#include <stdexcept>

namespace trainyard {

ReplicaTeam::ReplicaTeam(std::vector<std::unique_ptr<Replica>> replicas, int threads)
    : m_replicas(std::move(replicas)), m_computeThreads(threads) {
    configureThreads(threads);
    try {
        for (std::size_t rank = 1; rank < m_replicas.size(); ++rank) {
            m_threads.emplace_back([this, rank] { serve(*m_replicas[rank]); });
            pthread_setname_np(m_threads.back().native_handle(), fmt::format("replica-{}", rank).c_str());
        }
    } catch (...) { // the system has no thread left: those that were made must end before they are forgotten
        end();
        throw;
    }
}

ReplicaTeam::~ReplicaTeam() {
    end();
}

void ReplicaTeam::end() {
    {
        std::lock_guard lock(m_mutex);
        m_isEnding = true;
    }
    m_changed.notify_all();
    for (std::thread& thread : m_threads)
        thread.join();
}

void ReplicaTeam::forEach(const std::function<void(Replica&)>& work) {
    {
        std::lock_guard lock(m_mutex);
        m_work = &work;
        m_unfinished = size();
        ++m_round;
    }
    m_changed.notify_all();
    doWork(first());
    std::unique_lock lock(m_mutex);
    m_changed.wait(lock, [this] { return m_unfinished == 0; });
    m_work = nullptr;
    if (m_failure)
        std::rethrow_exception(std::exchange(m_failure, nullptr));
}

void ReplicaTeam::serve(Replica& replica) {
    configureThreads(m_computeThreads); // the count belongs to the thread
    std::uint64_t seen = 0;
    for (;;) {
        {
            std::unique_lock lock(m_mutex);
            m_changed.wait(lock, [&] { return m_isEnding || m_round != seen; });
            if (m_isEnding)
                return;
            seen = m_round;
        }
        doWork(replica);
    }
}

void ReplicaTeam::doWork(Replica& replica) {
    try {
        (*m_work)(replica);
    } catch (const std::exception& error) {
        const std::string what = error.what();
        giveUp(replica, std::current_exception(), what.substr(0, what.find('\n')));
    } catch (...) {
        const std::string what = "a replica failed without saying why";
        giveUp(replica, std::make_exception_ptr(std::runtime_error(what)), what);
    }
    std::lock_guard lock(m_mutex);
    if (--m_unfinished == 0)
        m_changed.notify_all();
}

/// Keeps the cause, and wakes whoever waits for `replica`.
void ReplicaTeam::giveUp(Replica& replica, std::exception_ptr cause, const std::string& reason) {
    {
        std::lock_guard lock(m_mutex);
        if (!m_failure)
            m_failure = std::move(cause);
    }
    replica.communicator().leave(reason);
}

} // namespace trainyard
