#pragma once

#include "core/project/Series.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace trainyard {

inline constexpr std::int64_t kChunkPoints = 1024; ///< in a full chunk
inline constexpr std::int64_t kBucketPoints = 16;  ///< under a bucket of level 1
inline constexpr std::int64_t kFanOut = 4;         ///< buckets under a bucket of the next level
inline constexpr std::int64_t kRowBuckets = 64;    ///< in a full row of the table
inline constexpr int kChunkLevel = 4;              ///< where a bucket stands for exactly one chunk

/// How many complete buckets of `level` stand over so many full chunks.
std::int64_t bucketCount(int level, std::int64_t chunks);

/// A bucket of no points; extremes and mean are not a number.
SeriesBucket emptyBucket();
SeriesBucket bucketOf(std::span<const SeriesPoint> points);
/// `into` becomes the bucket of both.
void merge(SeriesBucket& into, const SeriesBucket& next);

struct PyramidRow {
    int level = 0;
    std::int64_t number = 0;
    std::string data;
};

/// The pyramid of one lane while it grows by full chunks. Rows wait until they are known to be on disk.
class PyramidBuilder {
public:
    void addChunk(std::span<const SeriesPoint> points); ///< kChunkPoints of them
    std::vector<PyramidRow> pending() const;            ///< new or changed since `written`
    void written();

private:
    struct Level {
        std::vector<SeriesBucket> row; ///< of the row that is still open
        std::int64_t number = 0;       ///< of that row
        std::vector<SeriesBucket> group;
        bool isChanged = false;
    };
    void push(std::size_t level, const SeriesBucket& bucket);

    std::vector<Level> m_levels;
    std::vector<PyramidRow> m_full;
};

} // namespace trainyard
