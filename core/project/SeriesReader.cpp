#include "core/project/LaneReader.h"
#include "core/project/PointCodec.h"
#include "core/project/Rows.h"
#include "core/project/RunFolder.h"
#include "core/project/SeriesDatabase.h"
#include "core/project/SeriesFile.h"
#include "core/project/SeriesPyramid.h"
#include "core/project/StatisticsCodec.h"

#include <algorithm>
#include <fmt/format.h>
#include <sqlite3.h>

namespace trainyard {
namespace {

using Points = std::vector<SeriesPoint>;

/// A lane and the part of it that later sessions left standing: up to and with iteration `limit`.
struct Branch {
    std::int64_t lane = 0;
    std::int64_t limit = 0;
};

/// Buckets by column, each merged from whatever falls into it.
class Columns {
public:
    Columns(IterationSpan span, int count)
        : m_from(span.from), m_width((double(span.to) - double(span.from) + 1) / count),
          m_buckets(std::size_t(count), emptyBucket()) {}
    double width() const { return m_width; }
    void add(const SeriesBucket& bucket) {
        const double column = (double(bucket.first) - double(m_from)) / m_width;
        merge(m_buckets[std::size_t(std::clamp(column, 0.0, double(m_buckets.size() - 1)))], bucket);
    }
    std::vector<SeriesBucket> filled() const {
        std::vector<SeriesBucket> filled;
        std::copy_if(m_buckets.begin(), m_buckets.end(), std::back_inserter(filled),
                     [](const SeriesBucket& bucket) { return bucket.count + bucket.nonFinite > 0; });
        return filled;
    }

private:
    std::int64_t m_from;
    double m_width;
    std::vector<SeriesBucket> m_buckets;
};

/// Within a session points arrive in order; should they ever not, a line still never runs backwards.
void sortByIteration(Points& points) {
    const auto earlier = [](const SeriesPoint& a, const SeriesPoint& b) { return a.iteration < b.iteration; };
    if (!std::is_sorted(points.begin(), points.end(), earlier))
        std::stable_sort(points.begin(), points.end(), earlier);
}

class SqliteSeriesReader final : public SeriesReader {
public:
    explicit SqliteSeriesReader(std::unique_ptr<Database> database)
        : m_database(std::move(database)), m_watch(m_database->file()) {}

    Result<std::vector<std::string>> names() const override {
        return m_database->read([&]() -> Result<std::vector<std::string>> {
            std::vector<std::string> names;
            auto rows = m_database->statement("SELECT name FROM series ORDER BY id");
            while (rows.executeStep())
                names.push_back(rows.getColumn(0).getString());
            return names;
        });
    }

    Result<std::vector<SeriesSession>> sessions() const override {
        return m_database->read([&]() -> Result<std::vector<SeriesSession>> { return allSessions(); });
    }

    Result<std::pair<std::int64_t, std::int64_t>> range(const std::string& series) const override {
        return m_database->read([&]() -> Result<std::pair<std::int64_t, std::int64_t>> {
            const auto whole = rangeOf(branches(series), {});
            if (whole.isEmpty())
                return Error{ErrorKind::Data, fmt::format("There are no points of “{}” yet.", series),
                             m_database->file().string(), ""};
            return std::pair(whole.from, whole.to);
        });
    }

    Result<Points> points(const std::string& series, std::int64_t from, std::int64_t to) const override {
        return m_database->read([&]() -> Result<Points> {
            Points found;
            for (const Branch& branch : branches(series))
                LaneReader(*m_database, branch.lane).points({from, std::min(to, branch.limit)}, found);
            sortByIteration(found);
            return found;
        });
    }

    Result<std::vector<SeriesBucket>> window(const std::string& series, std::int64_t from, std::int64_t to,
                                             int columns) const override {
        return m_database->read([&]() -> Result<std::vector<SeriesBucket>> {
            const auto lanes = branches(series);
            const IterationSpan span = rangeOf(lanes, {from, to});
            if (span.isEmpty() || columns <= 0)
                return std::vector<SeriesBucket>();
            Columns result(span, columns);
            for (const Branch& branch : lanes)
                LaneReader(*m_database, branch.lane)
                    .buckets({from, std::min(to, branch.limit)}, result.width(),
                             [&](const SeriesBucket& bucket) { result.add(bucket); });
            return result.filled();
        });
    }

    Result<std::vector<Points>> abandoned(const std::string& series) const override {
        return m_database->read([&]() -> Result<std::vector<Points>> {
            std::vector<Points> tails;
            constexpr auto kLast = std::numeric_limits<std::int64_t>::max();
            for (const Branch& branch : branches(series)) {
                if (branch.limit == kLast)
                    continue;
                Points tail;
                LaneReader(*m_database, branch.lane).points({branch.limit + 1, kLast}, tail);
                sortByIteration(tail);
                if (!tail.empty())
                    tails.push_back(std::move(tail));
            }
            return tails;
        });
    }

