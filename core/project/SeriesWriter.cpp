#include "core/project/SqliteSeriesWriter.h"

#include "core/project/Rows.h"
#include "core/project/RunFolder.h"
#include "core/project/SeriesDatabase.h"
#include "core/project/SeriesMigrations.h"
#include "core/project/StatisticsCodec.h"

#include <algorithm>

namespace trainyard {

const DatabaseKind kSeriesKind{
    kSeriesMigrations, 0x54595345, "run's series file",
    "Resume the run, or run: trainyard project rebuild (both save what can be read and keep the damaged file)."};

Result<std::unique_ptr<SqliteSeriesWriter>> SqliteSeriesWriter::openFile(const std::filesystem::path& file,
                                                                         bool* isDamaged) {
    auto database = Database::open(file, Access::Create, kSeriesKind, isDamaged);
    if (!database)
        return database.error();
    std::unique_ptr<SqliteSeriesWriter> writer(new SqliteSeriesWriter(std::move(*database)));
    if (auto loaded = writer->load(); !loaded) {
        if (isDamaged)
            *isDamaged = writer->m_database->isDamaged();
        return loaded.error();
    }
    return writer;
}

/// Numbers are given in memory: this is the file's only writer, and a transaction that fails takes none back.
Result<void> SqliteSeriesWriter::load() {
    return m_database->read([&]() -> Result<void> {
        m_lastSession = m_database->number("SELECT coalesce(max(number), 0) FROM session");
        m_lastLane = m_database->number("SELECT coalesce(max(id), 0) FROM lane");
        auto rows = m_database->statement("SELECT id, name FROM series");
        while (rows.executeStep())
            m_series[rows.getColumn(1).getString()] = rows.getColumn(0).getInt64();
        m_lastSeries = m_database->number("SELECT coalesce(max(id), 0) FROM series");
        return {};
    });
}

Result<void> SqliteSeriesWriter::beginSession(std::int64_t fromIteration) {
    if (auto flushed = flush(); !flushed)
        return flushed;
    m_begun = {m_lastSession + 1, fromIteration, wallMicroseconds()};
    return openSession(m_begun);
}

Result<void> SqliteSeriesWriter::openSession(const SeriesSession& session) {
    auto begun = m_database->write([&]() -> Result<void> {
        m_database->execute("INSERT INTO session (number, from_iteration, wall) VALUES (?, ?, ?)", session.number,
                            session.fromIteration, session.wallMicroseconds);
        return {};
    });
    if (!begun)
        return begun;
    m_watch.look();
    m_session = session.number;
    m_lastSession = std::max(m_lastSession, session.number);
    m_lanes.clear();
    return {};
}

void SqliteSeriesWriter::add(const std::string& series, std::int64_t iteration, double value) {
    laneOf(series).add({iteration, value});
    m_firstIteration = std::min(m_firstIteration, iteration);
}

void SqliteSeriesWriter::add(const StatisticsReport& report) {
    nlohmann::json names = nlohmann::json::array();
    for (const ParameterReport& parameter : report.parameters)
        names.push_back(parameter.name);
    m_statistics.push_back({report.iteration, textOf(names), encodeStatistics(report)});
    m_firstIteration = std::min(m_firstIteration, report.iteration);
}

Result<void> SqliteSeriesWriter::flush() {
    if (const auto change = m_watch.change())
        if (auto fresh = startAfresh(*change + " by somebody"); !fresh)
            return fresh;
    auto written = writeAll();
    if (written || !m_database->isDamaged())
        return written;
    if (auto fresh = startAfresh("is damaged"); !fresh)
        return fresh;
    return writeAll();
}

Result<void> SqliteSeriesWriter::writeAll() {
    const bool hasPoints =
        std::any_of(m_lanes.begin(), m_lanes.end(), [](const auto& lane) { return !lane.second.isWritten(); });
    if (!hasPoints && m_statistics.empty())
        return {};
    auto written = m_database->write([&]() -> Result<void> {
        writeSession();
        for (auto& [name, lane] : m_lanes)
            if (!lane.isWritten())
                writeLane(lane);
        writeStatistics();
        return {};
    });
    if (!written)
        return written;
    m_watch.look();
    remember();
    return {};
}

SeriesLane& SqliteSeriesWriter::laneOf(const std::string& name) {
    if (const auto found = m_lanes.find(name); found != m_lanes.end())
        return found->second;
    SeriesLane& lane = m_lanes[name];
    auto [series, isNew] = m_series.try_emplace(name, 0);
    if (isNew)
        series->second = ++m_lastSeries;
    lane.id = ++m_lastLane;
    lane.series = series->second;
    lane.name = name;
    return lane;
}

/// Points without a `beginSession` begin one at the first of them.
void SqliteSeriesWriter::writeSession() {
    if (m_session == 0)
        m_database->execute("INSERT INTO session (number, from_iteration, wall) VALUES (?, ?, ?)", session(),
                            m_firstIteration - 1, wallMicroseconds());
}

void SqliteSeriesWriter::writeLane(const SeriesLane& lane) {
    if (!lane.isStored) {
        m_database->execute("INSERT OR IGNORE INTO series (id, name) VALUES (?, ?)", lane.series, lane.name);
        m_database->execute("INSERT INTO lane (id, series, session) VALUES (?, ?, ?)", lane.id, lane.series, session());
    }
    if (!lane.full.empty())
        writeChunks(lane);
    if (lane.openStored == lane.open.size())
        return;
    const std::span<const SeriesPoint> fresh(lane.open.begin() + std::ptrdiff_t(lane.openStored), lane.open.end());
    writeBlob("INSERT INTO tail (lane, first, data) VALUES (?, ?, ?)",
              {lane.id, lane.chunks * kChunkPoints + std::int64_t(lane.openStored)},
              encodePoints(fresh, fresh.size() > 64));
}

void SqliteSeriesWriter::writeChunks(const SeriesLane& lane) {
    if (lane.hasTail)
        m_database->execute("DELETE FROM tail WHERE lane = ?", lane.id);
    std::int64_t number = lane.chunks - std::int64_t(lane.full.size());
    for (const std::string& chunk : lane.full)
        writeBlob("INSERT INTO chunk (lane, number, data) VALUES (?, ?, ?)", {lane.id, number++}, chunk);
    for (const PyramidRow& row : lane.pyramid.pending())
        writeBlob("INSERT OR REPLACE INTO pyramid (lane, level, number, data) VALUES (?, ?, ?, ?)",
                  {lane.id, std::int64_t(row.level), row.number}, row.data);
}

void SqliteSeriesWriter::writeBlob(const char* sql, std::initializer_list<std::int64_t> keys, const std::string& data) {
    auto insert = m_database->statement(sql);
    int index = 0;
    for (const std::int64_t key : keys)
        insert.bind(++index, key);
    insert.bindNoCopy(++index, data.data(), int(data.size()));
    insert.exec();
}

void SqliteSeriesWriter::writeStatistics() {
    for (const StatisticsRow& row : m_statistics) {
        m_database->execute("INSERT OR IGNORE INTO parameter_set (names) VALUES (?)", row.names);
        const std::int64_t set = m_database->number("SELECT id FROM parameter_set WHERE names = ?", row.names);
        writeBlob("INSERT OR REPLACE INTO statistics (session, iteration, parameter_set, data) VALUES (?, ?, ?, ?)",
                  {session(), row.iteration, set}, row.data);
    }
}

/// After the commit: what is on disk need not be kept.
void SqliteSeriesWriter::remember() {
    m_session = session();
    m_lastSession = std::max(m_lastSession, m_session);
    m_statistics.clear();
    for (auto& [name, lane] : m_lanes) {
        if (lane.isWritten())
            continue;
        lane.isStored = true;
        lane.hasTail = !lane.open.empty();
        lane.openStored = lane.open.size();
        lane.full.clear();
        lane.pyramid.written();
    }
}

Result<std::unique_ptr<SeriesWriter>> SeriesWriter::open(const std::filesystem::path& runFolder) {
    const auto file = runFolder / runfile::kSeries;
    bool isDamaged = false;
    auto writer = SqliteSeriesWriter::openFile(file, &isDamaged);
    std::string mended;
    if (!writer && isDamaged) {
        auto sentence = mendSeries(file);
        if (!sentence)
            return sentence.error();
        mended = std::move(*sentence);
        writer = SqliteSeriesWriter::openFile(file, nullptr);
    }
    if (!writer)
        return writer.error();
    if (!mended.empty())
        (*writer)->tell(mended);
    return std::unique_ptr<SeriesWriter>(std::move(*writer));
}

} // namespace trainyard
