#pragma once

#include "core/base/Error.h"
#include "core/interop/WeightList.h"

#include <cstdint>
#include <filesystem>
#include <string>

namespace trainyard {

enum class WeightFormat {
    TorchZip,    ///< torch.save since PyTorch 1.6
    TorchOld,    ///< torch.save before
    Safetensors, ///< of huggingface
    Detectron,   ///< a pickle of arrays by blob name
};
const char* formatName(WeightFormat format); ///< "PyTorch", "PyTorch before 1.6", "safetensors", "Detectron"

/// The weights that a file of others, or a checkpoint of ours, holds.
struct WeightFile {
    WeightFormat format = WeightFormat::TorchZip;
    WeightList weights;              ///< "module." of DataParallel taken off
    WeightList preserved;            ///< what our checkpoint carries for others (see ModelWeights.h)
    std::int64_t optimiserState = 0; ///< a Detectron file's momenta, which are left out
    std::string detectronConfig;     ///< the YAML inside a Detectron file; empty in a bare map of blobs
};

/// Reads the weights of any known kind of file, which is found by looking; a plain state_dict, or the one inside a
/// checkpoint ("model", "state_dict", "model_state_dict", also one in another), and of Detectron's files "blobs" or the
/// bare map. Nothing in it is run. A malformed, truncated or hostile file, and one without weights, is a Damaged error
/// that names it.
Result<WeightFile> readWeightFile(const std::filesystem::path& path);

/// Writes weights as the name ends: .safetensors, or .pth and .pt as a torch.save file that Python opens with
/// weights_only. Another ending is a Usage error. The file appears whole or not at all.
Result<void> writeWeightFile(const std::filesystem::path& path, const WeightList& weights);

} // namespace trainyard
