#pragma once

#include "core/config/ConfigFile.h"

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <yaml-cpp/yaml.h>

namespace trainyard {

/// Told of everything wrong: where (counted from 0, or null), under which key, and the sentence.
using Complain = std::function<void(const YAML::Mark& mark, const std::string& key, const std::string& message)>;
/// Told where each key of an entry was read.
using Found = std::function<void(const YAML::Mark& mark, const std::string& key)>;

/// The one document in `text`; nothing, and a complaint, where it is no text, no YAML, empty, huge or several.
std::optional<YAML::Node> loadYaml(std::string_view text, const Complain& complain);

/// `node` as a value of `rule`'s type and within its bounds; nothing, and complaints, where it is not.
std::optional<FieldValue> readValue(const YAML::Node& node, const FieldRule& rule, const Complain& complain,
                                    const Found& found);

/// The sentence about a key `name` that `section` ("" is the top) does not have.
std::string unknownKeySentence(const std::string& section, const std::string& name);
/// The sentence about a key `name` that an entry of `data.train` does not have.
std::string unknownDatasetKeySentence(const std::string& name);

} // namespace trainyard
