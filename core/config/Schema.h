#pragma once

#include "core/base/Error.h"
#include "core/config/RunConfig.h"

#include <functional>
#include <map>
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

/// What is known of a key but for where its value lives. Immutable; any thread.
struct FieldRule {
    std::string key; ///< "solve.warm_up.iterations"
    FieldType type = FieldType::Text;
    std::string unit;                       ///< "iterations", "pixels"; empty where there is none
    std::string help;                       ///< one line, English, marked with TR_LATER
    std::optional<double> minimum, maximum; ///< of numbers (each element of a list)
    bool minimumExcluded = false;
    bool maximumExcluded = false;
    std::vector<std::string> choices; ///< of texts; empty is any
    Change change = Change::Never;
    FieldValue defaultValue;

    /// "solve" of "solve.warm_up.iterations".
    std::string group() const;
    /// What may stand here: "a whole number of at least 1", "one of sgd, adam, adadelta".
    std::string allowed() const;
    /// Nothing when `value` is allowed, else the sentence that says what is allowed ("Must be …, not …").
    std::optional<std::string> objection(const FieldValue& value) const;
};

/// One key of the configuration, declared once: the parser, the validator, `config describe`, the editor's form, its
/// search and tool tips, and the help's reference page all come from it. Immutable; any thread.
struct Field : FieldRule {
    std::function<FieldValue(const RunConfig&)> read;
    /// A whole number is also taken for a real one; any other type than the field's own is a bug and throws.
    std::function<void(RunConfig&, const FieldValue&)> write;
};

/// One key of an entry of `data.train` and `data.validation`: "format", "path", …
struct DatasetField : FieldRule {
    std::function<FieldValue(const DatasetConfig&)> read;
    std::function<void(DatasetConfig&, const FieldValue&)> write;
};

/// Every field there is, in reading order.
class Schema {
public:
    static const Schema& instance();

    const std::vector<Field>& fields() const { return m_fields; }
    const std::vector<DatasetField>& datasetFields() const { return m_datasetFields; }
    /// Every section, parents first: "model", "model.crnn", …
    const std::vector<std::string>& sections() const { return m_sections; }
    const Field* find(std::string_view key) const;
    /// The key most like `key` (edit distance), or empty when none is near.
    std::string nearest(std::string_view key) const;

private:
    Schema();
    std::vector<Field> m_fields;
    std::vector<DatasetField> m_datasetFields;
    std::vector<std::string> m_sections;
};

/// "cannot change on resume", "may change on resume", "may change while running".
const char* changeText(Change change);
const char* typeName(FieldType type); ///< "whole number", "list of texts"

/// A value as YAML writes it on one line: `0.01`, `[a, b]`, `true`. Reads back to the same value.
std::string toText(const FieldValue& value);

} // namespace trainyard
