#include "core/data/WordOutlines.h"

#include "core/base/InputFile.h"
#include "core/base/Text.h"
#include "core/data/LabelFile.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <functional>

namespace trainyard {
namespace {

namespace fs = std::filesystem;

constexpr std::array<std::string_view, 11> kScripts{"Latin",  "Arabic",  "Bangla", "Chinese", "Hindi",     "Japanese",
                                                    "Korean", "Symbols", "Mixed",  "None",    "Devanagari"};

/// Up to `most` numbers from the beginning of `line`, each followed by a comma, or by blanks where that will do;
/// `line` is what follows them.
std::vector<float> takeNumbers(std::string_view& line, std::size_t most, bool needsCommas) {
    std::vector<float> numbers;
    const auto skipBlanks = [&] { line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size())); };
    while (numbers.size() < most) {
        skipBlanks();
        float number = 0;
        const auto parsed = std::from_chars(line.data(), line.data() + line.size(), number);
        if (parsed.ec != std::errc() || !std::isfinite(number))
            break;
        line.remove_prefix(std::size_t(parsed.ptr - line.data()));
        const std::size_t before = line.size();
        skipBlanks();
        const bool hasComma = line.starts_with(',');
        if (!hasComma && (needsCommas || line.size() == before))
            break;
        if (hasComma)
            line.remove_prefix(1);
        numbers.push_back(number);
    }
    return numbers;
}

/// The word of one line; nothing when it has no outline.
std::optional<OutlinedWord> wordOf(std::string_view line) {
    OutlinedWord word;
    std::string_view rest = line;
    if (const auto corners = takeNumbers(rest, 8, true); corners.size() == 8) {
        for (std::size_t i = 0; i < 8; i += 2)
            word.outline.push_back({corners[i], corners[i + 1]});
        word.transcript = std::string(rest);
        return word;
    }
    rest = line;
    const auto sides = takeNumbers(rest, 4, false);
    rest = text::trimmed(rest);
    if (sides.size() < 4 || rest.size() < 2 || !rest.starts_with('"') || !rest.ends_with('"'))
        return {};
    word.outline = {{sides[0], sides[1]}, {sides[2], sides[1]}, {sides[2], sides[3]}, {sides[0], sides[3]}};
    word.transcript = unquoted(rest);
    return word;
}

/// By name, with numbers by value: img_2 before img_10.
bool isBefore(const fs::path& left, const fs::path& right) {
    const std::string a = left.string(), b = right.string();
    const auto isDigit = [](char c) { return c >= '0' && c <= '9'; };
    std::size_t i = 0, j = 0;
    while (i < a.size() && j < b.size()) {
        if (!isDigit(a[i]) || !isDigit(b[j])) {
            if (a[i] != b[j])
                return a[i] < b[j];
            ++i, ++j;
            continue;
        }
        const auto numberAt = [&](const std::string& name, std::size_t& at) {
            const std::size_t first = std::min(name.find_first_not_of('0', at), name.size());
            at = first;
            while (at < name.size() && isDigit(name[at]))
                ++at;
            return name.substr(first, at - first);
        };
        const std::string one = numberAt(a, i), other = numberAt(b, j);
        if (one != other)
            return one.size() != other.size() ? one.size() < other.size() : one < other;
    }
    return a.size() - i != b.size() - j ? a.size() - i < b.size() - j : a < b;
}

bool beginsWithOutline(const fs::path& file) {
    const auto opened = InputFile::open(file);
    const auto text = opened ? opened->readAll(4096) : Result<std::string>(opened.error());
    if (!text)
        return false;
    for (const auto line : text::lines(*text))
        if (!text::trimmed(line).empty())
            return wordOf(line).has_value();
    return false;
}

