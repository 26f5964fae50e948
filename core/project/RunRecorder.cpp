#include "core/project/RunRecorder.h"

#include "core/base/Clock.h"
#include "core/base/Log.h"
#include "core/project/Project.h"
#include "core/project/ReportQueue.h"
#include "core/project/RunFolder.h"
#include "core/project/RunIndex.h"
#include "core/project/Series.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <pthread.h>
#include <thread>
#include <utility>

namespace trainyard {
namespace {

constexpr std::chrono::milliseconds kFlushEvery(150);
constexpr double kFirstPause = 0.25, kLongestPause = 8; // seconds between tries while a write fails
constexpr int kLastTries = 5;                           // before a destructor gives up

class ThreadedRecorder final : public RunRecorder {
public:
    ThreadedRecorder(std::unique_ptr<SeriesWriter> writer, std::unique_ptr<RunIndex> index, std::int64_t iteration,
                     const std::vector<std::string>& news)
        : m_writer(std::move(writer)), m_index(std::move(index)), m_iteration(iteration) {
        tell(news);
        m_thread = std::thread([this] { run(); });
        ::pthread_setname_np(m_thread.native_handle(), "recorder");
    }

    ~ThreadedRecorder() override {
        {
            std::lock_guard lock(m_mutex);
            m_isEnding = true;
        }
        m_wake.notify_all();
        m_thread.join();
    }

    // Steps and statistics wait for the next round; what people look for in lists is written at once.
    void onStep(const StepReport& report) override { m_queue.put(report); }
    void onStatistics(const StatisticsReport& report) override { m_queue.put(report); }
    void onPhase(const PhaseReport& report) override { putUrgent(report); }
    void onEvaluation(const EvaluationReport& report) override { putUrgent(report); }
    void onCheckpoint(const CheckpointReport& report) override { putUrgent(report); }
    void onEvent(const RunEvent& event) override { putUrgent(event); }

    Result<void> drain() override {
        std::unique_lock lock(m_mutex);
        const std::int64_t ticket = ++m_drainsWanted;
        m_wake.notify_all();
        m_drained.wait(lock, [&] { return m_drainsDone >= ticket; });
        return m_outcome;
    }

    std::vector<RunEvent> takeNews() override {
        std::lock_guard lock(m_mutex);
        return std::exchange(m_news, {});
    }

    std::string trouble() const override {
        std::lock_guard lock(m_mutex);
        return m_outcome ? std::string() : m_outcome.error().sentence();
    }

private:
    template <class T>
    void putUrgent(const T& report) {
        m_queue.put(report);
        {
            std::lock_guard lock(m_mutex);
            m_hasNews = true;
        }
        m_wake.notify_one();
    }

    void run() {
        for (int triesAtEnd = 0;;) {
            bool isEnding = false;
            const std::int64_t ticket = waitForWork(isEnding);
            takeReports();
            const bool isAsked = isEnding || ticket > m_drainsDone;
            if (isAsked || steadySeconds() >= m_nextTry)
                settle(writeAll(isAsked), ticket);
            if (isEnding && (m_outcome || ++triesAtEnd == kLastTries))
                break;
            if (isEnding)
                std::this_thread::sleep_for(kFlushEvery * triesAtEnd);
        }
        if (!m_outcome)
            log::error("The last reports of the run could not be written. {}", m_outcome.error().sentence());
    }

    /// Sleeps until the next round or until asked; the newest ticket of those who wait in `drain`.
    std::int64_t waitForWork(bool& isEnding) {
        std::unique_lock lock(m_mutex);
        m_wake.wait_for(lock, kFlushEvery, [&] { return m_isEnding || m_hasNews || m_drainsWanted > m_drainsDone; });
        m_hasNews = false;
        isEnding = m_isEnding;
        return m_drainsWanted;
    }

    void takeReports() {
        m_queue.take(m_taken);
        for (const Report& report : m_taken)
            std::visit([this](const auto& value) { note(value); }, report);
    }

