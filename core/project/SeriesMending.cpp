// A series file that somebody removed, replaced, cut short or damaged: another one is begun with everything that can
// still be read. Nothing that was recorded is overwritten; what stands under the file's name is kept aside.
#include "core/project/SqliteSeriesWriter.h"

#include "core/project/RunFolder.h"
#include "core/project/SeriesDatabase.h"
#include "core/project/SeriesSalvage.h"

#include <algorithm>
#include <fmt/format.h>

namespace trainyard {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t kChunksInMemory = 64; ///< of a lane while it is copied

fs::path freshFile(const fs::path& file) {
    return file.string() + ".fresh";
}

std::string sentenceOf(const std::string& what, const std::string& aside, std::int64_t missing) {
    std::string text = fmt::format("The run's series file {}; another one was begun with ", what);
    text += missing == 0 ? "all its points" : "what could be read";
    if (missing > 0)
        text += fmt::format(" ({} points are missing at least)", missing);
    return text + (aside.empty() ? "." : fmt::format(", and the old one is kept as {}.", aside));
}

Error cannotTakePlace(const fs::path& file, const std::string& why) {
    return {ErrorKind::Damaged, fmt::format("Another series file cannot be begun: {}.", why), file.string(),
            "Check the run's folder and the space on its disk."};
}

/// The smallest iteration that the session's points have, less one.
std::int64_t guessedStart(SeriesSalvage& salvage, std::int64_t session) {
    std::int64_t first = std::numeric_limits<std::int64_t>::max();
    const auto take = [&](std::span<const SeriesPoint> points) {
        for (const SeriesPoint& point : points)
            first = std::min(first, point.iteration);
    };
    for (const auto& lane : salvage.lanes())
        if (lane.session == session) {
            salvage.chunks(lane.id, take);
            salvage.tail(lane.id, take);
        }
    return first == std::numeric_limits<std::int64_t>::max() ? 0 : first - 1;
}

} // namespace

Result<void> SqliteSeriesWriter::addAll(const std::string& series, std::span<const SeriesPoint> points) {
    SeriesLane& lane = laneOf(series);
    for (const SeriesPoint& point : points)
        lane.add(point);
    return lane.full.size() < kChunksInMemory ? Result<void>() : writeAll();
}

Result<std::int64_t> SqliteSeriesWriter::copySession(SeriesSalvage& salvage, const SeriesSession& session) {
    std::int64_t missing = 0;
    Result<void> written;
    for (const auto& lane : salvage.lanes()) {
        if (lane.session != session.number)
            continue;
        const auto take = [&](std::span<const SeriesPoint> points) {
            if (written)
                written = addAll(lane.series, points);
        };
        missing += salvage.chunks(lane.id, take);
        missing += salvage.tail(lane.id, take);
        if (!written)
            return written.error();
    }
    return missing;
}

/// What the writer holds in memory comes after what it wrote; the tails in the table are of what it holds.
Result<std::int64_t> SqliteSeriesWriter::copyLive(SeriesSalvage& salvage, const SqliteSeriesWriter& live) {
    std::int64_t missing = 0;
    Result<void> written;
    const auto copy = [&](const std::string& name, const SeriesLane& lane) {
        const auto take = [&](std::span<const SeriesPoint> points) {
            if (written)
                written = addAll(name, points);
        };
        if (lane.isStored)
            missing += salvage.chunks(lane.id, take, lane.chunks - std::int64_t(lane.full.size()));
        for (const std::string& chunk : lane.full)
            take(*decodePoints(chunk)); // encoded by ourselves
        take(lane.open);
    };
    for (const std::string& name : salvage.series()) // in their old order
        if (const auto lane = live.m_lanes.find(name); lane != live.m_lanes.end())
            copy(name, lane->second);
    for (const auto& [name, lane] : live.m_lanes)
        if (std::find(salvage.series().begin(), salvage.series().end(), name) == salvage.series().end())
            copy(name, lane);
    if (!written)
        return written.error();
    return missing;
}

