#pragma once

#include <string>

namespace trainyard {

/// The schema for a terminal: every key whose name or help holds `filter` (any case; empty is all), section by section,
/// with type, default, what is allowed and when it may change. Empty when nothing fits.
std::string describeText(const std::string& filter = {});

/// The schema for programs: a JSON array of objects with key, type, default, unit, minimum, maximum, choices, change,
/// help; a field that takes datasets has their keys under "entries".
std::string describeJson(const std::string& filter = {});

} // namespace trainyard
