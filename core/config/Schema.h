#pragma once

#include "core/base/Error.h"
#include "core/config/RunConfig.h"

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace trainyard {

/// When a key may change.
enum class Change {
    Never,    ///< part of what the run is: a new value needs a fine-tune
    OnResume, ///< applies from the next resume on
    Live,     ///< also while the run is running
};

enum class FieldType { Boolean, Integer, Real, Text, IntegerList, RealList, TextList, TextMap, Datasets };

/// A field's value as plain data, typed by the field.
using FieldValue =
    std::variant<bool, std::int64_t, double, std::string, std::vector<std::int64_t>, std::vector<double>,
                 std::vector<std::string>, std::map<std::string, std::string>, std::vector<DatasetConfig>>;

/// One key of the configuration, declared once: the parser, the validator, `config describe`, the editor's form, its
/// search and tool tips, and the help's reference page all come from it. Immutable; any thread.
struct Field {
    std::string key; ///< "solve.warm_up.iterations"
    FieldType type = FieldType::Text;
    std::string unit; ///< "iterations", "pixels"; empty where there is none
    std::string help; ///< one line, English, marked with TR_LATER
    std::optional<double> minimum, maximum; ///< of numbers (each element of a list)
    bool minimumExcluded = false;
    std::vector<std::string> choices; ///< of texts; empty is any
    Change change = Change::Never;
    FieldValue defaultValue;
    std::function<FieldValue(const RunConfig&)> read;
    std::function<void(RunConfig&, const FieldValue&)> write;

    /// "solve" of "solve.warm_up.iterations".
    std::string group() const;
    /// Nothing when `value` is allowed, else the sentence that says what is allowed.
    std::optional<std::string> objection(const FieldValue& value) const;
};

/// Every field there is, in reading order.
class Schema {
public:
    static const Schema& instance();

    const std::vector<Field>& fields() const { return m_fields; }
    const Field* find(std::string_view key) const;
    /// The key most like `key` (edit distance), or empty when none is near.
    std::string nearest(std::string_view key) const;

private:
    Schema();
    std::vector<Field> m_fields;
};

/// A value as YAML writes it on one line: `0.01`, `[a, b]`, `true`. Reads back to the same value.
std::string toText(const FieldValue& value);

} // namespace trainyard
