#pragma once

#include "core/data/Proposals.h"

#include <filesystem>

namespace trainyard {

/// Reads a file of proposals of either kind: JSON as COCO's results, or Detectron's pickle, whose last pixels belong to
/// their boxes. Best first, as `readProposals` has them.
Result<Proposals> readProposalFile(const std::filesystem::path& file);

} // namespace trainyard
