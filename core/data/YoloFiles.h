#pragma once

#include "core/base/Error.h"
#include "core/config/RunConfig.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace trainyard {

/// Where a YOLO dataset's parts lie and what its labels mean.
struct YoloFiles {
    std::filesystem::path base; ///< images are named by their path below it
    std::vector<std::filesystem::path> images;
    std::vector<std::string> classes;
    std::string classesFile;
    std::string part;                        ///< the part taken; empty where there is only one
    std::int64_t keypoints = 0;              ///< an object has: data.yaml's kpt_shape
    bool hasVisibility = false;              ///< three numbers a keypoint, not two
    std::vector<std::int64_t> keypointSwaps; ///< flip_idx: which keypoint each becomes in a mirror
};

/// A folder with data.yaml, or with images/ and labels/ (in it, or in its part folders) and a file of class names; or a
/// data.yaml.
bool looksLikeYolo(const std::filesystem::path& path);

/// `entry.part` is train, val or test (`valid` and `validation` are val); "all" is every part. Without a part, training
/// takes train, validation val or else test.
Result<YoloFiles> locateYolo(const DatasetConfig& entry, bool isForTraining);

/// The label file of an image: labels/ in place of the last images/ of its path; beside it where there is none.
std::filesystem::path yoloLabelFile(const std::filesystem::path& image);

} // namespace trainyard
