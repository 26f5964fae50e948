#include "core/data/LabelFile.h"

#include "core/base/AtomicFile.h"
#include "core/base/Json.h"
#include "core/base/Text.h"
#include "core/data/ImageFinder.h"

#include <fmt/format.h>

#include <optional>

namespace trainyard {
namespace {

/// The names in PaddleOCR's list of images, or the name itself.
std::vector<std::string> imagesNamed(const std::string& name) {
    if (!name.starts_with('['))
        return {name};
    const auto list = nlohmann::json::parse(name, nullptr, false);
    std::vector<std::string> names;
    if (list.is_array())
        for (const auto& one : list)
            if (one.is_string())
                names.push_back(one.get<std::string>());
    return names.empty() ? std::vector<std::string>{name} : names;
}

/// Where the name ends: at the first blank or tab, or at the first tab where only that gives an image.
std::size_t splitOf(std::string_view line, const IsImage& isImage) {
    const std::size_t blank = line.find_first_of(" \t"), tab = line.find('\t');
    if (blank == tab || tab == std::string_view::npos)
        return blank;
    if (line.starts_with('['))
        return tab;
    const bool isTabBetter = !isImage(std::string(line.substr(0, blank))) && isImage(std::string(line.substr(0, tab)));
    return isTabBetter ? tab : blank;
}

/// The rows of a table with quoted fields; a field may hold line ends.
std::vector<std::vector<std::string>> csvRows(std::string_view text, char separator) {
    if (text.starts_with("\xEF\xBB\xBF"))
        text.remove_prefix(3);
    std::vector<std::vector<std::string>> rows{{""}};
    bool isQuoted = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        std::string& field = rows.back().back();
        const char c = text[i];
        if (isQuoted && c == '"' && i + 1 < text.size() && text[i + 1] == '"') {
            field += text[++i];
        } else if (c == '"' && (isQuoted || field.empty())) {
            isQuoted = !isQuoted;
        } else if (isQuoted) {
            field += c;
        } else if (c == separator) {
            rows.back().emplace_back();
        } else if (c == '\n') {
            if (field.ends_with('\r'))
                field.pop_back();
            rows.push_back({""});
        } else {
            field += c;
        }
    }
    return rows;
}

/// Tabs never quote: the transcript is all that follows the first one.
std::vector<std::vector<std::string>> tsvRows(std::string_view text) {
    std::vector<std::vector<std::string>> rows;
    for (const auto line : text::lines(text)) {
        const std::size_t tab = line.find('\t');
        if (tab == std::string_view::npos)
            rows.push_back({std::string(line)});
        else
            rows.push_back({std::string(line.substr(0, tab)), std::string(line.substr(tab + 1))});
    }
    return rows;
}

/// The word in a file name of Synth90k, 115_Lube_45484.jpg, whose line has the word's number for a transcript.
std::optional<std::string> synth90kWord(const Label& label) {
    const std::string stem = std::filesystem::path(label.image).stem().string();
    const std::size_t first = stem.find('_'), last = stem.rfind('_');
    const auto isNumber = [](std::string_view text) {
        return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
    };
    if (first == std::string::npos || last <= first + 1 || !isNumber(std::string_view(stem).substr(0, first)) ||
        !isNumber(label.transcript) || stem.substr(last + 1) != label.transcript)
        return {};
    return stem.substr(first + 1, last - first - 1);
}

/// Takes the words from the names, if every line is one of Synth90k's.
void takeSynth90kWords(LabelFile& file) {
    std::vector<std::string> words;
    for (const Label& label : file.labels) {
        auto word = synth90kWord(label);
        if (!word)
            return;
        words.push_back(std::move(*word));
    }
    for (std::size_t i = 0; i < words.size(); ++i)
        file.labels[i].transcript = std::move(words[i]);
}

bool isBlank(const std::vector<std::string>& row) {
    return row.size() == 1 && row[0].empty();
}

} // namespace

LabelFile readTextLabels(std::string_view text, const IsImage& isImage) {
    LabelFile file;
    std::int64_t number = 0;
    for (const auto line : text::lines(text)) {
        ++number;
        if (text::trimmed(line).empty())
            continue;
        const std::size_t split = splitOf(line, isImage);
        if (split == std::string_view::npos) {
            file.problems.push_back(fmt::format("Line {} has no transcript.", number));
            continue;
        }
        const std::string transcript(line.substr(split + 1));
        for (const std::string& name : imagesNamed(std::string(line.substr(0, split))))
            if (!addOutlinedLabels(name, transcript, file))
                file.labels.push_back({name, transcript, {}});
    }
    takeSynth90kWords(file);
    return file;
}

LabelFile readTableLabels(std::string_view text, char separator, const IsImage& isImage) {
    LabelFile file;
    const auto rows = separator == '\t' ? tsvRows(text) : csvRows(text, separator);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        if (isBlank(rows[i]))
            continue;
        if (rows[i].size() < 2) {
            file.problems.push_back(fmt::format("Row {} has no transcript.", i + 1));
            continue;
        }
        const bool isHeader = i == 0 && !hasImageExtension(rows[i][0]) && !isImage(rows[i][0]);
        if (!isHeader)
            file.labels.push_back({rows[i][0], rows[i][1], {}});
    }
    return file;
}

std::string unquoted(std::string_view text) {
    text = text::trimmed(text);
    if (text.size() >= 2 && text.starts_with('"') && text.ends_with('"'))
        text = text.substr(1, text.size() - 2);
    std::string result;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool isEscape = text[i] == '\\' && i + 1 < text.size() && (text[i + 1] == '"' || text[i + 1] == '\\');
        result += isEscape ? text[++i] : text[i];
    }
    return result;
}

LabelFile readIcdarWords(std::string_view text) {
    LabelFile file;
    std::int64_t number = 0;
    for (const auto line : text::lines(text)) {
        ++number;
        if (text::trimmed(line).empty())
            continue;
        const std::size_t comma = line.find(',');
        if (comma == std::string_view::npos) {
            file.problems.push_back(fmt::format("Line {} has no comma.", number));
            continue;
        }
        file.labels.push_back(
            {std::string(text::trimmed(line.substr(0, comma))), unquoted(line.substr(comma + 1)), {}});
    }
    return file;
}

Result<LabelFile> readLabelFile(const std::filesystem::path& path, const IsImage& isImage) {
    const auto text = readTextFile(path, ErrorKind::Data);
    if (!text)
        return text.error();
    const std::string extension = path.extension().string();
    if (extension == ".json")
        return readJsonLabels(*text, path.string());
    if (extension == ".jsonl")
        return readJsonLines(*text, path.string());
    if (extension == ".csv")
        return readTableLabels(*text, ',', isImage);
    if (extension == ".tsv")
        return readTableLabels(*text, '\t', isImage);
    return readTextLabels(*text, isImage);
}

bool looksLikeIcdarWords(std::string_view text) {
    int looked = 0;
    for (const auto line : text::lines(text.substr(0, 4096))) {
        if (text::trimmed(line).empty())
            continue;
        const std::size_t comma = line.find(',');
        if (comma == std::string_view::npos || !hasImageExtension(std::string(text::trimmed(line.substr(0, comma)))))
            return false;
        if (++looked == 3)
            break;
    }
    return looked > 0;
}

} // namespace trainyard
