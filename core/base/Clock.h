#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace trainyard {

/// Seconds on a clock that never runs backwards; for durations only.
double steadySeconds();

/// Microseconds since 1970 UTC, for what is stored.
std::int64_t wallMicroseconds();

/// "2026-11-30T16:29:08Z"
std::string isoTime(std::int64_t wallMicroseconds);

} // namespace trainyard
