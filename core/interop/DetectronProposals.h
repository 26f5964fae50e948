#pragma once

#include "core/base/Error.h"

#include <array>
#include <cstdint>
#include <filesystem>
#include <map>
#include <vector>

namespace trainyard {

/// A region of Detectron's: x1 y1 x2 y2 in pixels of the file, whose last pixels belong to it, and its score.
struct DetectronProposal {
    std::array<float, 4> box = {};
    float score = 0;
};

/// Whether the file is a pickle, as Detectron's proposals are.
bool isPickledFile(const std::filesystem::path& file);

/// Reads Detectron's file of proposals (`boxes`, `scores` and `ids`, in old files `indexes`; an entry an image) by
/// image id, in the order of the file. Nothing in it is run. A Damaged error where it is no such file, or where the
/// lists do not go together.
Result<std::map<std::int64_t, std::vector<DetectronProposal>>>
readDetectronProposals(const std::filesystem::path& file);

} // namespace trainyard