Result<std::int64_t> SqliteSeriesWriter::copyFrom(SeriesSalvage& salvage, const SqliteSeriesWriter* live) {
    std::vector<SeriesSession> sessions = salvage.sessions();
    const std::int64_t own = live ? live->m_session : 0;
    std::erase_if(sessions, [&](const SeriesSession& session) { return own != 0 && session.number == own; });
    if (own != 0)
        sessions.push_back(live->m_begun.number == own ? live->m_begun
                                                       : SeriesSession{own, live->m_firstIteration - 1, 0});
    std::int64_t missing = 0;
    for (SeriesSession session : sessions) {
        if (session.fromIteration == SeriesSalvage::kUnknownStart)
            session.fromIteration = guessedStart(salvage, session.number);
        if (auto opened = openSession(session); !opened)
            return opened.error();
        const bool isLive = own != 0 && session.number == own;
        const auto copied = isLive ? copyLive(salvage, *live) : copySession(salvage, session);
        if (!copied)
            return copied.error();
        missing += *copied;
        salvage.statistics(session.number,
                           [&](std::int64_t iteration, const std::string& names, const std::string& data) {
                               m_statistics.push_back({iteration, names, data});
                           });
        if (isLive)
            m_statistics.insert(m_statistics.end(), live->m_statistics.begin(), live->m_statistics.end());
        if (auto written = writeAll(); !written)
            return written.error();
    }
    if (live && own == 0) { // points in memory, and no session yet
        m_session = 0;
        m_lanes.clear();
        m_firstIteration = live->m_firstIteration;
        m_statistics = live->m_statistics;
        if (const auto copied = copyLive(salvage, *live); !copied)
            return copied.error();
    }
    return missing;
}

/// The new file is whole before the old one is touched; a failure leaves this writer as it was, to try again.
Result<void> SqliteSeriesWriter::startAfresh(const std::string& what) {
    const fs::path file = m_database->file();
    removeDatabase(freshFile(file));
    bool isDamaged = false;
    auto fresh = openFile(freshFile(file), &isDamaged);
    if (!fresh)
        return fresh.error();
    m_database->execute("PRAGMA writable_schema = ON"); // read what lies within a file that was cut short
    SeriesSalvage salvage(m_database->handle());
    const auto missing = (*fresh)->copyFrom(salvage, this);
    if (!missing)
        return missing.error();
    std::string aside;
    if (auto taken = takePlaceOf(**fresh, aside); !taken)
        return taken.error();
    m_news.push_back(sentenceOf(what, aside, *missing));
    return {};
}

/// SQLite deletes a file's log by its name when the last connection closes: the old connection closes after the new
/// file has the name and before it has a log.
Result<void> SqliteSeriesWriter::takePlaceOf(SqliteSeriesWriter& fresh, std::string& aside) {
    const fs::path file = m_database->file();
    fresh.m_database.reset();
    try {
        if (fs::exists(file))
            aside = setAside(file).filename().string();
        removeDatabase(file); // a log without its file
        fs::rename(freshFile(file), file);
    } catch (const fs::filesystem_error& problem) {
        return cannotTakePlace(file, problem.code().message());
    }
    auto next = Database::open(file, Access::Create, kSeriesKind);
    if (!next)
        return next.error();
    m_database = std::move(*next);
    m_watch.look();
    m_series = std::move(fresh.m_series);
    m_lanes = std::move(fresh.m_lanes);
    m_statistics = std::move(fresh.m_statistics);
    m_firstIteration = fresh.m_firstIteration;
    m_session = fresh.m_session;
    m_lastSession = fresh.m_lastSession;
    m_lastLane = fresh.m_lastLane;
    m_lastSeries = fresh.m_lastSeries;
    return {};
}

Result<std::string> mendSeries(const fs::path& file) {
    try {
        const TemporaryFolder folder;
        const auto copy = folder.path() / "salvage.sqlite";
        for (const char* suffix : {"", "-wal", "-journal"})
            if (fs::exists(file.string() + suffix))
                fs::copy_file(file.string() + suffix, copy.string() + suffix);
        removeDatabase(freshFile(file));
        auto fresh = SqliteSeriesWriter::openFile(freshFile(file), nullptr);
        if (!fresh)
            return fresh.error();
        std::int64_t missing = 0;
        bool isReadable = true;
        try {
            SQLite::Database database(copy.string(), SQLite::OPEN_READWRITE);
            database.exec("PRAGMA writable_schema = ON");
            SeriesSalvage salvage(database);
            isReadable = !salvage.sessions().empty();
            const auto copied = (*fresh)->copyFrom(salvage, nullptr);
            if (!copied)
                return copied.error();
            missing = *copied;
        } catch (const SQLite::Exception&) {
            isReadable = false; // no database any more
        }
        fresh->reset();
        const std::string aside = setAside(file).filename().string();
        fs::rename(freshFile(file), file);
        return isReadable
                   ? sentenceOf("is damaged", aside, missing)
                   : fmt::format("The run's series file is damaged and nothing in it can be read; its past points are "
                                 "missing, and the file is kept as {}.",
                                 aside);
    } catch (const fs::filesystem_error& problem) {
        return cannotTakePlace(file, problem.code().message());
    } catch (const std::runtime_error& problem) { // no room for a copy
        return cannotTakePlace(file, problem.what());
    }
}

} // namespace trainyard
