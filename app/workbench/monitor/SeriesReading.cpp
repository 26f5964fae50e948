#include "app/workbench/monitor/SeriesReading.h"

#include "core/base/AtomicFile.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

namespace trainyard {
namespace {

constexpr std::size_t kMostUpdates = 160; ///< statistics reports read for one picture

/// A bucket of one point.
SeriesBucket single(std::int64_t iteration, double value) {
    SeriesBucket bucket;
    bucket.first = bucket.last = iteration;
    bucket.count = 1;
    if (std::isfinite(value))
        bucket.minimum = bucket.maximum = bucket.mean = value;
    else
        bucket.nonFinite = 1;
    return bucket;
}

std::pair<double, double> updatesOf(const StatisticsReport& report) {
    std::vector<double> ratios;
    for (const ParameterReport& parameter : report.parameters)
        ratios.push_back(parameter.updateToWeight);
    if (ratios.empty())
        return {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::quiet_NaN()};
    std::sort(ratios.begin(), ratios.end());
    return {ratios[ratios.size() / 2], ratios.back()};
}

} // namespace

void SeriesReading::setRequest(const SeriesRequest& request) {
    std::vector<Source> sources;
    for (const auto& wanted : request.sources) {
        const auto known =
            std::find_if(m_sources.begin(), m_sources.end(), [&](const Source& each) { return each.source == wanted; });
        if (known != m_sources.end()) {
            sources.push_back(std::move(*known));
        } else {
            sources.emplace_back();
            sources.back().source = wanted;
        }
    }
    m_sources = std::move(sources);
    m_request = request;
    m_isNew = true;
}

bool SeriesReading::hasNews() {
    bool news = m_isNew;
    for (Source& source : m_sources) {
        if (!source.reader) {
            auto reader = SeriesReader::open(source.source.folder);
            if (!reader) {
                source.trouble = reader.error().sentence();
                continue;
            }
            source.trouble.clear();
            source.reader = std::move(*reader);
        }
        news = news || source.reader->dataVersion() != source.version;
    }
    return news;
}

std::shared_ptr<const SeriesSnapshot> SeriesReading::read() {
    m_isNew = false;
    auto snapshot = std::make_shared<SeriesSnapshot>();
    std::int64_t last = 0;
    std::vector<std::vector<std::string>> names(m_sources.size());
    for (std::size_t at = 0; at < m_sources.size(); ++at) {
        Source& source = m_sources[at];
        if (!source.reader)
            continue;
        source.version = source.reader->dataVersion();
        names[at] = m_request.only;
        if (names[at].empty())
            names[at] = source.reader->names().value_or(std::vector<std::string>());
        for (const std::string& name : names[at])
            if (const auto range = source.reader->range(name))
                last = std::max(last, range->second);
        // after a resume from an older checkpoint the tail is longer than what follows, for a while
        if (const auto tails = source.reader->abandoned("loss"))
            for (const auto& tail : *tails)
                if (!tail.empty())
                    last = std::max(last, tail.back().iteration);
    }
    // a little more than is seen: room to move, and a running start for the smoothing
    double from = 0, to = double(last);
    if (!m_request.view.isAll) {
        const double width = m_request.view.to - m_request.view.from;
        from = (m_request.view.followsEnd ? double(last) - width : m_request.view.from) - 0.25 * width;
        to = (m_request.view.followsEnd ? double(last) : m_request.view.to) + 0.05 * width;
    }
    const int columns = m_request.view.isAll ? m_request.columns : m_request.columns * 13 / 10;
    for (std::size_t at = 0; at < m_sources.size(); ++at) {
        SeriesSnapshot::Run run;
        run.run = m_sources[at].source.run;
        run.trouble = m_sources[at].trouble;
        for (const std::string& name : names[at])
            run.series.push_back({name, {}, {}, {}});
        if (m_sources[at].reader)
            readRun(m_sources[at], run, std::max<std::int64_t>(0, std::int64_t(from)), std::int64_t(std::ceil(to)),
                    columns);
        snapshot->runs.push_back(std::move(run));
    }
    snapshot->last = last;
    return snapshot;
}

void SeriesReading::readRun(Source& source, SeriesSnapshot::Run& run, std::int64_t from, std::int64_t to,
                            int columns) const {
    for (auto& series : run.series) {
        // a series that another process is just starting may not be readable yet: it comes with the next news
        if (auto buckets = source.reader->window(series.name, from, to, columns))
            series.buckets = std::move(*buckets);
        else
            run.trouble = buckets.error().sentence();
        if (const auto range = source.reader->range(series.name)) {
            const auto points = source.reader->points(series.name, range->second, range->second);
            if (points && !points->empty())
                series.last = points->back();
        }
        if (auto tails = source.reader->abandoned(series.name))
            series.abandoned = std::move(*tails);
    }
    if (auto sessions = source.reader->sessions())
        run.sessions = std::move(*sessions);
    if (m_request.withUpdates)
        readUpdates(source, run, from, to);
}

void SeriesReading::readUpdates(Source& source, SeriesSnapshot::Run& run, std::int64_t from, std::int64_t to) const {
    auto iterations = source.reader->statisticsIterations();
    if (!iterations)
        return;
    std::erase_if(*iterations, [&](std::int64_t each) { return each < from || each > to; });
    if (iterations->empty())
        return;
    // multiples of a power of two, so that the same reports are read again and again and stay known
    std::size_t stride = 1;
    while (iterations->size() / stride > kMostUpdates)
        stride *= 2;
    SeriesSnapshot::Series median{"update_to_weight/median", {}, {}, {}},
        largest{"update_to_weight/largest", {}, {}, {}};
    for (std::size_t at = 0; at < iterations->size(); ++at) {
        const std::int64_t iteration = (*iterations)[at];
        if (at % stride != 0 && at + 1 != iterations->size())
            continue;
        auto known = source.updates.find(iteration);
        if (known == source.updates.end()) {
            const auto report = source.reader->statistics(iteration);
            if (!report)
                continue;
            known = source.updates.emplace(iteration, updatesOf(*report)).first;
        }
        median.buckets.push_back(single(iteration, known->second.first));
        largest.buckets.push_back(single(iteration, known->second.second));
        median.last = {iteration, known->second.first};
        largest.last = {iteration, known->second.second};
    }
    run.series.push_back(std::move(median));
    run.series.push_back(std::move(largest));
}

std::string SeriesReading::exportCsv(const std::string& path, const std::vector<std::string>& names, std::int64_t from,
                                     std::int64_t to) {
    if (m_sources.empty() || !m_sources.front().reader)
        return "There are no points to write.";
    std::map<std::int64_t, std::vector<std::string>> rows;
    for (std::size_t at = 0; at < names.size(); ++at) {
        const auto points = m_sources.front().reader->points(names[at], from, to);
        if (!points)
            return points.error().sentence();
        for (const SeriesPoint& point : *points) {
            auto& row = rows[point.iteration];
            row.resize(names.size());
            row[at] = fmt::format("{}", point.value); // shortest text that reads back to the same value
        }
    }
    std::string text = "iteration";
    for (const std::string& name : names)
        text += "," + name;
    text += "\n";
    for (const auto& [iteration, cells] : rows)
        text += fmt::format("{},{}\n", iteration, fmt::join(cells, ","));
    const auto written = writeFile(path, text);
    return written ? std::string() : written.error().sentence();
}

} // namespace trainyard
