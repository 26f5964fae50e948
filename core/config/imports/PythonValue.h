#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

namespace trainyard {

/// A value as Python has it, for configurations whose types are Python's.
struct PythonValue {
    struct Tuple {
        std::vector<PythonValue> items;
    };
    struct List {
        std::vector<PythonValue> items;
    };
    struct Dict {
        std::vector<std::pair<PythonValue, PythonValue>> entries;
    };
    std::variant<std::monostate, bool, std::int64_t, double, std::string, Tuple, List, Dict> content;

    const char* typeName() const; ///< "None", "bool", "int", "float", "str", "tuple", "list", "dict"
    std::string text() const;     ///< as Python's repr writes it

    template <class T>
    bool is() const {
        return std::holds_alternative<T>(content);
    }
    /// The items of a tuple or a list; null of anything else.
    const std::vector<PythonValue>* items() const;
    /// A bool is no number here.
    std::optional<double> number() const;
};

/// The literal (number, text, tuple, list, dict, True, False, None) that `text` is, as ast.literal_eval takes it;
/// nothing where it is none. No expressions, no names; nested at most 50 deep.
std::optional<PythonValue> pythonLiteral(std::string_view text);

} // namespace trainyard
