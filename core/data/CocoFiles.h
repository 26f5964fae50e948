#pragma once

#include "core/base/Error.h"
#include "core/config/RunConfig.h"

#include <filesystem>
#include <vector>

namespace trainyard {

/// Where a COCO dataset's parts lie.
struct CocoFiles {
    std::filesystem::path annotations;
    std::vector<std::filesystem::path> imageFolders; ///< in the order to look in
};

/// The annotation files under `folder` that look like COCO instances: `annotations/*.json`, `*.json`,
/// `PART/_annotations.coco.json`; `instances_*` hides keypoint and caption files.
std::vector<std::filesystem::path> cocoCandidates(const std::filesystem::path& folder);

/// `entry.path` is the JSON file or a folder; `part` (or, without one, the purpose) chooses among several files.
Result<CocoFiles> locateCoco(const DatasetConfig& entry, bool isForTraining);

/// Whether the file's text has the keys of a COCO annotation file.
bool looksLikeCoco(const std::filesystem::path& file);

} // namespace trainyard
