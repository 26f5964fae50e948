#pragma once

#include "core/base/AtomicFile.h"
#include "core/base/InputFile.h"
#include "core/interop/WeightList.h"

namespace trainyard {

/// Whether the file begins as a safetensors file does.
bool isSafetensorsFile(const InputFile& file);

/// Reads one: a JSON head that says where each tensor lies, and their bytes. Nothing in it can run. A head that does
/// not agree with the file (overlaps, holes, wrong sizes, unknown types) is a Damaged error that names it.
/// Source: the format's description in huggingface/safetensors.
Result<WeightList> readSafetensorsFile(const InputFile& file);

/// Writes one, tensors contiguous and in the order of `weights`. The caller commits the file.
Result<void> writeSafetensorsFile(AtomicFile& file, const WeightList& weights);

} // namespace trainyard
