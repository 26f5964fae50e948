#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace trainyard {

/// What a torch.save file holds, as plain values: None, bool, int, float, str, tensor, list (tuples and sets of Python
/// too) and dict. Dicts keep their order; their keys are text (Python's integer keys become "0", "1", …).
class TorchValue {
public:
    using List = std::vector<TorchValue>;
    using Dict = std::vector<std::pair<std::string, TorchValue>>;
    using Content = std::variant<std::monostate, bool, std::int64_t, double, std::string, at::Tensor, List, Dict>;

    TorchValue() = default;
    TorchValue(Content content) : m_content(std::move(content)) {}

    const Content& content() const { return m_content; }
    const at::Tensor* tensor() const { return std::get_if<at::Tensor>(&m_content); }
    const std::string* text() const { return std::get_if<std::string>(&m_content); }
    const std::int64_t* integer() const { return std::get_if<std::int64_t>(&m_content); }
    const List* list() const { return std::get_if<List>(&m_content); }
    const Dict* dict() const { return std::get_if<Dict>(&m_content); }

    /// The value of `key`; null when this is no dict or has no such key.
    const TorchValue* find(std::string_view key) const {
        if (const Dict* entries = dict())
            for (const auto& [name, value] : *entries)
                if (name == key)
                    return &value;
        return nullptr;
    }

private:
    Content m_content;
};

} // namespace trainyard
