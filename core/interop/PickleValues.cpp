#include "core/interop/PickleValues.h"

#include "core/interop/PickleNames.h"

#include <unordered_map>

namespace trainyard::pickle {
namespace {

constexpr int kMaxDepth = 64;
constexpr std::size_t kMaxConverted = 256u << 20; ///< bytes of plain values a file may expand to

class Conversion {
public:
    TorchValue convert(const Item& item, int depth) {
        if (depth > kMaxDepth)
            throw Failure{"The pickle is nested too deeply."};
        charge(sizeof(TorchValue));
        if (const auto* flag = std::get_if<bool>(&item))
            return TorchValue(TorchValue::Content(*flag));
        if (const auto* integer = std::get_if<std::int64_t>(&item))
            return TorchValue(*integer);
        if (const auto* real = std::get_if<double>(&item))
            return TorchValue(*real);
        if (const auto* tensor = std::get_if<at::Tensor>(&item))
            return TorchValue(*tensor);
        if (const auto* text = std::get_if<Text>(&item)) {
            charge(text->size());
            return TorchValue(std::string(*text));
        }
        if (const auto* array = std::get_if<Array*>(&item)) {
            if (!(*array)->values.defined())
                throw Failure{"The file holds an array without its values."};
            return TorchValue((*array)->values);
        }
        if (std::holds_alternative<Dtype*>(item))
            throw Failure{"The file holds a type of NumPy's as a value, which is not read."};
        if (const auto* global = std::get_if<Global>(&item)) {
            if (isDtype(*global->name))
                return TorchValue("torch." + global->name->substr(sizeof "torch " - 1));
            throw Failure{"The file refers to the Python name \"" + *global->name + "\", which is not read."};
        }
        if (std::holds_alternative<std::monostate>(item))
            return {};
        const Container& source = containerOf(item); // a storage on its own has no meaning here and fails
        if (source.kind == Kind::Dict)
            return convertDict(source, depth);
        TorchValue::List items;
        for (const Item& entry : source.items)
            items.push_back(convert(entry, depth + 1));
        return TorchValue(std::move(items));
    }

    TorchValue convertDict(const Container& dict, int depth) {
        TorchValue::Dict entries;
        std::unordered_map<std::string, std::size_t> places;
        for (std::size_t i = 0; i + 1 < dict.items.size(); i += 2) {
            const auto* number = std::get_if<std::int64_t>(&dict.items[i]);
            const std::string key = number ? std::to_string(*number) : std::string(textOf(dict.items[i]));
            charge(key.size());
            TorchValue value = convert(dict.items[i + 1], depth + 1);
            const auto [place, isNew] = places.emplace(key, entries.size());
            if (isNew)
                entries.emplace_back(key, std::move(value));
            else
                entries[place->second].second = std::move(value); // Python's rule: the last one counts
        }
        return TorchValue(std::move(entries));
    }

private:
    void charge(std::size_t cost) {
        m_charged += cost;
        if (m_charged > kMaxConverted)
            throw Failure{"The file expands to more values than any checkpoint holds."};
    }

    std::size_t m_charged = 0;
};

} // namespace

TorchValue plainValue(const Item& item) {
    return Conversion().convert(item, 0);
}

} // namespace trainyard::pickle
