#pragma once

#include "core/base/InputFile.h"
#include "core/interop/TorchValue.h"

#include <filesystem>

namespace trainyard {

/// Whether the file begins as pickles of protocol 2 to 5 do. Files of torch.save before PyTorch 1.6 do so too.
bool isPickleFile(const InputFile& file);

/// Reads a file that Python's pickle wrote, of protocol 2 or later: numbers, texts, lists, dicts, and arrays of NumPy
/// as tensors; nothing in it is run, and any other object is refused by name. Bytes come as text. A malformed,
/// truncated or hostile file is a Damaged error that names it.
Result<TorchValue> readPickleFile(const InputFile& file);
Result<TorchValue> readPickleFile(const std::filesystem::path& path);

} // namespace trainyard
