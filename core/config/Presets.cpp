#include "core/base/InputFile.h"
#include "core/base/Text.h"
#include "core/config/ConfigFile.h"
#include "core/config/Nearest.h"

#include <algorithm>
#include <cstdlib>
#include <fmt/format.h>

namespace trainyard {
namespace {

namespace fs = std::filesystem;

bool isFolder(const fs::path& path) {
    std::error_code ignored; // what cannot be looked at is no folder of ours
    return fs::is_directory(path, ignored);
}

/// At most a little more than a configuration may hold.
Result<std::string> readText(const fs::path& path) {
    constexpr std::size_t kMost = (std::size_t(1) << 20) + 1;
    const auto file = InputFile::open(path, ErrorKind::Usage);
    if (!file)
        return file.error();
    return file->readAll(kMost);
}

Result<ParsedConfig> parseFile(const fs::path& path) {
    auto text = readText(path);
    if (!text)
        return text.error();
    return parseConfig(*text, path.string());
}

/// "Small CRNN…" of "# Small CRNN…", the first line that is a comment.
std::string summaryOf(const fs::path& path) {
    const std::string text = readText(path).value_or("");
    for (const std::string_view line : text::lines(text))
        if (const auto start = line.find_first_not_of("# "); line.starts_with('#') && start != std::string::npos)
            return std::string(line.substr(start));
    return {};
}

Error unknownName(const std::string& name) {
    std::vector<std::string> names;
    for (const auto& preset : presets())
        names.push_back(preset.name);
    const auto near = nearestOf(name, names);
    return Error{ErrorKind::Usage, "There is no such file, and no preset of this name.", name,
                 (near.empty() ? "" : "The nearest preset is " + near + ". ") + "Presets: " +
                     (names.empty() ? "none found in " + (resourceFolder() / "presets").string()
                                    : fmt::format("{}", fmt::join(names, ", "))) +
                     "."};
}

} // namespace

std::filesystem::path resourceFolder() {
    if (const char* named = std::getenv("TRAINYARD_RESOURCES"); named && *named)
        return named;
    std::error_code none; // without /proc the source tree remains
    const auto program = fs::read_symlink("/proc/self/exe", none).parent_path();
    for (const char* relative : {"../share/trainyard", "../../resources", "../../../resources"})
        if (const auto folder = (program / relative).lexically_normal();
            !program.empty() && isFolder(folder / "presets"))
            return folder;
    return fs::path(TRAINYARD_RESOURCE_DIR).lexically_normal(); // of the source tree
}

std::vector<Preset> presets() {
    std::vector<Preset> found;
    std::error_code missing; // a folder that is not there holds no presets
    for (const auto& entry : fs::directory_iterator(resourceFolder() / "presets", missing))
        if (entry.path().extension() == ".yaml")
            found.push_back({entry.path().stem().string(), summaryOf(entry.path()), entry.path()});
    std::sort(found.begin(), found.end(), [](const Preset& a, const Preset& b) { return a.name < b.name; });
    return found;
}

Result<ParsedConfig> loadConfig(const std::string& nameOrPath) {
    std::error_code missing; // then it may be a preset
    if (fs::exists(nameOrPath, missing) && !isFolder(nameOrPath))
        return parseFile(nameOrPath);
    for (const auto& preset : presets())
        if (preset.name == nameOrPath)
            return parseFile(preset.path);
    if (isFolder(nameOrPath))
        return Error{ErrorKind::Usage, "This is a folder, not a configuration.", nameOrPath,
                     "Name the YAML file in it."};
    return unknownName(nameOrPath);
}

} // namespace trainyard
