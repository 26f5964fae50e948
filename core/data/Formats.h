#pragma once

#include "core/data/Dataset.h"

#include <filesystem>
#include <optional>

namespace trainyard {

/// Every format's name, with the task that it serves.
struct Format {
    std::string name;
    TaskKind task;
    std::string summary; ///< what a folder of it looks like, one line
};
const std::vector<Format>& formats();

/// The label file of a folder of words: labels.*, label.*, gt.txt, *_gt.txt, rec_gt*.txt, old_label.*, the first found
/// in this order.
std::optional<std::filesystem::path> findLabelFile(const std::filesystem::path& folder);

} // namespace trainyard
