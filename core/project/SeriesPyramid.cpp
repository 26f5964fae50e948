#include "core/project/SeriesPyramid.h"

#include "core/project/PointCodec.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace trainyard {

static_assert(kBucketPoints * kFanOut * kFanOut * kFanOut == kChunkPoints, "kChunkLevel says so");

std::int64_t bucketCount(int level, std::int64_t chunks) {
    std::int64_t count = chunks * (kChunkPoints / kBucketPoints);
    for (int i = 1; i < level; ++i)
        count /= kFanOut;
    return count;
}

SeriesBucket emptyBucket() {
    constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
    SeriesBucket bucket;
    bucket.minimum = bucket.maximum = bucket.mean = kNone;
    return bucket;
}

SeriesBucket bucketOf(std::span<const SeriesPoint> points) {
    SeriesBucket all = emptyBucket();
    for (const SeriesPoint& point : points) {
        const bool isFinite = std::isfinite(point.value);
        merge(all, {point.iteration, point.iteration, point.value, point.value, point.value, isFinite, !isFinite});
    }
    return all;
}

void merge(SeriesBucket& into, const SeriesBucket& next) {
    if (next.count + next.nonFinite == 0)
        return;
    const bool wasEmpty = into.count + into.nonFinite == 0;
    into.first = wasEmpty ? next.first : std::min(into.first, next.first);
    into.last = wasEmpty ? next.last : std::max(into.last, next.last);
    into.nonFinite += next.nonFinite;
    if (next.count == 0)
        return;
    if (into.count == 0) {
        into.minimum = next.minimum;
        into.maximum = next.maximum;
        into.mean = next.mean;
    } else {
        into.minimum = std::min(into.minimum, next.minimum);
        into.maximum = std::max(into.maximum, next.maximum);
        const double share = double(next.count) / double(into.count + next.count);
        into.mean = into.mean * (1 - share) + next.mean * share; // no difference that could overflow
    }
    into.count += next.count;
}

void PyramidBuilder::addChunk(std::span<const SeriesPoint> points) {
    for (std::size_t i = 0; i < points.size(); i += kBucketPoints)
        push(0, bucketOf(points.subspan(i, kBucketPoints)));
}

void PyramidBuilder::push(std::size_t level, const SeriesBucket& bucket) {
    if (level == m_levels.size())
        m_levels.emplace_back();
    Level& here = m_levels[level];
    here.row.push_back(bucket);
    here.group.push_back(bucket);
    here.isChanged = true;
    if (std::int64_t(here.row.size()) == kRowBuckets) {
        m_full.push_back({int(level) + 1, here.number++, encodeBuckets(here.row)});
        here.row.clear();
        here.isChanged = false;
    }
    if (std::int64_t(here.group.size()) < kFanOut)
        return;
    SeriesBucket sum = emptyBucket();
    for (const SeriesBucket& part : here.group)
        merge(sum, part);
    here.group.clear();
    push(level + 1, sum); // `here` may dangle from now on
}

std::vector<PyramidRow> PyramidBuilder::pending() const {
    std::vector<PyramidRow> rows = m_full;
    for (std::size_t level = 0; level < m_levels.size(); ++level)
        if (const Level& here = m_levels[level]; here.isChanged)
            rows.push_back({int(level) + 1, here.number, encodeBuckets(here.row)});
    return rows;
}

void PyramidBuilder::written() {
    m_full.clear();
    for (Level& level : m_levels)
        level.isChanged = false;
}

} // namespace trainyard
