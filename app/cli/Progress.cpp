#include "app/cli/Progress.h"

#include "app/cli/Format.h"
#include "app/cli/Output.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include <sys/ioctl.h>

namespace trainyard::cli {

namespace {
using namespace std::chrono_literals;
constexpr auto kFrame = 200ms;   ///< between two pictures of the bar
constexpr auto kPlainLine = 10s; ///< between two plain lines

int terminalWidth(int descriptor) {
    winsize size{};
    return ::ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

std::string bar(double share, int width) {
    const int full = std::clamp(int(share * width), 0, width);
    std::string text = "[";
    for (int i = 0; i < width; ++i)
        text += i < full ? '#' : '.';
    return text + "]";
}
} // namespace

Progress::Progress(int descriptor, bool isTerminal)
    : m_descriptor(descriptor), m_isTerminal(isTerminal), m_thread([this] { work(); }) {}

Progress::~Progress() {
    {
        std::lock_guard lock(m_mutex);
        m_isEnding = true;
    }
    m_changed.notify_one();
    m_thread.join();
}

void Progress::say(const std::string& line) {
    {
        std::lock_guard lock(m_mutex);
        m_lines.push_back(line);
    }
    m_changed.notify_one();
}

void Progress::onPhase(const PhaseReport& report) {
    std::lock_guard lock(m_mutex);
    m_speed.onPhase(report);
    if (!m_isTerminal && report.phase == Phase::Preparing && report.text != m_phase.text)
        m_lines.push_back(report.text);
    m_phase = report;
    m_hasNews = true;
}

void Progress::onStep(const StepReport& report) {
    std::lock_guard lock(m_mutex);
    m_speed.onStep(report);
    m_step = report;
    m_phase.phase = Phase::Running;
    m_hasNews = true;
}

void Progress::onEvaluation(const EvaluationReport& report) {
    std::string line = fmt::format("iteration {}: evaluated {} samples in {:.1f} s:", report.iteration, report.samples,
                                   report.seconds);
    constexpr std::size_t kShown = 3; // the ones that people look at first; the run keeps them all
    for (std::size_t i = 0; i < std::min(kShown, report.metrics.size()); ++i)
        line += fmt::format(" {} {}", report.metrics[i].first, metricText(report.metrics[i].second));
    say(line);
}

void Progress::onCheckpoint(const CheckpointReport& report) {
    say(fmt::format("iteration {}: checkpoint {} ({})", report.iteration, report.path, byteSize(report.bytes)));
}

void Progress::onEvent(const RunEvent& event) {
    switch (event.kind) {
    case EventKind::Warning:
    case EventKind::NonFinite:
        return say("warning: " + event.text);
    case EventKind::Resumed:
    case EventKind::Paused:
    case EventKind::Continued:
    case EventKind::RateChanged:
    case EventKind::ConfigurationChanged:
    case EventKind::Note:
        return say(event.text.empty() ? eventName(event.kind) : event.text);
    default:
        return; // told by other reports
    }
}

std::string Progress::status() const {
    if (m_step.iteration == 0 || m_phase.phase == Phase::Preparing) {
        if (m_phase.total > 0)
            return fmt::format("{} {} / {}", m_phase.text, grouped(m_phase.done), grouped(m_phase.total));
        return m_phase.text;
    }
    const std::int64_t planned = std::max<std::int64_t>(m_phase.iterations, m_step.iteration);
    std::string text =
        fmt::format("{} / {}  loss {}", grouped(m_step.iteration), grouped(planned), readable(m_step.loss));
    const double speed = m_speed.iterationsPerSecond();
    if (speed > 0)
        text += fmt::format("  {} it/s", readable(speed));
    if (const auto left = m_speed.secondsLeft())
        text += "  " + duration(*left) + " left";
    if (m_phase.phase != Phase::Running && !m_phase.text.empty())
        text += "  " + m_phase.text;
    return text;
}

void Progress::draw(const std::vector<std::string>& lines, const std::string& status) {
    std::string text;
    for (const std::string& line : lines)
        text += (m_isTerminal ? "\r\033[K" : "") + line + "\n";
    if (m_isTerminal)
        text += "\r\033[K" + status;
    else if (!status.empty())
        text += status + "\n";
    writeAll(m_descriptor, text); // a person who closed the terminal misses nothing by a failure
}

void Progress::work() {
    auto nextPlain = std::chrono::steady_clock::now();
    std::unique_lock lock(m_mutex);
    while (true) {
        m_changed.wait_for(lock, kFrame, [this] { return m_isEnding || !m_lines.empty(); });
        std::vector<std::string> lines;
        lines.swap(m_lines);
        std::string moving;
        const auto now = std::chrono::steady_clock::now();
        const bool isIterating = m_step.iteration > 0;
        if (m_isTerminal ? !m_isEnding : m_hasNews && isIterating && (now >= nextPlain || m_isEnding)) {
            moving = status();
            if (m_isTerminal && isIterating && m_phase.iterations > 0) {
                const int room = terminalWidth(m_descriptor) - int(shownWidth(moving)) - 4;
                if (room >= 10)
                    moving =
                        bar(double(m_step.iteration) / double(m_phase.iterations), std::min(room, 40)) + " " + moving;
            }
            m_hasNews = false;
            nextPlain = now + kPlainLine;
        }
        const bool isEnding = m_isEnding;
        lock.unlock();
        if (m_isTerminal || !lines.empty() || !moving.empty())
            draw(lines, moving);
        lock.lock();
        if (isEnding)
            return;
    }
}

} // namespace trainyard::cli
