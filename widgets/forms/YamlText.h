#pragma once

#include "core/config/ConfigFile.h"

#include <string>

/// Changes of single keys in the text of a configuration. Plain functions; any thread.
namespace trainyard::yaml {

/// `text` with `key` set to `value` (one line of YAML, or lines that begin with "- " for a list in block form).
/// Comments, order and all other lines stay; a key that is not there yet is put at the end of its section, which is
/// made if need be. Where the text's layout does not allow that, the configuration is written anew without comments.
std::string withKey(const std::string& text, const std::string& key, const std::string& value);

/// `text` without `key`, so that its default holds; sections that become empty go too.
std::string withoutKey(const std::string& text, const std::string& key);

/// How a value is written below its key: lists of datasets an entry a line, all else on the key's line.
std::string valueText(const FieldValue& value);

} // namespace trainyard::yaml
