#include "core/config/ConfigFile.h"

#include "core/config/Override.h"
#include "core/config/Validation.h"
#include "core/config/ValueText.h"
#include "core/config/YamlValue.h"

#include <algorithm>
#include <fmt/format.h>
#include <set>

namespace trainyard {
namespace {

constexpr std::size_t kMostProblems = 100;

void addProblem(ParsedConfig& parsed, ConfigProblem problem) {
    if (parsed.problems.size() < kMostProblems)
        parsed.problems.push_back(std::move(problem));
    else if (parsed.problems.size() == kMostProblems)
        parsed.problems.push_back({problem.file, 0, 0, "", "More is wrong than the 100 problems listed."});
}

ParsedConfig::Place placeOf(const std::string& file, const YAML::Mark& mark) {
    return mark.is_null() ? ParsedConfig::Place{file, 0, 0} : ParsedConfig::Place{file, mark.line + 1, mark.column + 1};
}

/// Walks the sections of a document, which may stem from a file or from one override.
class Reader {
public:
    Reader(ParsedConfig& parsed, std::string name) : m_parsed(parsed), m_name(std::move(name)) {}

    Complain complain() {
        return [this](const YAML::Mark& mark, const std::string& key, const std::string& message) {
            const auto place = placeOf(m_name, mark);
            addProblem(m_parsed, {place.file, place.line, place.column, key, message});
        };
    }

    void section(const YAML::Node& node, const std::string& path) {
        if (node.IsNull() && !path.empty()) // "solve:" with all its lines commented out
            return;
        if (!node.IsMap())
            return complain()(node.Mark(), path,
                              path.empty() ? "A configuration is made of sections, like \"solve:\"."
                                           : path + " is a section: its keys stand below it.");
        std::map<std::string, int> lines;
        for (const auto& pair : node) {
            if (!pair.first.IsScalar())
                complain()(pair.first.Mark(), path, "A key must be a word.");
            else if (const auto [first, isNew] = lines.emplace(pair.first.Scalar(), pair.first.Mark().line + 1); isNew)
                entry(pair.first, pair.second, path.empty() ? first->first : path + "." + first->first, path);
            else
                complain()(pair.first.Mark(), path,
                           fmt::format("{} is given twice; the first is on line {}.", yamlQuoted(first->first),
                                       first->second));
        }
    }

    void field(const Field& field, const YAML::Node& value) {
        const Found found = [this](const YAML::Mark& mark, const std::string& key) {
            m_parsed.places[key] = placeOf(m_name, mark);
        };
        if (const auto read = readValue(value, field, complain(), found))
            field.write(m_parsed.config, *read);
    }

private:
    void entry(const YAML::Node& key, const YAML::Node& value, const std::string& path, const std::string& parent) {
        const auto& schema = Schema::instance();
        const auto& sections = schema.sections();
        if (key.Scalar().find('.') != std::string::npos)
            return complain()(key.Mark(), path, unknownKeySentence(parent, key.Scalar()));
        if (const auto* known = schema.find(path)) {
            m_parsed.places[path] = placeOf(m_name, key.Mark());
            if (value.IsNull())
                return complain()(key.Mark(), path, path + " has no value; it must be " + known->allowed() + ".");
            return field(*known, value);
        }
        if (std::find(sections.begin(), sections.end(), path) != sections.end())
            return section(value, path);
        complain()(key.Mark(), path, unknownKeySentence(parent, key.Scalar()));
    }

    ParsedConfig& m_parsed;
    std::string m_name;
};

/// The problem with its place: the first of its keys that was read somewhere.
ConfigProblem placed(const CrossProblem& cross, const ParsedConfig& parsed, const std::string& file) {
    for (const auto& key : cross.keys)
        if (const auto place = parsed.places.find(key); place != parsed.places.end())
            return {place->second.file, place->second.line, place->second.column, cross.keys.front(), cross.message};
    return {file, 0, 0, cross.keys.front(), cross.message};
}

/// Adds what does not go together, but for what follows from a field that could not be read.
void addCrossProblems(ParsedConfig& parsed, const std::string& file) {
    std::set<std::string> unread;
    for (const auto& problem : parsed.problems)
        for (auto key = problem.key; !key.empty();
             key.resize(key.find_last_of('.') == std::string::npos ? 0 : key.find_last_of('.')))
            unread.insert(key);
    for (const auto& cross : crossProblems(parsed.config))
        if (std::none_of(cross.keys.begin(), cross.keys.end(), [&](const auto& key) { return unread.contains(key); }))
            addProblem(parsed, placed(cross, parsed, file));
}

void removeCrossProblems(ParsedConfig& parsed) {
    std::set<std::string> messages;
    for (const auto& cross : crossProblems(parsed.config))
        messages.insert(cross.message);
    std::erase_if(parsed.problems, [&](const ConfigProblem& problem) { return messages.contains(problem.message); });
}

} // namespace

std::string ConfigProblem::where() const {
    return line > 0 ? fmt::format("{}:{}:{}", file, line, column) : file;
}

std::string ConfigProblem::sentence() const {
    return Error{ErrorKind::Usage, message, where(), ""}.sentence();
}

Error ParsedConfig::error() const {
    std::vector<Error> found;
    for (const auto& problem : problems)
        found.push_back({ErrorKind::Usage, problem.message, problem.where(), ""});
    if (found.empty())
        return Error{ErrorKind::Usage, "", "", ""};
    Error first = found.front();
    first.others.assign(found.begin() + 1, found.end());
    return first;
}

ParsedConfig parseConfig(std::string_view text, const std::string& name, const RunConfig& base) {
    ParsedConfig parsed;
    parsed.config = base;
    Reader reader(parsed, name);
    const auto document = loadYaml(text, reader.complain());
    if (!document)
        return parsed;
    reader.section(*document, "");
    addCrossProblems(parsed, name);
    std::stable_sort(parsed.problems.begin(), parsed.problems.end(), [](const auto& a, const auto& b) {
        return std::pair(a.line, a.column) < std::pair(b.line, b.column);
    });
    return parsed;
}

void applyOverrides(ParsedConfig& parsed, const std::vector<std::string>& overrides) {
    if (overrides.empty())
        return;
    removeCrossProblems(parsed); // an override may mend or cause them
    for (const auto& text : overrides)
        for (auto& problem : applyOverride(parsed, text))
            addProblem(parsed, std::move(problem));
    addCrossProblems(parsed, "");
}

std::vector<ConfigProblem> validate(const RunConfig& config) {
    ParsedConfig parsed;
    parsed.config = config;
    for (const auto& field : Schema::instance().fields())
        if (const auto objection = field.objection(field.read(config)))
            addProblem(parsed, {"", 0, 0, field.key, field.key + " m" + objection->substr(1)});
    addCrossProblems(parsed, "");
    return parsed.problems;
}

std::vector<ConfigDifference> differences(const RunConfig& before, const RunConfig& after) {
    std::vector<ConfigDifference> result;
    for (const auto& field : Schema::instance().fields()) {
        const auto from = field.read(before), to = field.read(after);
        if (from != to)
            result.push_back({&field, toText(from), toText(to)});
    }
    return result;
}

} // namespace trainyard