    Result<std::vector<std::int64_t>> statisticsIterations() const override {
        return m_database->read([&]() -> Result<std::vector<std::int64_t>> {
            std::vector<std::int64_t> iterations;
            const auto sessions = allSessions();
            for (std::size_t i = 0; i < sessions.size(); ++i) {
                auto rows =
                    m_database->statement("SELECT iteration FROM statistics WHERE session = ? AND iteration <= ?",
                                          sessions[i].number, limitOf(sessions, i));
                while (rows.executeStep())
                    iterations.push_back(rows.getColumn(0).getInt64());
            }
            std::sort(iterations.begin(), iterations.end());
            iterations.erase(std::unique(iterations.begin(), iterations.end()), iterations.end());
            return iterations;
        });
    }

    Result<StatisticsReport> statistics(std::int64_t iteration) const override {
        return m_database->read([&]() -> Result<StatisticsReport> {
            const auto sessions = allSessions();
            for (std::size_t i = sessions.size(); i-- > 0;)
                if (iteration <= limitOf(sessions, i))
                    if (auto found = statisticsOf(sessions[i].number, iteration))
                        return *found;
            return Error{ErrorKind::Data, fmt::format("There are no statistics of iteration {}.", iteration),
                         m_database->file().string(), ""};
        });
    }

    /// Looks whether another file has taken this one's place, and goes over to that.
    std::int64_t dataVersion() const override {
        if (m_watch.change() == "was replaced")
            if (auto next = Database::open(m_database->file(), Access::ReadOnly, kSeriesKind)) {
                m_database = std::move(*next);
                m_watch.look();
                ++m_files;
            }
        return m_database->dataVersion() + (m_files << 56);
    }

private:
    std::vector<SeriesSession> allSessions() const {
        std::vector<SeriesSession> sessions;
        auto rows = m_database->statement("SELECT number, from_iteration, wall FROM session ORDER BY number");
        while (rows.executeStep())
            sessions.push_back(
                {rows.getColumn(0).getInt64(), rows.getColumn(1).getInt64(), rows.getColumn(2).getInt64()});
        return sessions;
    }

    /// The last iteration of session `index` that no later session took over.
    static std::int64_t limitOf(const std::vector<SeriesSession>& sessions, std::size_t index) {
        std::int64_t limit = std::numeric_limits<std::int64_t>::max();
        for (std::size_t later = index + 1; later < sessions.size(); ++later)
            limit = std::min(limit, sessions[later].fromIteration);
        return limit;
    }

    std::vector<Branch> branches(const std::string& series) const {
        const auto sessions = allSessions();
        std::vector<Branch> found;
        for (std::size_t i = 0; i < sessions.size(); ++i) {
            const std::int64_t lane = m_database->number(
                "SELECT l.id FROM lane l JOIN series s ON s.id = l.series WHERE s.name = ? AND l.session = ?", series,
                sessions[i].number);
            if (lane != 0)
                found.push_back({lane, limitOf(sessions, i)});
        }
        return found;
    }

    /// From the first to the last point within `span`.
    IterationSpan rangeOf(const std::vector<Branch>& branches, IterationSpan span) const {
        SeriesBucket all = emptyBucket();
        for (const Branch& branch : branches)
            LaneReader(*m_database, branch.lane)
                .buckets({span.from, std::min(span.to, branch.limit)}, std::numeric_limits<double>::infinity(),
                         [&](const SeriesBucket& bucket) { merge(all, bucket); });
        return all.count + all.nonFinite > 0 ? IterationSpan{all.first, all.last} : IterationSpan{1, 0};
    }

    std::optional<StatisticsReport> statisticsOf(std::int64_t session, std::int64_t iteration) const {
        auto row = m_database->statement("SELECT p.names, s.data FROM statistics s JOIN parameter_set p "
                                         "ON p.id = s.parameter_set WHERE s.session = ? AND s.iteration = ?",
                                         session, iteration);
        if (!row.executeStep())
            return std::nullopt;
        std::vector<std::string> names;
        const auto json = nlohmann::json::parse(row.getColumn(0).getString(), nullptr, false);
        if (json.is_array())
            for (const auto& name : json)
                names.push_back(name.is_string() ? name.get<std::string>() : std::string());
        const SQLite::Column data = row.getColumn(1);
        auto report = decodeStatistics(iteration, names,
                                       {static_cast<const char*>(data.getBlob()), std::size_t(data.getBytes())});
        if (!report)
            throw SQLite::Exception("a blob does not decode", SQLITE_CORRUPT);
        return report;
    }

    mutable std::unique_ptr<Database> m_database;
    mutable DatabaseWatch m_watch;
    mutable std::int64_t m_files = 0; ///< before this one
};

} // namespace

Result<std::unique_ptr<SeriesReader>> SeriesReader::open(const std::filesystem::path& runFolder) {
    auto database = Database::open(runFolder / runfile::kSeries, Access::ReadOnly, kSeriesKind);
    if (!database)
        return database.error();
    return std::unique_ptr<SeriesReader>(std::make_unique<SqliteSeriesReader>(std::move(*database)));
}

} // namespace trainyard
