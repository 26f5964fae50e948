#include "core/project/SeriesSalvage.h"

#include "core/project/PointCodec.h"
#include "core/project/SeriesPyramid.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <set>

namespace trainyard {
namespace {

constexpr std::int64_t kLast = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kMostMisses = 1000; ///< one after the other, before nothing more is looked for

bool hasTable(const SQLite::Database& database, const std::string& table) {
    try {
        return database.tableExists(table);
    } catch (const SQLite::Exception&) {
        return false; // nothing can be asked without the schema
    }
}

} // namespace

SeriesSalvage::SeriesSalvage(SQLite::Database& database) : m_database(database) {
    std::map<std::int64_t, std::string> names;
    for (const Row& row : rowsOf("series", "rowid AS place, name"))
        names[integerIn(row, "place")] = textIn(row, "name");
    for (const auto& [id, name] : names)
        m_series.push_back(name);
    std::map<std::int64_t, SeriesSession> sessions;
    for (const Row& row : rowsOf("session", "rowid AS place, from_iteration, wall"))
        sessions[integerIn(row, "place")] = {integerIn(row, "place"), integerIn(row, "from_iteration"),
                                             integerIn(row, "wall")};
    std::map<std::pair<std::int64_t, std::int64_t>, Lane> lanes; // by series
    for (const Row& row : rowsOf("lane", "rowid AS place, series, session")) {
        const auto name = names.find(integerIn(row, "series"));
        if (name == names.end())
            continue; // nobody knows any more what it measured
        const std::int64_t id = integerIn(row, "place"), session = integerIn(row, "session");
        lanes[{name->first, id}] = {id, session, name->second};
        sessions.try_emplace(session, SeriesSession{session, kUnknownStart, 0});
    }
    for (auto& [key, lane] : lanes)
        m_lanes.push_back(std::move(lane));
    for (const auto& [number, session] : sessions)
        m_sessions.push_back(session);
    m_chunks = indexOf("chunk", "lane", "number");
    m_tails = indexOf("tail", "lane", "first");
    m_statistics = indexOf("statistics", "session", "iteration");
    for (const Row& row : rowsOf("parameter_set", "rowid AS place, names"))
        m_parameterSets[integerIn(row, "place")] = textIn(row, "names");
}

/// From the front up to the damage, from the back down to it, and one by one between the two.
std::vector<Row> SeriesSalvage::rowsOf(const std::string& table, const std::string& columns) {
    std::vector<Row> rows;
    if (!hasTable(m_database, table))
        return rows;
    const std::string select = "SELECT " + columns + " FROM " + table;
    const auto read = [&](const std::string& rest, std::int64_t& reached) {
        try {
            SQLite::Statement statement(m_database, select + rest);
            while (statement.executeStep()) {
                rows.push_back(rowOf(statement));
                reached = integerIn(rows.back(), "place");
            }
            return true;
        } catch (const SQLite::Exception&) {
            return false; // the damage: what lies behind it is reached from the other end
        }
    };
    std::int64_t front = 0, back = kLast;
    if (read(" NOT INDEXED ORDER BY rowid", front))
        return rows;
    read(" NOT INDEXED WHERE rowid > " + std::to_string(front) + " ORDER BY rowid DESC", back);
    std::int64_t misses = 0;
    for (std::int64_t row = front + 1; row < back && misses < kMostMisses; ++row) {
        const std::size_t before = rows.size();
        read(" NOT INDEXED WHERE rowid = " + std::to_string(row), front);
        misses = rows.size() == before ? misses + 1 : 0;
    }
    return rows;
}

SeriesSalvage::Index SeriesSalvage::indexOf(const std::string& table, const char* owner, const char* number) {
    Index index;
    for (const Row& row : rowsOf(table, std::string("rowid AS place, ") + owner + ", " + number))
        index[integerIn(row, owner)][integerIn(row, number)] = integerIn(row, "place");
    return index;
}

std::optional<std::string> SeriesSalvage::blob(const char* sql, std::int64_t rowid) {
    try {
        SQLite::Statement statement(m_database, sql);
        statement.bind(1, rowid);
        if (!statement.executeStep())
            return std::nullopt;
        const SQLite::Column data = statement.getColumn(0);
        return std::string(static_cast<const char*>(data.getBlob()), std::size_t(data.getBytes()));
    } catch (const SQLite::Exception&) {
        return std::nullopt; // lost; the caller counts it
    }
}

std::int64_t SeriesSalvage::chunks(std::int64_t lane, const Take& take, std::int64_t expected) {
    const auto& rows = m_chunks[lane];
    if (!rows.empty())
        expected = std::max(expected, rows.rbegin()->first + 1);
    std::int64_t missing = expected;
    for (const auto& [number, rowid] : rows) {
        const auto data = blob("SELECT data FROM chunk NOT INDEXED WHERE rowid = ?", rowid);
        const auto points = data ? decodePoints(*data) : std::nullopt;
        if (!points || std::int64_t(points->size()) != kChunkPoints)
            continue;
        --missing;
        take(*points);
    }
    return missing * kChunkPoints;
}

std::int64_t SeriesSalvage::tail(std::int64_t lane, const Take& take) {
    const auto& rows = m_tails[lane];
    const std::int64_t start = m_chunks[lane].empty() ? 0 : (m_chunks[lane].rbegin()->first + 1) * kChunkPoints;
    std::int64_t next = start;
    std::int64_t missing = 0;
    for (const auto& [first, rowid] : rows) {
        if (first < start)
            continue; // of a chunk
        const auto data = blob("SELECT data FROM tail NOT INDEXED WHERE rowid = ?", rowid);
        const auto points = data ? decodePoints(*data) : std::nullopt;
        missing += std::max<std::int64_t>(0, first - next);
        next = first + (points ? std::int64_t(points->size()) : 0);
        if (points)
            take(*points);
        else
            ++missing, ++next; // at least one
    }
    return missing;
}

void SeriesSalvage::statistics(std::int64_t session,
                               const std::function<void(std::int64_t, const std::string&, const std::string&)>& take) {
    for (const auto& [iteration, rowid] : m_statistics[session]) {
        const auto data = blob("SELECT data FROM statistics NOT INDEXED WHERE rowid = ?", rowid);
        const auto set = blob("SELECT CAST(parameter_set AS TEXT) FROM statistics NOT INDEXED WHERE rowid = ?", rowid);
        const auto names = set ? m_parameterSets.find(std::strtoll(set->c_str(), nullptr, 10)) : m_parameterSets.end();
        if (data && names != m_parameterSets.end())
            take(iteration, names->second, *data);
    }
}

} // namespace trainyard
