#include "core/train/CheckpointWriter.h"

#include <ATen/Parallel.h>
#include <fmt/format.h>

#include <exception>
#include <pthread.h>
#include <regex>
#include <system_error>

namespace trainyard {
namespace {

constexpr const char* kFolder = "checkpoints";

std::int64_t bytesOf(const NamedTensors& tensors) {
    std::int64_t bytes = 0;
    for (const auto& [name, tensor] : tensors)
        bytes += std::int64_t(tensor.nbytes());
    return bytes;
}

/// Whether retention may touch `file`: it must be one of our names in the run's own folder of checkpoints.
bool isOurs(const std::filesystem::path& file) {
    static const std::regex name(R"(iteration-\d{8,}\.pth)");
    return file.parent_path() == kFolder && std::regex_match(file.filename().string(), name);
}

} // namespace

CheckpointWriter::CheckpointWriter(CheckpointCatalog& catalog, CheckpointDisk& disk, std::filesystem::path runFolder,
                                   RetentionRule rule)
    : m_catalog(catalog), m_disk(disk), m_runFolder(std::move(runFolder)), m_rule(rule), m_thread([this] { work(); }) {
    pthread_setname_np(m_thread.native_handle(), "checkpoints");
}

CheckpointWriter::~CheckpointWriter() {
    {
        std::lock_guard lock(m_mutex);
        m_isEnding = true;
    }
    m_changed.notify_all();
    m_thread.join();
}

void CheckpointWriter::submit(CheckpointJob job) {
    std::unique_lock lock(m_mutex);
    m_changed.wait(lock, [this] { return m_stage != Stage::Writing; });
    m_job = std::move(job);
    m_attemptsLeft = kAttempts;
    m_stage = Stage::Writing;
    m_changed.notify_all();
}

std::optional<CheckpointNews> CheckpointWriter::poll() {
    std::lock_guard lock(m_mutex);
    if (m_news.empty())
        return std::nullopt;
    CheckpointNews news = std::move(m_news.front());
    m_news.pop_front();
    return news;
}

void CheckpointWriter::wait() {
    std::unique_lock lock(m_mutex);
    m_changed.wait(lock, [this] { return m_stage != Stage::Writing; });
}

bool CheckpointWriter::holdsFailure() const {
    std::lock_guard lock(m_mutex);
    return m_stage == Stage::Failed;
}

void CheckpointWriter::retry() {
    std::lock_guard lock(m_mutex);
    if (m_stage != Stage::Failed)
        return;
    m_attemptsLeft = 1;
    m_stage = Stage::Writing;
    m_changed.notify_all();
}

void CheckpointWriter::abandon() {
    std::lock_guard lock(m_mutex);
    if (m_stage == Stage::Failed) {
        m_job.reset();
        m_stage = Stage::Idle;
    }
}

std::int64_t CheckpointWriter::neededBytes() const {
    std::lock_guard lock(m_mutex);
    if (!m_job)
        return 0;
    const TrainingState& state = m_job->state;
    return bytesOf(state.model) + bytesOf(state.optimizer) + bytesOf(state.average) + bytesOf(state.random) + (1 << 20);
}

void CheckpointWriter::work() {
    at::set_num_threads(1); // comparing and copying here must not wake the compute threads
    std::unique_lock lock(m_mutex);
    for (;;) {
        m_changed.wait(lock, [this] { return m_stage == Stage::Writing || m_isEnding; });
        if (m_stage != Stage::Writing)
            return;
        CheckpointJob job = std::move(*m_job);
        int left = m_attemptsLeft;
        bool isSaved = false;
        while (left-- > 0 && !isSaved) {
            lock.unlock();
            CheckpointNews news = guardedAttempt(job);
            lock.lock();
            isSaved = news.saved.has_value();
            news.willRetry = !isSaved && left > 0;
            m_news.push_back(std::move(news));
            if (!isSaved && left > 0)
                m_changed.wait_for(lock, m_disk.retryDelay(), [this] { return m_isEnding; });
        }
        m_job.reset();
        if (!isSaved)
            m_job = std::move(job);
        m_stage = isSaved ? Stage::Idle : Stage::Failed;
        m_changed.notify_all();
    }
}

/// What a library throws here (no memory, a lost disk) is one more failed attempt: the run itself is not at fault.
CheckpointNews CheckpointWriter::guardedAttempt(const CheckpointJob& job) {
    CheckpointNews news;
    try {
        return attempt(job);
    } catch (const std::exception& failure) {
        const std::string what = failure.what();
        news.iteration = job.state.iteration;
        news.failure = Error{ErrorKind::Unexpected,
                             fmt::format("Writing the checkpoint failed: {}.", what.substr(0, what.find('\n'))),
                             (m_runFolder / kFolder).string(), ""};
    }
    return news;
}

CheckpointNews CheckpointWriter::attempt(const CheckpointJob& job) {
    CheckpointNews news;
    news.iteration = job.state.iteration;
    const std::filesystem::path relative = std::filesystem::path(kFolder) / checkpointFileName(job.state.iteration);
    std::error_code code;
    if (!std::filesystem::is_directory(m_runFolder, code)) { // made anew, it would hide where the run has gone
        news.failure = Error{ErrorKind::Damaged, "The run's folder is no longer here; it was moved or deleted.",
                             m_runFolder.string(), "Move it back while the run goes on."};
        return news;
    }
    std::filesystem::create_directory(m_runFolder / kFolder, code); // a failure shows when the file is made
    auto bytes = m_disk.write(m_runFolder / relative, job.state);
    if (!bytes) {
        news.failure = bytes.error();
        return news;
    }
    CheckpointReport report{job.state.iteration, relative.string(), *bytes, m_disk.wallMicroseconds()};
    if (auto added = m_catalog.add(report); !added) {
        news.failure = added.error();
        return news;
    }
    if (job.metric)
        if (auto noted = m_catalog.setMetric(report.iteration, *job.metric, job.isBest); !noted)
            news.warnings.push_back(noted.error().sentence());
    if (job.isFinal)
        if (auto noted = m_catalog.markFinal(report.iteration); !noted)
            news.warnings.push_back(noted.error().sentence());
    news.saved = std::move(report);
    tidy(news);
    return news;
}

void CheckpointWriter::tidy(CheckpointNews& news) {
    const auto entries = m_catalog.entries();
    if (!entries) {
        news.warnings.push_back(entries.error().sentence());
        return;
    }
    for (const CatalogEntry& entry : superfluous(*entries, m_rule)) {
        if (!isOurs(entry.report.path))
            continue;
        if (auto removed = m_catalog.remove(entry.id); !removed) {
            news.warnings.push_back(removed.error().sentence());
            continue;
        }
        if (auto removed = m_disk.remove(m_runFolder / entry.report.path); !removed)
            news.warnings.push_back(removed.error().sentence());
        else
            news.deleted.push_back(entry.report.path);
    }
}

void removeUnfinishedCheckpoints(const std::filesystem::path& folder) {
    static const std::regex name(R"(iteration-\d{8,}\.pth\.[A-Za-z0-9]{6}\.tmp)");
    std::error_code code;
    std::vector<std::filesystem::path> unfinished;
    for (const auto& entry : std::filesystem::directory_iterator(folder, code))
        if (std::regex_match(entry.path().filename().string(), name))
            unfinished.push_back(entry.path());
    for (const auto& path : unfinished)
        std::filesystem::remove(path, code); // what cannot be removed only costs space
}

} // namespace trainyard
