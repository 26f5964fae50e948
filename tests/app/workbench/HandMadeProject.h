#pragma once

#include "core/project/Project.h"

#include <filesystem>

namespace trainyard::testing {

/// Writes a project as an engine would have left it: "crnn-words" finished, with evaluations, checkpoints and a resume
/// from an older checkpoint; "retinanet-cells" lost by its program; "crnn-wide" stopped, with a non-finite loss on the
/// way. Every number is a function of the iteration alone.
struct HandMadeRuns {
    std::int64_t finished = 0, lost = 0, stopped = 0;
};
HandMadeRuns makeProject(const std::filesystem::path& folder, std::int64_t iterations = 3000);

} // namespace trainyard::testing
