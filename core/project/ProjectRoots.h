#pragma once

#include "core/project/Rows.h"

#include <filesystem>

namespace trainyard {

/// Beside project.sqlite: the rows of its data roots, written in the transaction that changes them.
inline constexpr const char* kRootsFile = "data-roots.json";

/// The rows of that file. Damaged error: it is missing or no such file.
Result<std::vector<Row>> readRootsFile(const std::filesystem::path& project);

/// The rows of the index. Throws SQLite::Exception.
std::vector<Row> rootRows(const Database& database);

/// That a run's configuration names a root which is not known, and the command that sets it.
std::string unknownRoot(std::int64_t run, const std::string& name);

/// Inside a transaction.
Result<void> writeRootsFile(const std::filesystem::path& project, const Database& database);

} // namespace trainyard
