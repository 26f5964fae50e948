#include "core/project/RunFolder.h"

#include <algorithm>
#include <charconv>

namespace trainyard {
namespace {

constexpr std::size_t kLongestName = 80; // bytes; file systems take 255

/// Length of the UTF-8 character that starts at `at`, 0 where there is none.
std::size_t characterLength(const std::string& text, std::size_t at) {
    const auto lead = static_cast<unsigned char>(text[at]);
    const std::size_t length = lead < 0x80                   ? 1
                               : lead >= 0xF0 && lead < 0xF5 ? 4
                               : lead >= 0xE0                ? 3
                               : lead >= 0xC2                ? 2
                                                             : 0;
    if (length == 0 || lead >= 0xF5 || at + length > text.size())
        return 0;
    for (std::size_t i = 1; i < length; ++i)
        if ((static_cast<unsigned char>(text[at + i]) & 0xC0) != 0x80)
            return 0;
    return length;
}

bool isPlain(char c) {
    static const std::string kAwkward = "/\\:*?\"<>|'`$&;!#%~";
    const auto code = static_cast<unsigned char>(c);
    return code > 0x20 && code != 0x7f && kAwkward.find(c) == std::string::npos;
}

} // namespace

std::string runFolderName(std::int64_t number, const std::string& name) {
    std::string safe;
    for (std::size_t i = 0; i < name.size();) {
        const std::size_t length = characterLength(name, i);
        const bool isKept = length > 1 || (length == 1 && isPlain(name[i]));
        if (safe.size() + std::max<std::size_t>(length, 1) > kLongestName)
            break;
        if (isKept)
            safe.append(name, i, length);
        else if (!safe.empty() && safe.back() != '-')
            safe += '-';
        i += std::max<std::size_t>(length, 1);
    }
    while (!safe.empty() && (safe.back() == '-' || safe.back() == '.'))
        safe.pop_back();
    return std::to_string(number) + "-" + (safe.empty() ? "run" : safe);
}

std::optional<std::int64_t> runNumber(const std::string& folderName) {
    std::int64_t number = 0;
    const auto [end, failed] = std::from_chars(folderName.data(), folderName.data() + folderName.size(), number);
    if (failed != std::errc() || number <= 0 || end == folderName.data() + folderName.size() || *end != '-')
        return std::nullopt;
    return number;
}

std::vector<std::string> runFolders(const std::filesystem::path& project) {
    std::vector<std::pair<std::int64_t, std::string>> found;
    std::error_code failed; // no folder "runs": no runs
    for (const auto& entry : std::filesystem::directory_iterator(project / "runs", failed)) {
        const std::string name = entry.path().filename().string();
        if (const auto number = runNumber(name); number && entry.is_directory(failed))
            found.emplace_back(*number, "runs/" + name);
    }
    std::sort(found.begin(), found.end());
    std::vector<std::string> folders;
    for (auto& [number, folder] : found)
        folders.push_back(std::move(folder));
    return folders;
}

std::vector<std::pair<std::string, std::int64_t>> checkpointFiles(const std::filesystem::path& runFolder) {
    static const std::string kStart = "iteration-", kEnd = ".pth";
    std::vector<std::pair<std::string, std::int64_t>> found;
    std::error_code failed; // no folder: no checkpoints
    for (const auto& entry : std::filesystem::directory_iterator(runFolder / runfile::kCheckpoints, failed)) {
        const std::string name = entry.path().filename().string();
        if (!name.starts_with(kStart) || !name.ends_with(kEnd) || !entry.is_regular_file(failed))
            continue;
        std::int64_t iteration = 0;
        const char* const last = name.data() + name.size() - kEnd.size();
        const auto [end, wrong] = std::from_chars(name.data() + kStart.size(), last, iteration);
        if (wrong == std::errc() && end == last)
            found.emplace_back(std::string(runfile::kCheckpoints) + "/" + name, iteration);
    }
    std::sort(found.begin(), found.end());
    return found;
}

std::vector<std::string> engineFiles(const std::filesystem::path& runFolder) {
    std::vector<std::string> found{runfile::kData};
    const auto add = [&](const std::string& folder, const std::string& start) {
        std::error_code failed; // no such folder: nothing in it
        for (const auto& entry : std::filesystem::directory_iterator(runFolder / folder, failed)) {
            const std::string name = entry.path().filename().string();
            if (name.starts_with(start))
                found.push_back((std::filesystem::path(folder) / name).string());
        }
    };
    add("", "non-finite-");
    for (const char* name : {"graph.txt", "init.txt", "json_stats.log", "trace-"})
        add("", name);
    add(runfile::kEvents, "events.out.tfevents.");
    add("", std::string(runfile::kSeries) + "."); // damaged ones that were kept
    add(runfile::kPictures, "iteration-");
    add(runfile::kEvaluations, "iteration-");
    return found;
}

bool isUnborn(const std::filesystem::path& runFolder) {
    std::error_code failed; // what cannot be looked at is not called unborn
    return !std::filesystem::exists(runFolder / runfile::kRun, failed) && !failed &&
           !std::filesystem::exists(runFolder / runfile::kHistory, failed) && !failed &&
           checkpointFiles(runFolder).empty();
}

bool isInside(const std::filesystem::path& path) {
    const auto plain = path.lexically_normal();
    return !plain.empty() && plain.is_relative() && *plain.begin() != ".." && plain != ".";
}

} // namespace trainyard
