#pragma once

#include <map>
#include <string>
#include <vector>

namespace trainyard {

// What a model must know about its data beside its configuration, as text inside its checkpoints: a checkpoint that was
// copied elsewhere still knows its classes.

std::map<std::string, std::string> notesOf(const std::vector<std::string>& classes);
/// Empty where the text has none.
std::vector<std::string> classesOf(const std::map<std::string, std::string>& text);

} // namespace trainyard
