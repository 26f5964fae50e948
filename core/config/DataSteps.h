#pragma once

#include "core/base/Error.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace trainyard {

/// One option of a preprocessing step.
struct DataStepOption {
    enum class Kind { Number, Choice, Numbers, Text };
    std::string name;
    Kind kind = Kind::Number;
    std::string standard;       ///< its value where none is given
    double least = 0, most = 0; ///< of numbers
    std::vector<std::string> choices = {};
};

/// A preprocessing step of `data.steps` as it is declared.
struct DataStepRule {
    std::string name;
    std::vector<DataStepOption> options;
};

/// Every step there is.
const std::vector<DataStepRule>& dataStepRules();

/// A step as it was asked for: "random_adjust_contrast min_delta=0.8 max_delta=1.25", every option with a value.
struct DataStep {
    std::string name;
    std::map<std::string, std::string> options;

    double number(const std::string& option) const;
    std::vector<double> numbers(const std::string& option) const;
    const std::string& text(const std::string& option) const { return options.at(option); }
    bool isSet(const std::string& flag) const { return options.at(flag) == "true"; }
};

/// The step that `text` names; a Usage error for a step or an option that there is not, and for a value out of range.
Result<DataStep> parseDataStep(std::string_view text);
/// All of them, in order; the first error.
Result<std::vector<DataStep>> parseDataSteps(const std::vector<std::string>& texts);

/// What `string_filtering` makes of a text: its ASCII letters small where that is asked for, then only characters of
/// its set ("lowercase", "allcases", "allcases_symbols", or the characters themselves; empty keeps all).
std::string filteredText(const DataStep& step, std::string_view text);

/// ASTER's sets of characters: "lowercase" (digits and small letters), "allcases" (capitals too), "allcases_symbols"
/// (and the 32 marks of ASCII). Empty for any other name.
std::string builtInCharacterSet(std::string_view name);

} // namespace trainyard
