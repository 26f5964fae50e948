#pragma once

#include "core/train/CheckpointCatalog.h"
#include "core/train/CheckpointDisk.h"
#include "core/train/Retention.h"

#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace trainyard {

/// A checkpoint to be written, with what is to be noted about it once it is there.
struct CheckpointJob {
    TrainingState state; ///< a snapshot: nobody else touches its tensors
    std::optional<double> metric;
    bool isBest = false;
    bool isFinal = false;
};

/// What the writer has to tell.
struct CheckpointNews {
    std::int64_t iteration = 0;
    std::optional<CheckpointReport> saved;
    std::vector<std::string> deleted;  ///< files that retention removed, relative to the run's folder
    std::vector<std::string> warnings; ///< sentences
    std::optional<Error> failure;      ///< of one attempt
    bool willRetry = false;            ///< false after the last attempt: the job waits for retry()
};

/// Writes snapshots beside the engine, one at a time, on a thread of its own: file, catalog, then retention. A failed
/// write is tried again after a while; after the last attempt the job waits until it is told to retry or abandon it.
/// All calls come from the trainer's thread.
class CheckpointWriter {
public:
    static constexpr int kAttempts = 3;

    /// Checkpoints go to `runFolder`/checkpoints. Everything borrowed outlives it.
    CheckpointWriter(CheckpointCatalog& catalog, CheckpointDisk& disk, std::filesystem::path runFolder,
                     RetentionRule rule);
    ~CheckpointWriter(); ///< finishes what is being written, drops what failed

    void submit(CheckpointJob job); ///< waits for the one in flight; must not hold a failed job
    std::optional<CheckpointNews> poll();
    void wait(); ///< until nothing is being written
    bool holdsFailure() const;
    void retry();                     ///< one more attempt of the failed job
    void abandon();                   ///< forgets the failed job
    std::int64_t neededBytes() const; ///< of the failed job

private:
    enum class Stage { Idle, Writing, Failed };
    void work();
    CheckpointNews guardedAttempt(const CheckpointJob& job);
    CheckpointNews attempt(const CheckpointJob& job);
    void tidy(CheckpointNews& news);

    CheckpointCatalog& m_catalog;
    CheckpointDisk& m_disk;
    std::filesystem::path m_runFolder;
    RetentionRule m_rule;

    mutable std::mutex m_mutex; // guards what follows
    std::condition_variable m_changed;
    Stage m_stage = Stage::Idle;
    std::optional<CheckpointJob> m_job;
    int m_attemptsLeft = 0;
    std::deque<CheckpointNews> m_news;
    bool m_isEnding = false;
    std::thread m_thread;
};

/// Removes what a killed writer left in `folder`: temporary files of checkpoints, nothing else.
void removeUnfinishedCheckpoints(const std::filesystem::path& folder);

} // namespace trainyard
