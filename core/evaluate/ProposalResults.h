#pragma once

#include "core/base/Error.h"
#include "core/evaluate/CocoResults.h" // ImageDetections
#include "core/evaluate/ProposalRecall.h"

#include <filesystem>
#include <string>
#include <vector>

namespace trainyard {

/// Proposals as a file that is scored and that training reads: COCO's results format without categories, one object a
/// line, {"image_id": 7, "bbox": [x, y, width, height], "score": 0.9}, the best of each image first.
std::string proposalResults(const std::vector<ImageDetections>& images);

/// What a file of proposals is worth.
struct ProposalScore {
    Metrics metrics;
    std::int64_t images = 0, proposals = 0;
};

/// Scores such a file against a COCO annotation file. A Data error names file and entry.
Result<ProposalScore> scoreProposals(const std::filesystem::path& results, const std::filesystem::path& annotations);

} // namespace trainyard
