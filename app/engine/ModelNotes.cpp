#include "app/engine/ModelNotes.h"

#include <nlohmann/json.hpp>

namespace trainyard {

std::map<std::string, std::string> notesOf(const std::vector<std::string>& classes) {
    if (classes.empty())
        return {};
    return {{"classes", nlohmann::json(classes).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace)}};
}

std::vector<std::string> classesOf(const std::map<std::string, std::string>& text) {
    const auto found = text.find("classes");
    if (found == text.end())
        return {};
    const auto json = nlohmann::json::parse(found->second, nullptr, false);
    std::vector<std::string> classes;
    for (const auto& name : json)
        if (name.is_string())
            classes.push_back(name);
    return classes;
}

} // namespace trainyard
