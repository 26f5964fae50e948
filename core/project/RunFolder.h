#pragma once

#include "core/base/Error.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace trainyard {

/// The folder of one run and the names in it, all of which a project writes and nobody else.
namespace runfile {
inline constexpr const char* kConfig = "config.yaml";    ///< the resolved configuration
inline constexpr const char* kSeries = "series.sqlite";  ///< its points
inline constexpr const char* kRun = "run.json";          ///< its row of the index, to make that anew
inline constexpr const char* kHistory = "history.jsonl"; ///< events and evaluations, a line each, only appended to
inline constexpr const char* kLock = "owner.lock";
inline constexpr const char* kCheckpoints = "checkpoints"; ///< a folder
inline constexpr const char* kData = "data.json";          ///< what it trained on
inline constexpr const char* kPictures = "pictures";       ///< a folder: predictions drawn, a sheet an evaluation
inline constexpr const char* kEvaluations = "evaluations"; ///< a folder: files of results
inline constexpr const char* kEvents = "events";           ///< a folder: event files for TensorBoard
} // namespace runfile

/// "12-crnn-words" for run 12 of the name "crnn words": Unicode stays, what a file system or a shell may choke on
/// becomes a dash.
std::string runFolderName(std::int64_t number, const std::string& name);

/// The number in front of a run folder's name.
std::optional<std::int64_t> runNumber(const std::string& folderName);

/// The folders under PROJECT/runs that hold a run, by number; relative to the project ("runs/12-words").
std::vector<std::string> runFolders(const std::filesystem::path& project);

/// The checkpoint files in a run's folder, by their names ("checkpoints/iteration-00000020.pth"), and their iterations.
std::vector<std::pair<std::string, std::int64_t>> checkpointFiles(const std::filesystem::path& runFolder);

/// What an engine left beside the project's own files, relative to the run's folder: the record of its data, pictures,
/// results, reports on losses that were not finite, outputs for other programs.
std::vector<std::string> engineFiles(const std::filesystem::path& runFolder);

/// Whether a kill ended the making of the run before it began: neither run file nor history nor checkpoint.
bool isUnborn(const std::filesystem::path& runFolder);

/// Whether `path` is relative and stays inside the folder it is relative to.
bool isInside(const std::filesystem::path& path);

} // namespace trainyard
