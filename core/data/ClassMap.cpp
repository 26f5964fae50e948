#include "core/data/ClassMap.h"

#include "core/base/Text.h"

#include <fmt/format.h>

#include <algorithm>

namespace trainyard {
namespace {

std::vector<std::string> namesOf(const std::vector<Category>& categories) {
    std::vector<std::string> names;
    for (const Category& category : categories)
        names.push_back(category.name);
    return names;
}

/// The model's name for a file's class; empty drops it.
std::string mappedName(const std::string& name, const std::map<std::string, std::string>& names) {
    if (const auto found = names.find(name); found != names.end())
        return found->second;
    if (const auto rest = names.find("*"); rest != names.end())
        return rest->second;
    return name;
}

} // namespace

Result<ClassMap> ClassMap::make(std::vector<Category> categories, const std::map<std::string, std::string>& names,
                                const std::string& where) {
    std::sort(categories.begin(), categories.end(), [](const Category& a, const Category& b) { return a.id < b.id; });
    std::vector<std::string> strangers;
    for (const auto& [name, target] : names)
        if (name != "*" &&
            std::none_of(categories.begin(), categories.end(), [&](const Category& c) { return c.name == name; }))
            strangers.push_back(name);
    if (!strangers.empty())
        return Error{ErrorKind::Data,
                     fmt::format("data.classes names {}, which the data does not have; its classes are {}.",
                                 text::joined(strangers, 50), text::joined(namesOf(categories), 100)),
                     where, "Correct the names in data.classes."};
    ClassMap map;
    for (const Category& category : categories) {
        const std::string name = mappedName(category.name, names);
        if (name.empty()) {
            map.m_labels[category.id] = std::nullopt;
            continue;
        }
        const auto found = std::find(map.m_classes.begin(), map.m_classes.end(), name);
        map.m_labels[category.id] = int(found - map.m_classes.begin());
        if (found == map.m_classes.end()) {
            map.m_classes.push_back(name);
            map.m_categoryIds.push_back(category.id);
        }
    }
    if (map.m_classes.empty())
        return Error{ErrorKind::Data, "No class is left to learn.", where, "Keep at least one class in data.classes."};
    return map;
}

std::optional<int> ClassMap::label(std::int64_t category) const {
    const auto found = m_labels.find(category);
    return found == m_labels.end() ? std::nullopt : found->second;
}

} // namespace trainyard
