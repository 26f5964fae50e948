#pragma once

#include "core/base/Error.h"
#include "core/config/RunConfig.h"
#include "core/config/Schema.h"

#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace trainyard {

/// One thing wrong with a configuration; `line` and `column` count from 1, 0 where there is no place (an override).
struct ConfigProblem {
    std::string file;
    int line = 0;
    int column = 0;
    std::string key;
    std::string message;          ///< sentence, with the nearest key or what is allowed
    std::string where() const;    ///< "file:line:column", "file" or nothing
    std::string sentence() const; ///< "file:line:column: message"
};

/// A parsed configuration with everything that is wrong with it; `config` holds what could be read.
struct ParsedConfig {
    /// Where a key was read: a line and column of a file, or the override that set it.
    struct Place {
        std::string file;
        int line = 0;
        int column = 0;
    };

    RunConfig config;
    std::vector<ConfigProblem> problems;
    std::map<std::string, Place> places; ///< by key, also "data.train.0.path"
    bool isGood() const { return problems.empty(); }
    /// All problems as one Usage error, a line each.
    Error error() const;
};

/// `text` is YAML; `name` stands for it in problems. Fields that it does not name keep `base`'s values.
ParsedConfig parseConfig(std::string_view text, const std::string& name, const RunConfig& base = {});

/// Every field against its own rule and against the others (steps rising, a known model, …), for a configuration that
/// did not come from a file.
std::vector<ConfigProblem> validate(const RunConfig& config);

/// Applies `key.path=value` overrides, typed by the schema, one after the other; `data.train[0].path=value` reaches one
/// entry of a list of datasets. What is wrong with them is added to `parsed.problems`.
void applyOverrides(ParsedConfig& parsed, const std::vector<std::string>& overrides);

/// `nameOrPath` is a file, or a preset's name ("crnn"). A name that is both is the file.
Result<ParsedConfig> loadConfig(const std::string& nameOrPath);

/// The presets' names and where they lie: $TRAINYARD_RESOURCES/presets, beside the program, or the source tree.
struct Preset {
    std::string name;
    std::string summary; ///< the first comment line of the file
    std::filesystem::path path;
};
std::vector<Preset> presets();
std::filesystem::path resourceFolder();

/// The whole configuration as YAML, sections in schema order; with `onlyChanged`, only what differs from the default.
std::string toYaml(const RunConfig& config, bool onlyChanged = false);

/// A key whose value differs.
struct ConfigDifference {
    const Field* field = nullptr;
    std::string before, after;
};
std::vector<ConfigDifference> differences(const RunConfig& before, const RunConfig& after);

} // namespace trainyard
