#pragma once

#include <cstdint>
#include <string>

namespace trainyard::cli {

/// A number as a person reads it: 4 significant digits, small and large ones with an exponent.
std::string readable(double value);
/// A metric: the same, or "n/a" where there was nothing to measure.
std::string metricText(double metric);
/// A size or a length: never with an exponent.
std::string measure(double value);
/// "12 400"
std::string grouped(std::int64_t value);
/// "41 min", "2 h 05 min", "8 s"
std::string duration(double seconds);
/// "1.9 MB", in powers of 1000
std::string byteSize(std::int64_t bytes);
/// "2026-11-30 16:29" in local time
std::string localTime(std::int64_t wallMicroseconds);
/// Characters that a terminal shows, for aligning: UTF-8 sequences count once.
std::size_t shownWidth(const std::string& text);

} // namespace trainyard::cli
