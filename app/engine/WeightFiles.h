#pragma once

#include "core/base/Error.h"
#include "core/config/RunConfig.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace trainyard {

/// A tensor of a file, without its values.
struct WeightEntry {
    std::string name, type; ///< "float32"
    std::vector<std::int64_t> shape;
    std::int64_t bytes = 0;
};

/// What is in a file of weights and, where it was compared with a model, what came of it (see WeightReport).
struct WeightSummary {
    std::string format; ///< "PyTorch", "safetensors", "Detectron", …
    std::vector<WeightEntry> entries;
    std::int64_t optimiserTensors = 0, preservedTensors = 0;
    bool hasConfiguration = false; ///< Detectron's
    std::int64_t written = 0;      ///< by convertWeights

    bool isCompared = false;
    std::vector<std::string> matched, derived, missing, startedAnew, unexpected, remarks;
    std::vector<std::pair<std::string, std::string>> renamed; ///< ours, the file's
};

/// Looks into a file, or what an https address names; with a configuration, compares it with its model. Nothing in the
/// file is run.
Result<WeightSummary> inspectWeights(const std::string& source, const RunConfig* config = nullptr);

/// Writes the weights of `source` as `target` ends (.pth, .pt, .safetensors), under their own names; with a
/// configuration, under the model's, and only what has a place in it.
Result<WeightSummary> convertWeights(const std::string& source, const std::filesystem::path& target,
                                     const RunConfig* config = nullptr);

} // namespace trainyard
