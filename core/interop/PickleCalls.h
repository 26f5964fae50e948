#pragma once

#include "core/interop/PickleStack.h"

#include <string>

namespace trainyard::pickle {

// What comes of the two opcodes by which a pickle would have Python call something. Nothing is called: each name that
// is known stands for a value, which is made here. Both throw a Failure for all others.

/// Pushes what `name` ("module name") makes of `arguments`.
void pushCalled(Stack& stack, const std::string& name, const Container& arguments);

/// Completes `target` by its `state`: an array by its values, an element type by its byte order. The attributes of a
/// dict (a state_dict carries versions) are let go.
void build(const Item& target, const Item& state);

} // namespace trainyard::pickle
