#pragma once

#include <nlohmann/json.hpp>

#include <filesystem>
#include <string>
#include <vector>

namespace trainyard::testing {

/// CRC-32C, bit by bit: no table, no instruction, nothing of the code under test.
std::uint32_t plainCrc32c(const std::string& bytes);

/// The records of an event file; throws where a length or a checksum is wrong.
std::vector<std::string> recordsOf(const std::filesystem::path& file);

/// What an event file holds, read with a reader of our own that shares nothing with the writer:
/// {"version", "scalars": {tag: [[step, value]]}, "histograms": {tag: [{step, min, max, num, sum, sum_squares,
/// buckets}]}, "images": {tag: [[step, width, height, channels]]}, "graph": [[name, op, [inputs]]], "profiles": [tag]}.
/// Buckets are [limit, count] where the count is above 0.
nlohmann::json readEvents(const std::filesystem::path& file);

} // namespace trainyard::testing
