#pragma once

#include "core/interop/PickleItem.h"
#include "core/interop/TorchValue.h"

namespace trainyard::pickle {

/// `item` as a plain value. Throws a Failure for what has none (a class, a storage by itself), and when values nested
/// in each other or shared a thousand times would expand to more than any checkpoint holds.
TorchValue plainValue(const Item& item);

} // namespace trainyard::pickle
