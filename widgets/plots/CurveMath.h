#pragma once

#include "widgets/plots/PlotCurve.h"

#include <QString>

#include <vector>

/// From buckets to lines. Plain functions; any thread.
namespace trainyard::curves {

/// Every extreme of every bucket, in the order of iterations: at most two points a bucket. A bucket without finite
/// points is a gap (NaN). With `positiveOnly` (a log axis) values at or below zero are gaps too.
std::vector<QPointF> rawLine(const std::vector<SeriesBucket>& buckets, bool positiveOnly = false);

/// An exponential moving average of the buckets' means with its start bias divided out, so that a constant stays that
/// constant. `weight` in [0, 1) is what the past keeps over one point; a bucket of n points counts as n.
/// Source: Kingma and Ba 2015, "Adam", section 3, for the bias.
std::vector<QPointF> smoothLine(const std::vector<SeriesBucket>& buckets, double weight);

/// Iterations of buckets that hold NaN or infinity.
std::vector<double> nonFiniteMarks(const std::vector<SeriesBucket>& buckets);
/// Iterations of buckets that hold a value a log axis cannot show.
std::vector<double> nonPositiveMarks(const std::vector<SeriesBucket>& buckets);

struct Extent {
    double low = 0, high = 1;
    bool isEmpty = true;
};
/// Extremes of what lies in [from, to]; `positiveOnly` leaves out what a log axis cannot show.
Extent extent(const std::vector<SeriesBucket>& buckets, double from, double to, bool positiveOnly);
/// `extent` widened by the points of abandoned tails.
Extent withTails(Extent extent, const std::vector<std::vector<SeriesPoint>>& tails, double from, double to,
                 bool positiveOnly);
/// A range for the axis around `extent`, with room above and below; never of zero height.
Extent padded(const Extent& extent, bool isLog);

enum class Trend { Steady, Rising, Falling };
/// Where the smoothed curve went over its last tenth, against its own size.
Trend trend(const std::vector<SeriesBucket>& buckets);

/// The bucket nearest to `iteration`, or -1 when there is none.
int nearestBucket(const std::vector<SeriesBucket>& buckets, double iteration);

/// `value` in the given style, for people.
QString valueText(double value, ValueStyle style);

} // namespace trainyard::curves
