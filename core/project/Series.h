#pragma once

#include "core/base/Error.h"
#include "core/telemetry/StepReport.h"

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace trainyard {

/// One scalar at one iteration. Every point written is kept.
struct SeriesPoint {
    std::int64_t iteration = 0;
    double value = 0;
};

/// What a plot draws for one column of pixels: extremes, first and last of the points that fall into it.
struct SeriesBucket {
    std::int64_t first = 0, last = 0; ///< iterations
    double minimum = 0, maximum = 0, mean = 0;
    std::int64_t count = 0;     ///< of the finite values; where it is 0, extremes and mean are not a number
    std::int64_t nonFinite = 0; ///< counted apart; they touch neither extremes nor mean
};

/// One stretch of a run between a start and the next resume.
struct SeriesSession {
    std::int64_t number = 0;
    std::int64_t fromIteration = 0; ///< points after this belong to it
    std::int64_t wallMicroseconds = 0;
};

/// The one writer of a run's `series.sqlite`. Names: "loss", "loss/classification", "learning_rate", "gradient_norm",
/// "seconds/total", "seconds/data_wait" …, "metric/word_accuracy", "memory". Used on the recorder's thread.
class SeriesWriter {
public:
    /// A damaged file is kept aside and everything that can be read of it written anew.
    static Result<std::unique_ptr<SeriesWriter>> open(const std::filesystem::path& runFolder);
    virtual ~SeriesWriter() = default;
    virtual Result<void> beginSession(std::int64_t fromIteration) = 0;
    virtual void add(const std::string& series, std::int64_t iteration, double value) = 0; ///< memory only
    virtual void add(const StatisticsReport& report) = 0;                                  ///< memory only
    /// One transaction; on failure everything stays in memory for the next try. A file that somebody removed, replaced,
    /// cut short or damaged is noticed here: another one is begun with all that can be read, and `takeNews` tells.
    virtual Result<void> flush() = 0;
    virtual std::vector<std::string> takeNews() = 0; ///< sentences for the run's history, since the last call
};

/// Reads the points of a run that is written by anyone, or by no one. One thread at a time.
class SeriesReader {
public:
    static Result<std::unique_ptr<SeriesReader>> open(const std::filesystem::path& runFolder);
    virtual ~SeriesReader() = default;
    virtual Result<std::vector<std::string>> names() const = 0;
    virtual Result<std::vector<SeriesSession>> sessions() const = 0;
    /// Iterations of the first and last point of the newest branch.
    virtual Result<std::pair<std::int64_t, std::int64_t>> range(const std::string& series) const = 0;
    /// Every point with `from` ≤ iteration ≤ `to` on the newest branch, oldest first.
    virtual Result<std::vector<SeriesPoint>> points(const std::string& series, std::int64_t from,
                                                    std::int64_t to) const = 0;
    /// At most `columns` buckets over [from, to]; reads kilobytes however long the series is.
    virtual Result<std::vector<SeriesBucket>> window(const std::string& series, std::int64_t from, std::int64_t to,
                                                     int columns) const = 0;
    /// Points on tails that a resume abandoned, a list each.
    virtual Result<std::vector<std::vector<SeriesPoint>>> abandoned(const std::string& series) const = 0;
    virtual Result<std::vector<std::int64_t>> statisticsIterations() const = 0;
    virtual Result<StatisticsReport> statistics(std::int64_t iteration) const = 0;
    /// Changes whenever something was written; cheap to ask.
    virtual std::int64_t dataVersion() const = 0;
};

} // namespace trainyard
