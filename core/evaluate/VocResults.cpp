#include "core/evaluate/VocResults.h"

#include "core/base/InputFile.h"
#include "core/base/Text.h"

#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <optional>

namespace trainyard {
namespace {

namespace fs = std::filesystem;

/// The part of a file's name before its class ("comp4_det_test_", or nothing); nothing where it does not end in `name`.
std::optional<std::string> prefixOf(const fs::path& file, const std::string& name) {
    const std::string stem = file.stem().string();
    if (file.extension() != ".txt" || !stem.ends_with(name))
        return {};
    const std::string prefix = stem.substr(0, stem.size() - name.size());
    return prefix.empty() || prefix.ends_with('_') ? std::optional(prefix) : std::nullopt;
}

/// What the names in one family of files begin with; of several readings that with the longest class name.
std::optional<std::string> prefixOf(const fs::path& file, const std::vector<std::string>& classes) {
    std::optional<std::string> shortest;
    for (const std::string& name : classes)
        if (const auto prefix = prefixOf(file, name); prefix && (!shortest || prefix->size() < shortest->size()))
            shortest = prefix;
    return shortest;
}

Error noFile(const fs::path& given, const std::vector<std::string>& classes) {
    return {ErrorKind::Data, "There are no results of a class that the data has.", given.string(),
            fmt::format("VOC results are files like comp4_det_test_{}.txt; the classes are {}.",
                        classes.empty() ? "CLASS" : classes.front(), text::joined(classes))};
}

/// The prefix that all files of a folder share.
Result<std::string> prefixIn(const fs::path& folder, const std::vector<std::string>& classes) {
    std::optional<std::string> found;
    std::error_code failed;
    for (const auto& entry : fs::directory_iterator(folder, failed)) {
        const auto prefix = prefixOf(entry.path(), classes);
        if (prefix && found && *prefix != *found)
            return Error{ErrorKind::Data,
                         fmt::format("The folder has results of several kinds: \"{}…\" and \"{}…\".", *found, *prefix),
                         folder.string(), "Name one of the files: those that begin alike are taken with it."};
        found = prefix ? prefix : found;
    }
    if (!found)
        return noFile(folder, classes);
    return *found;
}

/// Five numbers at the end of a line; the rest before them is the image.
std::optional<std::pair<std::string, std::array<double, 5>>> readLine(std::string_view line) {
    std::array<double, 5> numbers{};
    for (std::size_t i = numbers.size(); i-- > 0;) {
        line = text::trimmed(line);
        const std::size_t blank = line.find_last_of(" \t");
        if (blank == std::string_view::npos)
            return {};
        const auto field = line.substr(blank + 1);
        const auto [end, error] = std::from_chars(field.data(), field.data() + field.size(), numbers[i]);
        if (error != std::errc() || end != field.data() + field.size() || !std::isfinite(numbers[i]))
            return {};
        line = line.substr(0, blank);
    }
    line = text::trimmed(line);
    return line.empty() ? std::nullopt : std::optional(std::pair(std::string(line), numbers));
}

Result<void> readClass(const fs::path& file, int label, VocResults& results) {
    const auto text = readFile(file);
    if (!text)
        return text.error();
    std::size_t number = 0;
    for (const auto line : text::lines(*text)) {
        ++number;
        if (text::trimmed(line).empty())
            continue;
        const auto read = readLine(line);
        if (!read)
            return Error{ErrorKind::Data, "The line is not \"image score xmin ymin xmax ymax\".",
                         fmt::format("{}:{}", file.string(), number), "Write a line a detection, with five numbers."};
        const auto& [score, xmin, ymin, xmax, ymax] = read->second;
        Detection found;
        found.label = label;
        found.score = float(score);
        found.box = {float(xmin - 1), float(ymin - 1), float(xmax), float(ymax)};
        results[read->first].push_back(found);
    }
    return {};
}

} // namespace

Result<VocResults> readVocResults(const fs::path& given, const std::vector<std::string>& classes) {
    std::error_code ignored; // what cannot be looked at is no folder, and fails where it is read
    const bool isFolder = fs::is_directory(given, ignored);
    if (!isFolder)
        if (const auto file = InputFile::open(given); !file) // before its name is looked at
            return file.error();
    const auto named = isFolder ? std::nullopt : prefixOf(given, classes);
    const auto prefix = isFolder ? prefixIn(given, classes)
                        : named  ? Result<std::string>(*named)
                                 : Result<std::string>(noFile(given, classes));
    if (!prefix)
        return prefix.error();
    VocResults results;
    for (std::size_t label = 0; label < classes.size(); ++label) {
        const fs::path file = (isFolder ? given : given.parent_path()) / (*prefix + classes[label] + ".txt");
        if (!fs::exists(file, ignored))
            continue;
        if (auto read = readClass(file, int(label), results); !read)
            return read.error();
    }
    return results;
}

} // namespace trainyard