/// Calls `take` for label files until it says stop. A folder of words has thousands of texts without outlines: after a
/// few of them no more are opened.
void eachOutlineFile(const fs::path& folder, const std::function<bool(const fs::path&)>& take) {
    std::vector<fs::path> folders{folder};
    std::error_code ignored; // what cannot be listed has no labels for us
    for (const auto& entry : fs::directory_iterator(folder, ignored))
        if (entry.is_directory(ignored))
            folders.push_back(entry.path());
    std::sort(folders.begin() + 1, folders.end());
    for (const fs::path& one : folders) {
        constexpr int kStrangers = 8;
        int strangers = 0;
        for (const auto& entry : fs::directory_iterator(one, ignored)) {
            if (entry.path().extension() != ".txt" || strangers >= kStrangers || !entry.is_regular_file(ignored))
                continue;
            if (!beginsWithOutline(entry.path()))
                strangers += entry.path().filename().string().starts_with("gt_") ? 0 : 1;
            else if (!take(entry.path()))
                return;
        }
    }
}

} // namespace

OutlinedWords readOutlines(std::string_view text) {
    OutlinedWords result;
    std::int64_t number = 0;
    for (const auto line : text::lines(text)) {
        ++number;
        if (text::trimmed(line).empty())
            continue;
        if (auto word = wordOf(line))
            result.words.push_back(std::move(*word));
        else
            result.problems.push_back(fmt::format("Line {} has no outline and text.", number));
    }
    return result;
}

void dropScripts(std::vector<OutlinedWords>& photos) {
    const auto scriptEnd = [](const std::string& transcript) {
        const std::size_t comma = transcript.find(',');
        const std::string_view script = std::string_view(transcript).substr(0, std::min(comma, transcript.size()));
        return comma != std::string::npos && std::find(kScripts.begin(), kScripts.end(), script) != kScripts.end()
                   ? comma + 1
                   : 0;
    };
    bool hasWords = false;
    for (const OutlinedWords& photo : photos)
        for (const OutlinedWord& word : photo.words) {
            hasWords = true;
            if (scriptEnd(word.transcript) == 0)
                return;
        }
    for (OutlinedWords& photo : photos)
        for (OutlinedWord& word : photo.words)
            if (hasWords)
                word.transcript.erase(0, scriptEnd(word.transcript));
}

std::vector<fs::path> outlineFiles(const fs::path& folder) {
    std::vector<fs::path> files;
    eachOutlineFile(folder, [&](const fs::path& file) {
        files.push_back(file);
        return true;
    });
    std::sort(files.begin(), files.end(), isBefore);
    return files;
}

bool hasOutlineFiles(const fs::path& folder) {
    bool hasSome = false;
    eachOutlineFile(folder, [&](const fs::path&) {
        hasSome = true;
        return false;
    });
    return hasSome;
}

std::vector<Point> withMargin(const std::vector<Point>& outline, double margin) {
    if (outline.empty() || margin <= 0)
        return outline;
    Box box{outline[0].x, outline[0].y, outline[0].x, outline[0].y};
    for (const Point& corner : outline)
        box = {std::min(box.x1, corner.x), std::min(box.y1, corner.y), std::max(box.x2, corner.x),
               std::max(box.y2, corner.y)};
    const auto room = float(margin * double(box.height()));
    box = {box.x1 - room, box.y1 - room, box.x2 + room, box.y2 + room};
    return {{box.x1, box.y1}, {box.x2, box.y1}, {box.x2, box.y2}, {box.x1, box.y2}};
}

std::optional<PixelRectangle> rectangleOf(const std::vector<Point>& outline, int width, int height) {
    if (outline.empty() || width <= 0 || height <= 0)
        return {};
    float left = outline[0].x, right = left, top = outline[0].y, bottom = top;
    for (const Point& corner : outline) {
        left = std::min(left, corner.x);
        right = std::max(right, corner.x);
        top = std::min(top, corner.y);
        bottom = std::max(bottom, corner.y);
    }
    if (!(right >= 0 && bottom >= 0 && left <= float(width - 1) && top <= float(height - 1)))
        return {};
    const auto pixel = [](float value, int end) { return int(std::lround(std::clamp(value, 0.f, float(end - 1)))); };
    const int x = pixel(left, width), y = pixel(top, height);
    return PixelRectangle{x, y, pixel(right, width) - x + 1, pixel(bottom, height) - y + 1};
}

} // namespace trainyard
