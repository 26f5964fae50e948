#pragma once

#include "core/project/Database.h"
#include "core/project/Series.h"
#include "core/project/SeriesFile.h"
#include "core/project/SeriesLane.h"

#include <limits>
#include <span>
#include <unordered_map>
#include <utility>

namespace trainyard {

class SeriesSalvage;

/// The SeriesWriter of `series.sqlite`. Where somebody has taken that file away or damaged it, it begins another one
/// with everything that can still be read and goes on (SeriesMending.cpp).
class SqliteSeriesWriter final : public SeriesWriter {
public:
    /// Opens or makes the file and reads what is needed to go on in it.
    static Result<std::unique_ptr<SqliteSeriesWriter>> openFile(const std::filesystem::path& file, bool* isDamaged);

    Result<void> beginSession(std::int64_t fromIteration) override;
    void add(const std::string& series, std::int64_t iteration, double value) override;
    void add(const StatisticsReport& report) override;
    Result<void> flush() override;
    std::vector<std::string> takeNews() override { return std::exchange(m_news, {}); }
    void tell(std::string news) { m_news.push_back(std::move(news)); }

    /// Everything that `salvage` can read and, with `live`, what that writer holds in memory; then this stands where it
    /// stood. How many points are missing.
    Result<std::int64_t> copyFrom(SeriesSalvage& salvage, const SqliteSeriesWriter* live);

private:
    struct StatisticsRow {
        std::int64_t iteration = 0;
        std::string names; ///< JSON list
        std::string data;
    };

    explicit SqliteSeriesWriter(std::unique_ptr<Database> database)
        : m_database(std::move(database)), m_watch(m_database->file()) {}

    Result<void> load();
    SeriesLane& laneOf(const std::string& name);
    std::int64_t session() const { return m_session ? m_session : m_lastSession + 1; }
    Result<void> writeAll();
    void writeSession();
    void writeLane(const SeriesLane& lane);
    void writeChunks(const SeriesLane& lane);
    void writeBlob(const char* sql, std::initializer_list<std::int64_t> keys, const std::string& data);
    void writeStatistics();
    void remember();

    // SeriesMending.cpp
    Result<void> startAfresh(const std::string& what);
    Result<void> takePlaceOf(SqliteSeriesWriter& fresh, std::string& aside);
    Result<void> openSession(const SeriesSession& session);
    Result<std::int64_t> copySession(SeriesSalvage& salvage, const SeriesSession& session);
    Result<std::int64_t> copyLive(SeriesSalvage& salvage, const SqliteSeriesWriter& live);
    Result<void> addAll(const std::string& series, std::span<const SeriesPoint> points);

    std::unique_ptr<Database> m_database;
    DatabaseWatch m_watch;
    std::unordered_map<std::string, std::int64_t> m_series; ///< numbers by name
    std::unordered_map<std::string, SeriesLane> m_lanes;    ///< of this session
    std::vector<StatisticsRow> m_statistics;
    SeriesSession m_begun;      ///< as beginSession was told
    std::int64_t m_session = 0; ///< 0: none begun
    std::int64_t m_firstIteration = std::numeric_limits<std::int64_t>::max();
    std::int64_t m_lastSession = 0, m_lastLane = 0, m_lastSeries = 0;
    std::vector<std::string> m_news;
};

/// Puts a file in the place of a damaged one, with everything that can still be read; the damaged one is kept aside.
/// The sentence about it.
Result<std::string> mendSeries(const std::filesystem::path& file);

} // namespace trainyard
