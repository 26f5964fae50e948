#pragma once

#include "core/base/InputFile.h"
#include "core/interop/TorchValue.h"

namespace trainyard {

/// Whether the file begins as torch.save wrote it before PyTorch 1.6.
bool isOldTorchFile(const InputFile& file);

/// Reads such a file under the same rules as one of the zip layout: pickles for what the file is, for the values and
/// for the order of the storages, then each storage's count and bytes. The layout has no checksum. Damaged errors name
/// the file; throws what LibTorch throws.
Result<TorchValue> readOldTorchFile(const InputFile& file);

} // namespace trainyard
