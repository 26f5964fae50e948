#pragma once

#include "core/base/Error.h"
#include "core/solve/Parameter.h"

#include <filesystem>
#include <map>
#include <string>

namespace trainyard {

/// Everything a run needs to go on as if it had never stopped. `text` holds small values as strings (iteration, seed,
/// best metric, learning-rate changes, LibTorch version, resolved configuration).
struct TrainingState {
    NamedTensors model; ///< parameters and buffers by their names
    NamedTensors optimizer;
    NamedTensors average; ///< the moving averages of the weights, by the parameters' names; empty where none are kept
    NamedTensors random;  ///< generator states, one a rank
    std::map<std::string, std::string> text;
    std::int64_t iteration = 0;
};

/// Writes an ordinary torch.save file (a dict that `torch.load(weights_only=True)` opens), through an AtomicFile, reads
/// it back and compares. Returns its size in bytes. Any thread.
Result<std::int64_t> writeCheckpoint(const std::filesystem::path& path, const TrainingState& state);

/// Reads one without running anything in it; a malformed file is a Damaged error that names it.
Result<TrainingState> readCheckpoint(const std::filesystem::path& path);

/// "iteration-00000020.pth"
std::string checkpointFileName(std::int64_t iteration);

} // namespace trainyard
