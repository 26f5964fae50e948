#include "widgets/plots/CurveMath.h"

#include "widgets/theme/Numbers.h"

#include <algorithm>
#include <cmath>

namespace trainyard::curves {
namespace {

constexpr double kGap = std::numeric_limits<double>::quiet_NaN();

bool hasFinite(const SeriesBucket& bucket) {
    return bucket.count > bucket.nonFinite;
}

double centre(const SeriesBucket& bucket) {
    return 0.5 * (double(bucket.first) + double(bucket.last));
}

} // namespace

std::vector<QPointF> rawLine(const std::vector<SeriesBucket>& buckets, bool positiveOnly) {
    std::vector<QPointF> line;
    line.reserve(buckets.size() * 2);
    const auto put = [&](double x, double y) { line.emplace_back(x, positiveOnly && y <= 0 ? kGap : y); };
    double previous = kGap;
    for (const SeriesBucket& bucket : buckets) {
        if (!hasFinite(bucket)) {
            line.emplace_back(centre(bucket), kGap);
            continue;
        }
        if (bucket.minimum == bucket.maximum || bucket.first == bucket.last) {
            put(centre(bucket), bucket.minimum);
        } else {
            // the extreme nearer to where the line comes from is drawn first, so that it does not zigzag
            const bool lowFirst = !(std::abs(previous - bucket.maximum) < std::abs(previous - bucket.minimum));
            put(double(bucket.first), lowFirst ? bucket.minimum : bucket.maximum);
            put(double(bucket.last), lowFirst ? bucket.maximum : bucket.minimum);
        }
        previous = line.back().y();
    }
    return line;
}

std::vector<QPointF> smoothLine(const std::vector<SeriesBucket>& buckets, double weight) {
    std::vector<QPointF> line;
    line.reserve(buckets.size());
    double sum = 0, share = 0;
    for (const SeriesBucket& bucket : buckets) {
        if (!hasFinite(bucket))
            continue;
        const double keep = std::pow(weight, double(bucket.count - bucket.nonFinite));
        sum = keep * sum + (1 - keep) * bucket.mean;
        share = keep * share + (1 - keep);
        line.emplace_back(centre(bucket), sum / share);
    }
    return line;
}

std::vector<double> nonFiniteMarks(const std::vector<SeriesBucket>& buckets) {
    std::vector<double> marks;
    for (const SeriesBucket& bucket : buckets)
        if (bucket.nonFinite > 0)
            marks.push_back(centre(bucket));
    return marks;
}

std::vector<double> nonPositiveMarks(const std::vector<SeriesBucket>& buckets) {
    std::vector<double> marks;
    for (const SeriesBucket& bucket : buckets)
        if (hasFinite(bucket) && bucket.minimum <= 0)
            marks.push_back(centre(bucket));
    return marks;
}

Extent extent(const std::vector<SeriesBucket>& buckets, double from, double to, bool positiveOnly) {
    Extent result;
    const auto take = [&](double value) {
        if (positiveOnly && value <= 0)
            return;
        result.low = result.isEmpty ? value : std::min(result.low, value);
        result.high = result.isEmpty ? value : std::max(result.high, value);
        result.isEmpty = false;
    };
    for (const SeriesBucket& bucket : buckets) {
        if (!hasFinite(bucket) || double(bucket.last) < from || double(bucket.first) > to)
            continue;
        take(bucket.minimum);
        take(bucket.maximum);
        if (positiveOnly && bucket.minimum <= 0 && bucket.mean > 0)
            take(bucket.mean);
    }
    return result;
}

Extent withTails(Extent extent, const std::vector<std::vector<SeriesPoint>>& tails, double from, double to,
                 bool positiveOnly) {
    for (const auto& tail : tails)
        for (const SeriesPoint& point : tail) {
            if (!std::isfinite(point.value) || (positiveOnly && point.value <= 0) || double(point.iteration) < from ||
                double(point.iteration) > to)
                continue;
            extent.low = extent.isEmpty ? point.value : std::min(extent.low, point.value);
            extent.high = extent.isEmpty ? point.value : std::max(extent.high, point.value);
            extent.isEmpty = false;
        }
    return extent;
}

Extent padded(const Extent& extent, bool isLog) {
    if (extent.isEmpty)
        return {isLog ? 0.1 : 0.0, 1.0, true};
    Extent result = extent;
    if (isLog) {
        const double factor = std::max(std::pow(extent.high / extent.low, 0.06), 1.05);
        result.low /= factor;
        result.high *= factor;
        return result;
    }
    const double height = extent.high - extent.low;
    const double scale = std::max(std::abs(extent.high), std::abs(extent.low));
    const double room = height > scale * 1e-12 ? height * 0.07 : scale > 0 ? scale * 0.1 : 0.5;
    // an axis that would pass zero for its room's sake stops just beneath it, so that a point at zero is whole
    const bool stopsAtZero = extent.low >= 0 && extent.low - room < 0 && height > 0;
    result.low = stopsAtZero ? -0.02 * extent.high : extent.low - room;
    result.high = extent.high + room;
    return result;
}

Trend trend(const std::vector<SeriesBucket>& buckets) {
    const auto line = smoothLine(buckets, 0.9);
    if (line.size() < 8)
        return Trend::Steady;
    const std::size_t back = std::max<std::size_t>(line.size() / 10, 3);
    const double change = line.back().y() - line[line.size() - 1 - back].y();
    if (std::abs(change) < 0.03 * std::abs(line.back().y()))
        return Trend::Steady;
    return change > 0 ? Trend::Rising : Trend::Falling;
}

int nearestBucket(const std::vector<SeriesBucket>& buckets, double iteration) {
    int best = -1;
    double bestDistance = std::numeric_limits<double>::infinity();
    for (std::size_t at = 0; at < buckets.size(); ++at) {
        const double distance = iteration < double(buckets[at].first)  ? double(buckets[at].first) - iteration
                                : iteration > double(buckets[at].last) ? iteration - double(buckets[at].last)
                                                                       : 0;
        if (distance < bestDistance) {
            best = int(at);
            bestDistance = distance;
        }
    }
    return best;
}

QString valueText(double value, ValueStyle style) {
    switch (style) {
    case ValueStyle::Rate:
        return theme::rateText(value);
    case ValueStyle::Percent:
        return theme::percentText(value);
    case ValueStyle::Seconds:
        if (std::isfinite(value))
            return value < 0.9995 ? theme::valueText(value * 1000) + QStringLiteral("\u202fms")
                                  : theme::valueText(value) + QStringLiteral("\u202fs");
        break;
    case ValueStyle::Number:
        break;
    }
    return theme::valueText(value);
}

} // namespace trainyard::curves
