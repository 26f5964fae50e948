#pragma once

#include "core/train/Replica.h"

#include <condition_variable>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace trainyard {

/// The replicas of a run, each with a thread; rank 0 works on the trainer's own. Work is handed to all at once and
/// awaited. Owned by the trainer, used on its thread.
class ReplicaTeam {
public:
    /// `threads` are the compute threads of each replica.
    ReplicaTeam(std::vector<std::unique_ptr<Replica>> replicas, int threads);
    ~ReplicaTeam();

    /// Does `work` on every replica at the same time. Where one throws, the others' waiting for it ends, and the first
    /// cause is thrown again here once all have come to an end; the team is of no use afterwards.
    void forEach(const std::function<void(Replica&)>& work);

    int size() const { return int(m_replicas.size()); }
    Replica& first() { return *m_replicas.front(); }
    Replica& operator[](int rank) { return *m_replicas[std::size_t(rank)]; }

private:
    void serve(Replica& replica);
    void doWork(Replica& replica);
    void giveUp(Replica& replica, std::exception_ptr cause, const std::string& reason);
    void end(); ///< the threads

    std::vector<std::unique_ptr<Replica>> m_replicas;
    int m_computeThreads;
    std::mutex m_mutex; // guards what follows
    std::condition_variable m_changed;
    const std::function<void(Replica&)>* m_work = nullptr;
    std::uint64_t m_round = 0;
    int m_unfinished = 0;
    std::exception_ptr m_failure; ///< the first to happen: what the others throw is its consequence
    bool m_isEnding = false;
    std::vector<std::thread> m_threads;
};

} // namespace trainyard
