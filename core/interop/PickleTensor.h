#pragma once

#include "core/interop/PickleItem.h"

namespace trainyard::pickle {

/// The tensor that (storage, offset, sizes, strides, …) describes, a view of its storage. Throws a Failure where it
/// reaches beyond the storage or repeats elements into more than the storage has.
at::Tensor rebuiltTensor(const Container& arguments);

/// Makes every byte of a boolean storage that came from a file 0 or 1: any other would be undefined as a bool.
void makeBoolsSound(const at::Tensor& elements);

} // namespace trainyard::pickle
