#include "widgets/forms/YamlText.h"

#include <algorithm>
#include <optional>
#include <vector>

namespace trainyard::yaml {
namespace {

using Lines = std::vector<std::string>;

Lines split(const std::string& text) {
    Lines lines;
    std::size_t from = 0;
    while (from < text.size()) {
        const auto end = std::min(text.find('\n', from), text.size());
        lines.push_back(text.substr(from, end - from));
        from = end + 1;
    }
    return lines;
}

std::string join(const Lines& lines) {
    std::string text;
    for (const std::string& line : lines)
        text += line + "\n";
    return text;
}

std::size_t indentOf(const std::string& line) {
    return std::min(line.find_first_not_of(' '), line.size());
}

bool isBlank(const std::string& line) {
    const auto first = line.find_first_not_of(" \t\r");
    return first == std::string::npos || line[first] == '#';
}

/// The comment at the end of a line, with the blanks before it; quotes are minded.
std::string commentOf(const std::string& line) {
    char quote = 0;
    for (std::size_t at = 0; at < line.size(); ++at) {
        const char c = line[at];
        if (quote != 0) {
            if (c == '\\' && quote == '"')
                ++at;
            else if (c == quote)
                quote = 0;
        } else if (c == '"' || c == '\'') {
            quote = c;
        } else if (c == '#' && at > 0 && (line[at - 1] == ' ' || line[at - 1] == '\t')) {
            const auto last = line.find_last_not_of(" \t", at - 1);
            return line.substr(last == std::string::npos ? at : last + 1);
        }
    }
    return {};
}

/// Lines [first, last) that hold an entry: its key's line and all that belongs to it.
struct Extent {
    std::size_t first = 0, last = 0, indent = 0;
};

std::string leaf(const std::string& key) {
    const auto dot = key.rfind('.');
    return dot == std::string::npos ? key : key.substr(dot + 1);
}

std::string parent(const std::string& key) {
    const auto dot = key.rfind('.');
    return dot == std::string::npos ? std::string() : key.substr(0, dot);
}

bool holdsKey(const std::string& line, const std::string& name) {
    const auto indent = indentOf(line);
    if (line.compare(indent, name.size(), name) != 0)
        return false;
    const auto colon = line.find_first_not_of(' ', indent + name.size());
    return colon != std::string::npos && line[colon] == ':' && (colon + 1 == line.size() || line[colon + 1] == ' ');
}

std::size_t endOf(const Lines& lines, std::size_t first, std::size_t indent) {
    std::size_t end = first + 1;
    for (std::size_t at = first + 1; at < lines.size(); ++at) {
        if (isBlank(lines[at]))
            continue; // belongs to what follows it, unless more of this entry comes
        const auto deeper = indentOf(lines[at]);
        const bool isItem = deeper == indent && lines[at].compare(deeper, 1, "-") == 0;
        if (deeper <= indent && !isItem)
            break;
        end = at + 1;
    }
    return end;
}

/// Where `key` stands, in block style. Nothing when it is not there, or inside braces.
std::optional<Extent> find(const Lines& lines, const std::string& key) {
    std::size_t from = 0, to = lines.size();
    std::string rest = key;
    std::optional<std::size_t> sectionIndent;
    for (;;) {
        const auto dot = rest.find('.');
        const std::string name = rest.substr(0, dot);
        std::optional<Extent> found;
        std::optional<std::size_t> level;
        for (std::size_t at = from; at < to && !found; ++at) {
            if (isBlank(lines[at]))
                continue;
            const auto indent = indentOf(lines[at]);
            if (!level)
                level = indent;
            if (indent == *level && (!sectionIndent || indent > *sectionIndent) && holdsKey(lines[at], name))
                found = Extent{at, endOf(lines, at, indent), indent};
        }
        if (!found || dot == std::string::npos)
            return found;
        from = found->first + 1;
        to = found->last;
        sectionIndent = found->indent;
        rest = rest.substr(dot + 1);
    }
}

Lines entryLines(const std::string& name, const std::string& value, std::size_t indent, const std::string& comment) {
    const std::string space(indent, ' ');
    if (!value.starts_with("- "))
        return {space + name + ": " + value + comment};
    Lines result = {space + name + ":" + comment};
    for (const std::string& item : split(value))
        result.push_back(space + "  " + item);
    return result;
}

/// Indent of the entries of a section: that of its first one, else two more than the section's.
std::size_t childIndent(const Lines& lines, const Extent& section) {
    for (std::size_t at = section.first + 1; at < section.last; ++at)
        if (!isBlank(lines[at]))
            return indentOf(lines[at]);
    return section.indent + 2;
}

/// The extent of the section `name`, made at the end of its own section where it is missing.
std::optional<Extent> section(Lines& lines, const std::string& name) {
    if (auto known = find(lines, name)) {
        const std::string& line = lines[known->first];
        const std::string comment = commentOf(line);
        const auto colon = line.find(':');
        const auto value = line.find_first_not_of(' ', colon + 1);
        if (value != std::string::npos && value < line.size() - comment.size())
            return std::nullopt; // its entries stand in braces
        return known;
    }
    Extent made;
    if (parent(name).empty()) {
        made.indent = 0;
        made.first = lines.size();
        if (!lines.empty() && !isBlank(lines.back()))
            made.first = (lines.emplace_back(), lines.size());
    } else {
        const auto above = section(lines, parent(name));
        if (!above)
            return std::nullopt;
        made.indent = childIndent(lines, *above);
        made.first = above->last;
    }
    lines.insert(lines.begin() + std::ptrdiff_t(made.first), std::string(made.indent, ' ') + leaf(name) + ":");
    made.last = made.first + 1;
    return made;
}

std::optional<std::string> edited(const std::string& text, const std::string& key, const std::string& value) {
    Lines lines = split(text);
    if (const auto known = find(lines, key)) {
        const Lines entry = entryLines(leaf(key), value, known->indent, commentOf(lines[known->first]));
        lines.erase(lines.begin() + std::ptrdiff_t(known->first), lines.begin() + std::ptrdiff_t(known->last));
        lines.insert(lines.begin() + std::ptrdiff_t(known->first), entry.begin(), entry.end());
        return join(lines);
    }
    if (parent(key).empty()) {
        const Lines entry = entryLines(key, value, 0, {});
        std::size_t at = 0; // above the first section, below the file's opening comment
        while (at < lines.size() && isBlank(lines[at]))
            ++at;
        lines.insert(lines.begin() + std::ptrdiff_t(at), entry.begin(), entry.end());
        return join(lines);
    }
    const auto into = section(lines, parent(key));
    if (!into)
        return std::nullopt;
    const Lines entry = entryLines(leaf(key), value, childIndent(lines, *into), {});
    lines.insert(lines.begin() + std::ptrdiff_t(into->last), entry.begin(), entry.end());
    return join(lines);
}

} // namespace

std::string withKey(const std::string& text, const std::string& key, const std::string& value) {
    const Field* field = Schema::instance().find(key);
    if (auto result = edited(text, key, value)) {
        // the text must say exactly what it said before, but for this key
        const RunConfig before = parseConfig(text, {}).config, after = parseConfig(*result, {}).config;
        const auto changes = differences(before, after);
        if (std::all_of(changes.begin(), changes.end(), [&](const auto& each) { return each.field == field; }))
            return *result;
    }
    RunConfig config = parseConfig(text, {}).config;
    if (const auto value_ = parseConfig(*edited("", key, value), {}); field)
        field->write(config, field->read(value_.config));
    return toYaml(config, true);
}

std::string withoutKey(const std::string& text, const std::string& key) {
    Lines lines = split(text);
    auto name = key;
    const auto known = find(lines, name);
    if (!known) {
        const Field* field = Schema::instance().find(key);
        const RunConfig config = parseConfig(text, {}).config;
        if (!field || field->read(config) == field->defaultValue)
            return text;
        return withKey(text, key, valueText(field->defaultValue));
    }
    lines.erase(lines.begin() + std::ptrdiff_t(known->first), lines.begin() + std::ptrdiff_t(known->last));
    for (name = parent(name); !name.empty(); name = parent(name)) {
        const auto above = find(lines, name);
        if (!above || above->last != above->first + 1)
            break;
        lines.erase(lines.begin() + std::ptrdiff_t(above->first));
    }
    return join(lines);
}

std::string valueText(const FieldValue& value) {
    const auto* datasets = std::get_if<std::vector<DatasetConfig>>(&value);
    if (!datasets || datasets->empty())
        return toText(value);
    std::string text;
    for (const DatasetConfig& entry : *datasets) {
        const std::string list = toText(std::vector<DatasetConfig>{entry}); // "[{…}]"
        text += (text.empty() ? "- " : "\n- ") + list.substr(1, list.size() - 2);
    }
    return text;
}

} // namespace trainyard::yaml
