#pragma once

#include "core/project/Series.h"

#include <QPointF>
#include <QString>

#include <limits>
#include <vector>

namespace trainyard {

/// One series as a plot shows it: at most a bucket a pixel column. A plain value.
struct PlotCurve {
    QString key;  ///< what it is, stable over updates: "loss/box", "3:loss"
    QString name; ///< in the legend
    int colour = 0;
    std::vector<SeriesBucket> buckets;
    std::vector<std::vector<SeriesPoint>> abandoned; ///< tails that a resume left behind
    double lastValue = std::numeric_limits<double>::quiet_NaN();
    std::int64_t lastIteration = 0;
};

/// What one plot draws.
struct PlotData {
    std::vector<PlotCurve> curves;
    std::vector<std::int64_t> resumes; ///< iterations at which the run was resumed
};

/// The stretch of iterations that all plots of a board show.
struct PlotView {
    bool isAll = true;       ///< everything there is
    bool followsEnd = false; ///< keeps its width and moves with the newest point
    double from = 0, to = 1; ///< where not everything is shown
    bool operator==(const PlotView&) const = default;
};

/// How a plot writes its values.
enum class ValueStyle { Number, Rate, Seconds, Percent };

} // namespace trainyard
