#include "core/outputs/EventMessages.h"

#include "core/data/ProtobufWire.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace trainyard::events {
namespace {

using namespace protobuf;

std::string eventAt(double wallSeconds, std::int64_t step) {
    std::string event;
    appendDouble(event, 1, wallSeconds);
    if (step != 0)
        appendNumber(event, 2, std::uint64_t(step));
    return event;
}

/// Bin b of a magnitude ends here.
double upperEnd(int bin) {
    return std::ldexp(1.0, bin - 39);
}

/// Empty buckets at both ends say nothing.
void trim(Histogram& histogram) {
    const auto isFilled = [](double count) { return count > 0; };
    const auto first = std::find_if(histogram.counts.begin(), histogram.counts.end(), isFilled);
    const auto last = std::find_if(histogram.counts.rbegin(), histogram.counts.rend(), isFilled).base();
    const auto from = std::max<std::ptrdiff_t>(0, first - histogram.counts.begin() - 1);
    const auto to = last - histogram.counts.begin();
    if (first == histogram.counts.end())
        return;
    histogram.counts = {histogram.counts.begin() + from, histogram.counts.begin() + to};
    histogram.limits = {histogram.limits.begin() + from, histogram.limits.begin() + to};
}

} // namespace

Histogram histogramOf(const TensorStatistics& statistics) {
    Histogram histogram;
    histogram.minimum = statistics.minimum;
    histogram.maximum = statistics.maximum;
    histogram.count = double(statistics.count - statistics.nonFinite);
    histogram.sum = statistics.mean * histogram.count;
    histogram.squares = statistics.norm * statistics.norm;
    const auto below = [&](int bin) {
        return statistics.negatives.empty() ? 0.0 : double(statistics.negatives[std::size_t(bin)]);
    };
    for (int bin = TensorStatistics::kBins - 1; bin >= 0; --bin) {
        histogram.limits.push_back(bin == 0 ? 0.0 : -upperEnd(bin - 1));
        histogram.counts.push_back(below(bin));
    }
    for (int bin = 0; bin < TensorStatistics::kBins; ++bin) {
        histogram.limits.push_back(upperEnd(bin));
        histogram.counts.push_back(double(statistics.histogram[std::size_t(bin)]) - below(bin));
    }
    trim(histogram);
    return histogram;
}

void Summary::addScalar(std::string_view tag, double value) {
    std::string entry;
    appendBytes(entry, 1, tag);
    appendFloat(entry, 2, float(value));
    appendBytes(m_bytes, 1, entry);
}

void Summary::addHistogram(std::string_view tag, const Histogram& histogram) {
    std::string body;
    appendDouble(body, 1, histogram.minimum);
    appendDouble(body, 2, histogram.maximum);
    appendDouble(body, 3, histogram.count);
    appendDouble(body, 4, histogram.sum);
    appendDouble(body, 5, histogram.squares);
    appendPacked(body, 6, histogram.limits);
    appendPacked(body, 7, histogram.counts);
    std::string entry;
    appendBytes(entry, 1, tag);
    appendBytes(entry, 5, body);
    appendBytes(m_bytes, 1, entry);
}

void Summary::addPicture(std::string_view tag, const NamedPicture& picture, std::string_view png) {
    std::string body;
    appendNumber(body, 1, std::uint64_t(picture.height));
    appendNumber(body, 2, std::uint64_t(picture.width));
    appendNumber(body, 3, std::uint64_t(picture.channels));
    appendBytes(body, 4, png);
    std::string entry;
    appendBytes(entry, 1, tag);
    appendBytes(entry, 4, body);
    appendBytes(m_bytes, 1, entry);
}

std::string versionEvent(double wallSeconds) {
    std::string event = eventAt(wallSeconds, 0);
    appendBytes(event, 3, "brain.Event:2");
    return event;
}

std::string summaryEvent(double wallSeconds, std::int64_t step, const Summary& summary) {
    std::string event = eventAt(wallSeconds, step);
    appendBytes(event, 5, summary.bytes());
    return event;
}

std::string graphEvent(double wallSeconds, std::string_view graphDefinition) {
    std::string event = eventAt(wallSeconds, 0);
    appendBytes(event, 4, graphDefinition);
    return event;
}

std::string profileEvent(double wallSeconds, const ProfileReport& profile) {
    std::map<std::int64_t, std::string> threads; // DeviceStepStats, one a thread
    for (const OperatorSpan& span : profile.spans) {
        std::string node;
        appendBytes(node, 1, span.name);
        appendNumber(node, 2, std::uint64_t(std::max(0.0, span.startMicroseconds)));
        appendNumber(node, 4, std::uint64_t(span.microseconds));
        appendNumber(node, 5, std::uint64_t(span.microseconds));
        appendBytes(threads[span.thread], 2, node);
    }
    std::string statistics;
    for (const auto& [thread, nodes] : threads) {
        std::string device;
        appendBytes(device, 1, "thread " + std::to_string(thread));
        appendBytes(statistics, 1, device + nodes);
    }
    std::string metadata, tagged;
    appendBytes(metadata, 1, statistics);
    appendBytes(tagged, 1, "trace_" + std::to_string(profile.iteration));
    appendBytes(tagged, 2, metadata);
    std::string event = eventAt(wallSeconds, profile.iteration);
    appendBytes(event, 8, tagged);
    return event;
}

} // namespace trainyard::events
