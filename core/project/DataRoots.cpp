#include "core/project/DataRoots.h"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>

namespace trainyard {
namespace {

bool isNameCharacter(unsigned char c) {
    return std::isalnum(c) || c == '-' || c == '_' || c == '.' || c >= 0x80; // letters of any script
}

bool isName(std::string_view name) {
    return !name.empty() && std::all_of(name.begin(), name.end(), isNameCharacter);
}

} // namespace

std::optional<std::string> DataRoots::nameIn(std::string_view path) {
    if (!path.starts_with("${"))
        return std::nullopt;
    const std::size_t end = path.find('}');
    if (end == std::string_view::npos || (end + 1 < path.size() && path[end + 1] != '/'))
        return std::nullopt;
    const std::string_view name = path.substr(2, end - 2);
    return isName(name) ? std::optional(std::string(name)) : std::nullopt;
}

std::set<std::string> DataRoots::namesIn(std::string_view yaml) {
    std::set<std::string> names;
    for (std::size_t at = yaml.find("${"); at != std::string_view::npos; at = yaml.find("${", at + 2)) {
        const bool isStart = at == 0 || std::string_view(" \"':,[{").find(yaml[at - 1]) != std::string_view::npos;
        const std::size_t end = yaml.find('}', at);
        if (isStart && end != std::string_view::npos)
            if (auto name = nameIn(yaml.substr(at, end + 1 - at)))
                names.insert(*name);
    }
    return names;
}

std::optional<Error> DataRoots::objection(const std::string& name) {
    if (isName(name))
        return std::nullopt;
    return Error{ErrorKind::Usage, "A root's name is made of letters, digits, dots, dashes and underscores.", name,
                 "Choose another name."};
}

std::string DataRoots::command(const std::string& name) {
    return fmt::format("trainyard project roots set {} FOLDER", name);
}

Result<std::string> DataRoots::resolved(const std::string& path) const {
    const auto name = nameIn(path);
    if (!name)
        return path;
    const auto root =
        std::find_if(m_roots.begin(), m_roots.end(), [&](const DataRoot& one) { return one.name == *name; });
    if (root == m_roots.end())
        return Error{ErrorKind::Usage, fmt::format("The project has no data root \"{}\".", *name), path,
                     fmt::format("Say where it lies: {}.", command(*name))};
    const std::string rest = path.substr(name->size() + 3); // "${" and "}"
    return rest.size() <= 1 ? root->folder : (std::filesystem::path(root->folder) / rest.substr(1)).string();
}

std::string DataRoots::named(const std::string& path) const {
    const DataRoot* deepest = nullptr;
    for (const DataRoot& root : m_roots) {
        const bool isIn =
            path == root.folder || path.starts_with(root.folder.ends_with('/') ? root.folder : root.folder + "/");
        if (isIn && (!deepest || root.folder.size() > deepest->folder.size()))
            deepest = &root;
    }
    if (!deepest)
        return path;
    std::string rest = path.substr(deepest->folder.size());
    if (!rest.empty() && !rest.starts_with('/'))
        rest = "/" + rest; // below the root folder "/"
    return "${" + deepest->name + "}" + (rest == "/" ? "" : rest);
}

} // namespace trainyard
