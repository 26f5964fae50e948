#pragma once

#include "core/base/AtomicFile.h"
#include "core/base/Error.h"
#include "core/interop/TorchValue.h"

#include <filesystem>

namespace trainyard {

/// Writes `value` as torch.save does, so that Python's torch.load opens it with and without weights_only. Tensors are
/// stored contiguous, on the CPU; a view stores its own elements only. The caller commits the file.
Result<void> writeTorchFile(AtomicFile& file, const TorchValue& value);

/// Reads a torch.save file, of the zip layout (PyTorch 1.6 and later) or the older one, without running anything in it:
/// numbers, texts, lists, dicts, tensors and parameters; any other object is refused by name. Checks the CRC of every
/// record that a zip has. A malformed, truncated or hostile file is a Damaged error that names it.
Result<TorchValue> readTorchFile(const std::filesystem::path& path);

} // namespace trainyard
