#pragma once

#include "core/project/Rows.h"
#include "core/project/Series.h"

#include <functional>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace trainyard {

/// What can still be read of a series file, however damaged: every row that SQLite can reach and every blob that
/// decodes. Reads through a connection of the caller's and changes nothing.
class SeriesSalvage {
public:
    explicit SeriesSalvage(SQLite::Database& database);

    struct Lane {
        std::int64_t id = 0;
        std::int64_t session = 0;
        std::string series;
    };
    /// The start of a session whose row is lost and whose points are not.
    static constexpr std::int64_t kUnknownStart = -1;
    const std::vector<SeriesSession>& sessions() const { return m_sessions; } ///< by number
    const std::vector<Lane>& lanes() const { return m_lanes; }                ///< in the order of their series
    const std::vector<std::string>& series() const { return m_series; }       ///< in the order they were first written

    using Take = std::function<void(std::span<const SeriesPoint>)>;
    /// The points of the lane's full chunks, in order; how many are missing. `expected` chunks where that is known.
    std::int64_t chunks(std::int64_t lane, const Take& take, std::int64_t expected = 0);
    /// The points after them.
    std::int64_t tail(std::int64_t lane, const Take& take);
    /// The statistics of a session: iteration, the parameters' names as a JSON list, and the blob.
    void statistics(std::int64_t session,
                    const std::function<void(std::int64_t, const std::string&, const std::string&)>& take);

private:
    /// Rows of a table by a key of theirs: which of them are to be read.
    using Index = std::map<std::int64_t, std::map<std::int64_t, std::int64_t>>; ///< owner → number → rowid

    std::vector<Row> rowsOf(const std::string& table, const std::string& columns);
    Index indexOf(const std::string& table, const char* owner, const char* number);
    std::optional<std::string> blob(const char* sql, std::int64_t rowid);

    SQLite::Database& m_database;
    std::vector<SeriesSession> m_sessions;
    std::vector<Lane> m_lanes;
    std::vector<std::string> m_series;
    Index m_chunks, m_tails, m_statistics;
    std::map<std::int64_t, std::string> m_parameterSets;
};

} // namespace trainyard
