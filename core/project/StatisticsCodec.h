#pragma once

#include "core/telemetry/StepReport.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace trainyard {

/// The numbers of a report; the parameters' names are stored once beside.
std::string encodeStatistics(const StatisticsReport& report);

/// Nothing for a damaged blob or another number of names.
std::optional<StatisticsReport> decodeStatistics(std::int64_t iteration, const std::vector<std::string>& names,
                                                 std::string_view blob);

} // namespace trainyard
