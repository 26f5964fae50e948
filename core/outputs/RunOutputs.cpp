#include "core/outputs/RunOutputs.h"

#include "core/base/AtomicFile.h"
#include "core/base/Clock.h"
#include "core/outputs/GraphText.h"
#include "core/outputs/TraceText.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fstream>

namespace trainyard {

RunOutputs::RunOutputs(const RunConfig& config, std::filesystem::path runFolder, std::int64_t finished, RunSink& target)
    : m_config(config.train), m_folder(std::move(runFolder)), m_target(target), m_iteration(finished) {
    if (m_config.eventFiles)
        m_events.emplace(m_folder / "events", m_thread);
    if (m_config.jsonStats)
        m_stats.emplace(config.solve.iterations, finished);
}

void RunOutputs::finish() {
    m_thread.wait();
    tellTroubles();
}

void RunOutputs::tellTroubles() {
    for (const std::string& sentence : m_thread.takeTroubles())
        m_target.onEvent({EventKind::Warning, m_iteration, wallMicroseconds(), sentence});
}

void RunOutputs::onStep(const StepReport& report) {
    m_iteration = report.iteration;
    if (m_events)
        m_events->onStep(report);
    if (m_stats)
        if (const auto line = m_stats->lineFor(report))
            appendStats(*line);
    tellTroubles();
}

void RunOutputs::appendStats(const std::string& line) {
    m_thread.post([file = m_folder / "json_stats.log", line]() -> Result<void> {
        std::ofstream stream(file, std::ios::app | std::ios::binary);
        stream << line << '\n' << std::flush;
        if (stream)
            return {};
        return Error{ErrorKind::Damaged,
                     fmt::format("The json_stats lines cannot be written: {}.", std::strerror(errno)), file.string(),
                     "Make room there, or turn train.json_stats off."};
    });
}

void RunOutputs::onStatistics(const StatisticsReport& report) {
    if (m_events)
        m_events->onStatistics(report);
}

void RunOutputs::onEvaluation(const EvaluationReport& report) {
    if (m_events)
        m_events->onEvaluation(report);
}

void RunOutputs::onPictures(const PictureReport& report) {
    if (m_events)
        m_events->onPictures(report);
}

void RunOutputs::writeOnce(const char* name, std::function<std::string()> text) {
    m_thread.post([file = m_folder / name, text = std::move(text)]() -> Result<void> {
        std::error_code ignored; // then writing it says what is wrong
        return std::filesystem::exists(file, ignored) ? Result<void>() : writeFile(file, text());
    });
}

void RunOutputs::onInitialValues(const InitialReport& report) {
    if (m_config.graphFiles)
        writeOnce("init.txt", [report] { return initialText(report); });
}

void RunOutputs::onGraph(const GraphReport& report) {
    if (m_config.graphFiles)
        writeOnce("graph.txt", [report] { return graphText(report); });
    if (m_events)
        m_events->onGraph(report);
}

void RunOutputs::onProfile(const ProfileReport& report) {
    m_thread.post([file = m_folder / fmt::format("trace-{}.json", report.iteration), report] {
        return writeFile(file, traceText(report));
    });
    if (m_events)
        m_events->onProfile(report);
}

} // namespace trainyard
