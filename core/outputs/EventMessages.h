#pragma once

#include "core/telemetry/OperatorReport.h"
#include "core/telemetry/PictureReport.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

/// The messages of TensorBoard's event files, as bytes. Any thread.
/// Source: event.proto and summary.proto of TensorFlow (field numbers, bucket rules).
namespace trainyard::events {

/// A distribution as TensorBoard draws it: `counts[i]` values lie above `limits[i - 1]` and not above `limits[i]`.
struct Histogram {
    double minimum = 0, maximum = 0, count = 0, sum = 0, squares = 0;
    std::vector<double> limits, counts;
};
/// From our bins of binary exponents; both sides where `negatives` were counted, else magnitudes alone.
Histogram histogramOf(const TensorStatistics& statistics);

/// The values of one iteration, tag by tag.
class Summary {
public:
    void addScalar(std::string_view tag, double value);
    void addHistogram(std::string_view tag, const Histogram& histogram);
    void addPicture(std::string_view tag, const NamedPicture& picture, std::string_view png);
    bool isEmpty() const { return m_bytes.empty(); }
    const std::string& bytes() const { return m_bytes; }

private:
    std::string m_bytes;
};

/// The first event of a file.
std::string versionEvent(double wallSeconds);
std::string summaryEvent(double wallSeconds, std::int64_t step, const Summary& summary);
std::string graphEvent(double wallSeconds, std::string_view graphDefinition);
/// The operators of a traced iteration, under "trace_ITERATION".
std::string profileEvent(double wallSeconds, const ProfileReport& profile);

} // namespace trainyard::events
