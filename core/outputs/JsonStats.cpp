#include "core/outputs/JsonStats.h"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <vector>

namespace trainyard {
namespace {

void push(std::deque<double>& window, double value) {
    window.push_back(value);
    if (window.size() > std::size_t(JsonStats::kPeriod))
        window.pop_front();
}

/// NumPy's: the mean of the two middle ones where their number is even.
double median(const std::deque<double>& window) {
    std::vector<double> sorted(window.begin(), window.end());
    std::sort(sorted.begin(), sorted.end());
    const std::size_t half = sorted.size() / 2;
    return sorted.size() % 2 == 1 ? sorted[half] : (sorted[half - 1] + sorted[half]) / 2;
}

std::string quoted(const std::string& text) {
    return nlohmann::json(text).dump(-1, ' ', true, nlohmann::json::error_handler_t::replace);
}

std::string sixDecimals(double value) {
    return std::isfinite(value) ? fmt::format("\"{:.6f}\"", value) : fmt::format("\"{}\"", value);
}

} // namespace

std::string timeLeftText(std::int64_t seconds) {
    const std::int64_t days = seconds / 86400, rest = seconds % 86400;
    const std::string time = fmt::format("{}:{:02}:{:02}", rest / 3600, rest / 60 % 60, rest % 60);
    return days == 0 ? time : fmt::format("{} day{}, {}", days, days == 1 ? "" : "s", time);
}

std::optional<std::string> JsonStats::lineFor(const StepReport& report) {
    const std::int64_t number = report.iteration - 1; // counted from 0
    for (const auto* values : {&report.losses, &report.metrics})
        for (const auto& [name, value] : *values)
            push(m_windows[name], value);
    push(m_loss, report.loss);
    push(m_queue, report.queueFill);
    m_seconds += report.seconds.total;
    ++m_timed;
    m_memory = std::max(m_memory, report.memoryBytes);
    std::optional<std::string> due;
    if (number % kPeriod == 0 || report.iteration == m_iterations)
        due = line(report);
    if (number == m_first + kPeriod) { // the first iterations are slow
        m_seconds = 0;
        m_timed = 0;
    }
    return due;
}

std::string JsonStats::line(const StepReport& report) const {
    const std::int64_t number = report.iteration - 1;
    const double seconds = m_seconds / double(m_timed);
    const auto left = std::int64_t(seconds * double(std::max<std::int64_t>(0, m_iterations - number)));
    std::map<std::string, std::string> fields; // sorted by key, as Python sorts ASCII
    for (const auto& [name, window] : m_windows)
        fields[name] = sixDecimals(median(window));
    fields["iter"] = std::to_string(number);
    fields["lr"] = sixDecimals(report.learningRate);
    fields["time"] = sixDecimals(seconds);
    fields["loss"] = sixDecimals(median(m_loss));
    fields["eta"] = quoted(timeLeftText(left));
    fields["mb_qsize"] = std::to_string(std::int64_t(std::nearbyint(median(m_queue))));
    fields["mem"] = std::to_string((m_memory + (1 << 20) - 1) >> 20);
    std::vector<std::string> pairs;
    for (const auto& [key, value] : fields)
        pairs.push_back(quoted(key) + ": " + value);
    return fmt::format("json_stats: {{{}}}", fmt::join(pairs, ", "));
}

} // namespace trainyard
