#pragma once

#include <optional>
#include <string>
#include <yaml-cpp/yaml.h>

namespace trainyard {

/// The root of the one document in `text`; null where it is empty. Throws a YAML::Exception with its place where the
/// text is no YAML, or goes on after the document (YAML::Load would overlook that, YAML::LoadAll may never end).
YAML::Node loadOneDocument(const std::string& text);

} // namespace trainyard
