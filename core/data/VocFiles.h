#pragma once

#include "core/base/Error.h"
#include "core/config/RunConfig.h"

#include <filesystem>
#include <string>
#include <vector>

namespace trainyard {

/// Where a VOC dataset's parts lie: `Annotations/`, `JPEGImages/`, `ImageSets/Main/`, or XML files beside their images.
struct VocFiles {
    std::filesystem::path annotations;
    std::filesystem::path images;
    std::vector<std::string> stems;    ///< of the annotation files that the part names, in its order
    std::vector<std::string> allStems; ///< of every annotation file: all parts share one list of classes
    std::string part;                  ///< the part taken; empty where the dataset has none
};

/// Whether `folder` holds VOC annotations.
bool looksLikeVoc(const std::filesystem::path& folder);

/// `entry.part` names a list in ImageSets/Main or a subfolder, "all" is every annotation file. Without a part, training
/// takes `trainval` where there is a `test` list, else `train`; validation takes `test`, else `val`.
Result<VocFiles> locateVoc(const DatasetConfig& entry, bool isForTraining);

} // namespace trainyard
