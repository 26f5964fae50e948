#pragma once

#include "core/project/Database.h"
#include "core/project/Series.h"

#include <array>
#include <functional>
#include <limits>
#include <vector>

namespace trainyard {

/// A span of iterations, both ends included.
struct IterationSpan {
    std::int64_t from = std::numeric_limits<std::int64_t>::min();
    std::int64_t to = std::numeric_limits<std::int64_t>::max();
    bool isEmpty() const { return from > to; }
    bool holds(std::int64_t iteration) const { return from <= iteration && iteration <= to; }
};

/// Reads one series of one session, from the pyramid as far down as needed. For use inside one read transaction.
/// Throws SQLite::Exception; a blob that does not decode is reported as SQLITE_CORRUPT.
class LaneReader {
public:
    LaneReader(const Database& database, std::int64_t lane);

    /// Every point in `span`, in the order of arrival.
    void points(IterationSpan span, std::vector<SeriesPoint>& out);

    /// Gives `take` buckets that together hold the points in `span`, each at most `width` iterations long.
    void buckets(IterationSpan span, double width, const std::function<void(const SeriesBucket&)>& take);

private:
    struct CachedRow {
        std::int64_t number = -1;
        std::vector<SeriesBucket> buckets;
    };

    void descend(int level, std::int64_t ordinal, const IterationSpan& span, double width,
                 const std::function<void(const SeriesBucket&)>& take);
    void descendChunks(int level, std::int64_t ordinal, const IterationSpan& span,
                       const std::function<void(std::int64_t)>& take);
    template <class Visit>
    void forEachTop(Visit&& visit) const;
    const SeriesBucket& bucket(int level, std::int64_t ordinal);
    const std::vector<SeriesPoint>& chunk(std::int64_t number);
    const std::vector<SeriesPoint>& tail();

    static constexpr int kLevels = 40; ///< more than 64-bit counts can fill
    const Database* m_database;
    std::int64_t m_lane;
    std::int64_t m_chunks;
    std::array<CachedRow, kLevels> m_rows;
    std::int64_t m_chunkNumber = -1;
    std::vector<SeriesPoint> m_chunk;
    std::vector<SeriesPoint> m_tail;
    bool m_hasTail = false;
    SQLite::Statement m_readRow, m_readChunk;
};

} // namespace trainyard
