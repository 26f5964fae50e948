#include "core/interop/PickleCalls.h"

#include "core/interop/NumpyArray.h"
#include "core/interop/PickleNames.h"
#include "core/interop/PickleTensor.h"

namespace trainyard::pickle {
namespace {

/// OrderedDict([(key, value), …])
void pushDict(Stack& stack, const Container& arguments) {
    std::vector<Item> items;
    if (!arguments.items.empty())
        for (const Item& pair : containerOf(arguments.items.front()).items) {
            if (containerOf(pair).items.size() != 2)
                throw Failure{"The pickle holds a key without a value."};
            items.push_back(containerOf(pair).items[0]);
            items.push_back(containerOf(pair).items[1]);
        }
    stack.pushContainer(Kind::Dict, std::move(items));
}

[[noreturn]] void refuse(const std::string& name) {
    throw Failure{"The file holds a Python object of the class \"" + name +
                  "\", which is not read because that would run code."};
}

} // namespace

void pushCalled(Stack& stack, const std::string& name, const Container& arguments) {
    const std::vector<Item>& given = arguments.items;
    switch (meaningOf(name)) {
    case Meaning::Tensor:
        return stack.push(rebuiltTensor(arguments));
    case Meaning::Parameter:
        if (given.empty() || !std::holds_alternative<at::Tensor>(given.front()))
            refuse(name);
        return stack.push(Item(given.front()));
    case Meaning::Dict:
        return pushDict(stack, arguments);
    case Meaning::Wrapper:
        if (given.empty())
            refuse(name);
        return stack.push(Item(given.front()));
    case Meaning::Array: {
        const auto* type = given.empty() ? nullptr : std::get_if<Global>(&given.front());
        if (!type || *type->name != "numpy ndarray")
            refuse(type ? *type->name : name);
        stack.pushArray();
        return;
    }
    case Meaning::Buffer:
        stack.pushArray().values = arrayOfBuffer(arguments);
        return;
    case Meaning::Dtype:
        return stack.pushDtype(dtypeOf(arguments));
    case Meaning::Scalar:
        return stack.push(scalarOf(arguments));
    case Meaning::Encoding:
        return stack.pushBytes(encodedBytes(arguments));
    case Meaning::Bytes:
        if (!given.empty())
            refuse(name);
        return stack.pushBytes({});
    case Meaning::None:
        break;
    }
    refuse(name);
}

void build(const Item& target, const Item& state) {
    if (const auto* array = std::get_if<Array*>(&target)) {
        (*array)->values = arrayOfState(containerOf(state));
    } else if (const auto* type = std::get_if<Dtype*>(&target)) {
        setByteOrder(**type, containerOf(state));
    } else {
        const auto* container = std::get_if<Container*>(&target);
        if (!container || (*container)->kind != Kind::Dict)
            throw Failure{"The pickle adds to something that is no container."};
    }
}

} // namespace trainyard::pickle