    void note(const StepReport& report) {
        m_iteration = report.iteration;
        const auto add = [&](const char* name, double value) { m_writer->add(name, report.iteration, value); };
        add("loss", report.loss);
        for (const auto& [name, value] : report.losses)
            m_writer->add("loss/" + name, report.iteration, value);
        add("learning_rate", report.learningRate);
        add("gradient_norm", report.gradientNorm);
        add("seconds/total", report.seconds.total);
        add("seconds/data_wait", report.seconds.dataWait);
        add("seconds/forward", report.seconds.forward);
        add("seconds/backward", report.seconds.backward);
        add("seconds/communication", report.seconds.communication);
        add("seconds/update", report.seconds.update);
        add("seconds/statistics", report.seconds.statistics);
        add("memory", double(report.memoryBytes));
        add("queue_fill", report.queueFill);
        m_index->note(report);
    }
    void note(const EvaluationReport& report) {
        for (const auto& [name, value] : report.metrics)
            if (!(value < 0)) // there was something to measure
                m_writer->add("metric/" + name, report.iteration, value);
        m_index->note(report);
    }
    void note(const StatisticsReport& report) { m_writer->add(report); }
    void note(const PhaseReport& report) { m_index->note(report); }
    void note(const CheckpointReport& report) { m_index->note(report); }
    void note(const RunEvent& event) { m_index->note(event); }

    Result<void> writeAll(bool isAll) {
        try {
            auto flushed = m_writer->flush();
            tell(m_writer->takeNews());
            auto indexed = m_index->write(isAll); // even when the points could not be written: another file
            return flushed ? indexed : flushed;
        } catch (const std::exception& exception) {
            return Error{ErrorKind::Unexpected, std::string("The recorder failed: ") + exception.what() + ".", "", ""};
        }
    }

    /// What became of the files belongs into the run's history.
    void tell(const std::vector<std::string>& news) {
        for (const std::string& sentence : news) {
            const RunEvent event{EventKind::Warning, m_iteration, wallMicroseconds(), sentence};
            m_index->note(event);
            std::lock_guard lock(m_mutex);
            m_news.push_back(event);
        }
    }

    void settle(Result<void> outcome, std::int64_t ticket) {
        m_pause = outcome ? 0 : std::clamp(2 * m_pause, kFirstPause, kLongestPause);
        m_nextTry = steadySeconds() + m_pause;
        if (!outcome && m_outcome)
            log::warn("Recording waits and will be tried again. {}", outcome.error().sentence());
        if (outcome && !m_outcome)
            log::info("Recording goes on; nothing is missing.");
        {
            std::lock_guard lock(m_mutex);
            m_outcome = std::move(outcome);
            m_drainsDone = ticket;
        }
        m_drained.notify_all();
    }

    ReportQueue m_queue;
    mutable std::mutex m_mutex; ///< of the members up to m_outcome; the thread alone writes m_drainsDone and m_outcome
    std::condition_variable m_wake, m_drained;
    bool m_isEnding = false, m_hasNews = false;
    std::int64_t m_drainsWanted = 0, m_drainsDone = 0;
    Result<void> m_outcome; ///< of the last try
    std::vector<RunEvent> m_news;

    std::unique_ptr<SeriesWriter> m_writer; ///< from here on the thread's own
    std::unique_ptr<RunIndex> m_index;
    std::vector<Report> m_taken;
    double m_pause = 0, m_nextTry = 0;
    std::int64_t m_iteration; ///< the newest reported
    std::thread m_thread;     ///< last: everything it uses is there
};

} // namespace

Result<std::unique_ptr<RunRecorder>> RunRecorder::start(const std::filesystem::path& projectFolder, std::int64_t run,
                                                        std::int64_t fromIteration) {
    auto project = Project::open(projectFolder, Project::Mode::ReadWrite);
    if (!project)
        return project.error();
    const auto record = (*project)->run(run);
    if (!record)
        return record.error();
    const auto file = projectFolder / record->folder / runfile::kSeries;
    std::error_code isMissing; // or cannot be looked at, which opening it says
    const bool isLost = record->iteration > 0 &&
                        (!std::filesystem::exists(file, isMissing) || std::filesystem::file_size(file, isMissing) == 0);
    auto writer = SeriesWriter::open(projectFolder / record->folder);
    if (!writer)
        return writer.error();
    std::vector<std::string> news = (*writer)->takeNews();
    if (isLost)
        news.push_back(
            "The run's series file was gone or empty; its past points are missing, and another one was begun.");
    if (auto begun = (*writer)->beginSession(fromIteration); !begun)
        return begun.error();
    if (auto begun = (*project)->beginSession(run, fromIteration); !begun)
        return begun.error();
    if (auto set = (*project)->setStatus(run, RunStatus::Preparing); !set)
        return set.error();
    auto index = std::make_unique<RunIndex>(std::move(*project), *record);
    return std::unique_ptr<RunRecorder>(
        std::make_unique<ThreadedRecorder>(std::move(*writer), std::move(index), fromIteration, news));
}

} // namespace trainyard
