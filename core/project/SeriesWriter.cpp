#include "core/project/Series.h"

#include "core/project/PointCodec.h"
#include "core/project/Rows.h"
#include "core/project/RunFolder.h"
#include "core/project/SeriesDatabase.h"
#include "core/project/SeriesMigrations.h"
#include "core/project/SeriesPyramid.h"
#include "core/project/StatisticsCodec.h"

#include <algorithm>
#include <limits>
#include <unordered_map>

namespace trainyard {

const DatabaseKind kSeriesKind{
    kSeriesMigrations, 0x54595345, "run's series file",
    "Move the file away: the run's checkpoints are not affected and it can be resumed without its past points."};

namespace {

/// One series in this session. What is not known to be on disk stays here.
struct Lane {
    std::int64_t id = 0;
    std::int64_t series = 0;
    std::string name;
    bool isStored = false;         ///< its row
    std::int64_t chunks = 0;       ///< full ones so far
    std::vector<std::string> full; ///< the last of them, not yet on disk
    std::vector<SeriesPoint> open; ///< after the last full chunk
    std::size_t openStored = 0;    ///< of them, how many are in the table
    bool hasTail = false;          ///< rows in the table, maybe of points that are in `full` by now
    PyramidBuilder pyramid;

    void add(const SeriesPoint& point) {
        open.push_back(point);
        if (std::int64_t(open.size()) < kChunkPoints)
            return;
        full.push_back(encodePoints(open, true));
        pyramid.addChunk(open);
        ++chunks;
        open.clear();
        openStored = 0;
    }
    bool isWritten() const { return full.empty() && openStored == open.size(); }
};

struct StatisticsRow {
    std::int64_t iteration = 0;
    std::string names; ///< JSON list
    std::string data;
};

class SqliteSeriesWriter final : public SeriesWriter {
public:
    explicit SqliteSeriesWriter(std::unique_ptr<Database> database) : m_database(std::move(database)) {}

    /// Numbers are given in memory: this is the file's only writer, and a transaction that fails takes none back.
    Result<void> load() {
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

    Result<void> beginSession(std::int64_t fromIteration) override {
        if (auto flushed = flush(); !flushed)
            return flushed;
        const std::int64_t number = m_lastSession + 1;
        auto begun = m_database->write([&]() -> Result<void> {
            m_database->execute("INSERT INTO session (number, from_iteration, wall) VALUES (?, ?, ?)", number,
                                fromIteration, wallMicroseconds());
            return {};
        });
        if (!begun)
            return begun;
        m_session = m_lastSession = number;
        m_lanes.clear();
        return {};
    }

    void add(const std::string& series, std::int64_t iteration, double value) override {
        laneOf(series).add({iteration, value});
        m_firstIteration = std::min(m_firstIteration, iteration);
    }

    void add(const StatisticsReport& report) override {
        nlohmann::json names = nlohmann::json::array();
        for (const ParameterReport& parameter : report.parameters)
            names.push_back(parameter.name);
        m_statistics.push_back({report.iteration, textOf(names), encodeStatistics(report)});
        m_firstIteration = std::min(m_firstIteration, report.iteration);
    }

    Result<void> flush() override {
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
        remember();
        return {};
    }

private:
    Lane& laneOf(const std::string& name) {
        if (const auto found = m_lanes.find(name); found != m_lanes.end())
            return found->second;
        Lane& lane = m_lanes[name];
        auto [series, isNew] = m_series.try_emplace(name, 0);
        if (isNew)
            series->second = ++m_lastSeries;
        lane.id = ++m_lastLane;
        lane.series = series->second;
        lane.name = name;
        return lane;
    }

    /// Points without a `beginSession` begin one at the first of them.
    void writeSession() {
        if (m_session == 0)
            m_database->execute("INSERT INTO session (number, from_iteration, wall) VALUES (?, ?, ?)", session(),
                                m_firstIteration - 1, wallMicroseconds());
    }

    std::int64_t session() const { return m_session ? m_session : m_lastSession + 1; }

    void writeLane(const Lane& lane) {
        if (!lane.isStored) {
            m_database->execute("INSERT OR IGNORE INTO series (id, name) VALUES (?, ?)", lane.series, lane.name);
            m_database->execute("INSERT INTO lane (id, series, session) VALUES (?, ?, ?)", lane.id, lane.series,
                                session());
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

    void writeChunks(const Lane& lane) {
        if (lane.hasTail)
            m_database->execute("DELETE FROM tail WHERE lane = ?", lane.id);
        std::int64_t number = lane.chunks - std::int64_t(lane.full.size());
        for (const std::string& chunk : lane.full)
            writeBlob("INSERT INTO chunk (lane, number, data) VALUES (?, ?, ?)", {lane.id, number++}, chunk);
        for (const PyramidRow& row : lane.pyramid.pending())
            writeBlob("INSERT OR REPLACE INTO pyramid (lane, level, number, data) VALUES (?, ?, ?, ?)",
                      {lane.id, std::int64_t(row.level), row.number}, row.data);
    }

    void writeBlob(const char* sql, std::initializer_list<std::int64_t> keys, const std::string& data) {
        auto insert = m_database->statement(sql);
        int index = 0;
        for (const std::int64_t key : keys)
            insert.bind(++index, key);
        insert.bindNoCopy(++index, data.data(), int(data.size()));
        insert.exec();
    }

    void writeStatistics() {
        for (const StatisticsRow& row : m_statistics) {
            m_database->execute("INSERT OR IGNORE INTO parameter_set (names) VALUES (?)", row.names);
            const std::int64_t set = m_database->number("SELECT id FROM parameter_set WHERE names = ?", row.names);
            writeBlob("INSERT OR REPLACE INTO statistics (session, iteration, parameter_set, data) VALUES (?, ?, ?, ?)",
                      {session(), row.iteration, set}, row.data);
        }
    }

    /// After the commit: what is on disk need not be kept.
    void remember() {
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

    std::unique_ptr<Database> m_database;
    std::unordered_map<std::string, std::int64_t> m_series; ///< numbers by name
    std::unordered_map<std::string, Lane> m_lanes;          ///< of this session
    std::vector<StatisticsRow> m_statistics;
    std::int64_t m_session = 0; ///< 0: none begun
    std::int64_t m_firstIteration = std::numeric_limits<std::int64_t>::max();
    std::int64_t m_lastSession = 0, m_lastLane = 0, m_lastSeries = 0;
};

} // namespace

Result<std::unique_ptr<SeriesWriter>> SeriesWriter::open(const std::filesystem::path& runFolder) {
    auto database = Database::open(runFolder / runfile::kSeries, Access::Create, kSeriesKind);
    if (!database)
        return database.error();
    auto writer = std::make_unique<SqliteSeriesWriter>(std::move(*database));
    if (auto loaded = writer->load(); !loaded)
        return loaded.error();
    return std::unique_ptr<SeriesWriter>(std::move(writer));
}

} // namespace trainyard
