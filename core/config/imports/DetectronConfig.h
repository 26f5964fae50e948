#pragma once

#include "core/config/ConfigFile.h"
#include "core/config/imports/DetectronKeys.h"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace trainyard::detectron {

/// A Detectron configuration after defaults, file and pairs of the command line, each checked by Detectron's rules (but
/// a whole number is taken for a real one, which Detectron refuses).
struct Config {
    Values values;                              ///< of every key
    std::map<std::string, ConfigProblem> given; ///< keys that file or pairs set, where; `message` is the value
    std::vector<ConfigProblem> warnings;        ///< deprecated keys, passed over
    std::vector<ConfigProblem> problems;        ///< everything that is wrong, in order

    const PythonValue& at(const std::string& key) const { return values.at(key); }
    std::int64_t integer(const std::string& key) const;
    double real(const std::string& key) const; ///< of a whole number too
    bool flag(const std::string& key) const;
    const std::string& text(const std::string& key) const;
    std::vector<double> numbers(const std::string& key) const; ///< of a tuple or list, flattened
    std::vector<std::string> texts(const std::string& key) const;
    bool isGiven(const std::string& key) const { return given.contains(key); }
};

/// `yaml` is the file's text and `name` stands for it in problems; `pairs` are KEY VALUE KEY VALUE … of the command
/// line, values as Python literals. Never throws.
Config read(std::string_view yaml, const std::string& name, const std::vector<std::string>& pairs = {});

} // namespace trainyard::detectron
