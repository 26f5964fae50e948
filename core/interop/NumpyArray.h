#pragma once

#include "core/interop/PickleItem.h"

#include <string>

namespace trainyard::pickle {

// NumPy's arrays, element types and numbers as pickles describe them. Each throws a Failure where a description is
// malformed, does not agree with its bytes, or is of what no tensor can be (texts, objects, records).

/// ("f4", 0, 1)
Dtype dtypeOf(const Container& arguments);
/// (3, "<", …)
void setByteOrder(Dtype& type, const Container& state);

/// (1, shape, type, in Fortran's order, bytes), with or without the number in front. Unsigned numbers of 16 and 32
/// bits become signed ones of twice the bits, as no tensor has them.
at::Tensor arrayOfState(const Container& state);
/// (bytes, type, shape, "C" or "F")
at::Tensor arrayOfBuffer(const Container& arguments);
/// (type, bytes): a bool, an integer or a real number.
Item scalarOf(const Container& arguments);

/// (text, "latin1"): each character is a byte.
std::string encodedBytes(const Container& arguments);

} // namespace trainyard::pickle
