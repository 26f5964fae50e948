#include "core/project/LaneReader.h"

#include "core/project/PointCodec.h"
#include "core/project/SeriesPyramid.h"

#include <sqlite3.h>

namespace trainyard {
namespace {

std::string_view blobOf(const SQLite::Column& column) {
    return {static_cast<const char*>(column.getBlob()), std::size_t(column.getBytes())};
}

[[noreturn]] void throwDamaged() {
    throw SQLite::Exception("a blob does not decode", SQLITE_CORRUPT);
}

bool overlaps(const SeriesBucket& bucket, const IterationSpan& span) {
    return bucket.first <= span.to && bucket.last >= span.from;
}

bool isWithin(const SeriesBucket& bucket, const IterationSpan& span) {
    return span.from <= bucket.first && bucket.last <= span.to;
}

} // namespace

LaneReader::LaneReader(const Database& database, std::int64_t lane)
    : m_database(&database), m_lane(lane),
      m_chunks(database.number("SELECT coalesce(max(number), -1) + 1 FROM chunk WHERE lane = ?", lane)),
      m_readRow(database.statement("SELECT data FROM pyramid WHERE lane = ? AND level = ? AND number = ?")),
      m_readChunk(database.statement("SELECT data FROM chunk WHERE lane = ? AND number = ?")) {}

const SeriesBucket& LaneReader::bucket(int level, std::int64_t ordinal) {
    CachedRow& row = m_rows[std::size_t(level)];
    if (row.number != ordinal / kRowBuckets) {
        m_readRow.reset();
        m_readRow.bind(1, m_lane);
        m_readRow.bind(2, level);
        m_readRow.bind(3, ordinal / kRowBuckets);
        if (!m_readRow.executeStep())
            throwDamaged();
        auto decoded = decodeBuckets(blobOf(m_readRow.getColumn(0)));
        if (!decoded)
            throwDamaged();
        row.number = ordinal / kRowBuckets;
        row.buckets = std::move(*decoded);
        m_readRow.reset();
    }
    if (std::size_t(ordinal % kRowBuckets) >= row.buckets.size())
        throwDamaged();
    return row.buckets[std::size_t(ordinal % kRowBuckets)];
}

const std::vector<SeriesPoint>& LaneReader::chunk(std::int64_t number) {
    if (m_chunkNumber == number)
        return m_chunk;
    m_readChunk.reset();
    m_readChunk.bind(1, m_lane);
    m_readChunk.bind(2, number);
    if (!m_readChunk.executeStep())
        throwDamaged();
    auto decoded = decodePoints(blobOf(m_readChunk.getColumn(0)));
    if (!decoded || std::int64_t(decoded->size()) != kChunkPoints)
        throwDamaged();
    m_readChunk.reset();
    m_chunkNumber = number;
    m_chunk = std::move(*decoded);
    return m_chunk;
}

const std::vector<SeriesPoint>& LaneReader::tail() {
    if (m_hasTail)
        return m_tail;
    auto rows = m_database->statement("SELECT data FROM tail WHERE lane = ? ORDER BY first", m_lane);
    while (rows.executeStep()) {
        const auto decoded = decodePoints(blobOf(rows.getColumn(0)));
        if (!decoded)
            throwDamaged();
        m_tail.insert(m_tail.end(), decoded->begin(), decoded->end());
    }
    m_hasTail = true;
    return m_tail;
}

/// The fewest complete buckets that cover all full chunks, in order: at most three of a level.
template <class Visit>
void LaneReader::forEachTop(Visit&& visit) const {
    int top = kChunkLevel;
    while (top + 1 < kLevels && bucketCount(top + 1, m_chunks) > 0)
        ++top;
    std::int64_t next = 0;
    for (int level = top; level >= kChunkLevel; --level) {
        for (; next < bucketCount(level, m_chunks); ++next)
            visit(level, next);
        next *= kFanOut;
    }
}

void LaneReader::points(IterationSpan span, std::vector<SeriesPoint>& out) {
    const auto append = [&](const std::vector<SeriesPoint>& points) {
        for (const SeriesPoint& point : points)
            if (span.holds(point.iteration))
                out.push_back(point);
    };
    forEachTop([&](int level, std::int64_t ordinal) {
        descendChunks(level, ordinal, span, [&](std::int64_t number) { append(chunk(number)); });
    });
    append(tail());
}

void LaneReader::descendChunks(int level, std::int64_t ordinal, const IterationSpan& span,
                               const std::function<void(std::int64_t)>& take) {
    if (!overlaps(bucket(level, ordinal), span))
        return;
    if (level == kChunkLevel)
        return take(ordinal);
    for (std::int64_t child = ordinal * kFanOut; child < (ordinal + 1) * kFanOut; ++child)
        descendChunks(level - 1, child, span, take);
}

void LaneReader::buckets(IterationSpan span, double width, const std::function<void(const SeriesBucket&)>& take) {
    forEachTop([&](int level, std::int64_t ordinal) { descend(level, ordinal, span, width, take); });
    for (const SeriesPoint& point : tail())
        if (span.holds(point.iteration))
            take(bucketOf({&point, 1}));
}

void LaneReader::descend(int level, std::int64_t ordinal, const IterationSpan& span, double width,
                         const std::function<void(const SeriesBucket&)>& take) {
    const SeriesBucket here = bucket(level, ordinal);
    if (!overlaps(here, span))
        return;
    if (isWithin(here, span) && double(here.last) - double(here.first) < width)
        return take(here);
    if (level > 1) {
        for (std::int64_t child = ordinal * kFanOut; child < (ordinal + 1) * kFanOut; ++child)
            descend(level - 1, child, span, width, take);
        return;
    }
    const std::int64_t first = ordinal * kBucketPoints;
    const auto& points = chunk(first / kChunkPoints);
    for (std::int64_t i = 0; i < kBucketPoints; ++i)
        if (const SeriesPoint& point = points[std::size_t(first % kChunkPoints + i)]; span.holds(point.iteration))
            take(bucketOf({&point, 1}));
}

} // namespace trainyard
