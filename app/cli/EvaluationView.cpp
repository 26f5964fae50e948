#include "app/cli/EvaluationView.h"

#include "app/cli/Format.h"
#include "app/cli/Json.h"
#include "app/cli/Output.h"
#include "app/cli/Table.h"

#include <fmt/format.h>

#include <algorithm>

namespace trainyard::cli {

namespace {
/// The kinds of result that classes were scored by, the main one first.
std::vector<std::string> typesOf(const std::vector<ClassScore>& scores) {
    std::vector<std::string> types;
    for (const ClassScore& one : scores)
        if (std::find(types.begin(), types.end(), one.type) == types.end())
            types.push_back(one.type);
    return types;
}

/// {"cat": {"objects": 4, "AP": 0.5, "AP50": 0.75, "segm/AP": …}}: the main kind has no prefix.
Json classesObject(const std::vector<ClassScore>& scores) {
    Json object = Json::object();
    for (const ClassScore& one : scores) {
        const std::string prefix = one.type == scores.front().type ? "" : one.type + "/";
        if (prefix.empty())
            object[one.name]["objects"] = one.objects;
        object[one.name][prefix + "AP"] = metricJson(one.ap);
        object[one.name][prefix + "AP50"] = metricJson(one.ap50);
    }
    return object;
}

Json expectedArray(const std::vector<ExpectedResult>& results) {
    Json array = Json::array();
    for (const ExpectedResult& one : results)
        array.push_back({{"metric", one.metric},
                         {"expected", one.expected},
                         {"actual", one.actual ? Json(*one.actual) : Json(nullptr)},
                         {"allowed", one.allowed},
                         {"met", one.isMet}});
    return array;
}

void printJson(const EvaluationResult& result, const ResultsPlaces& places) {
    Json json = evaluationEvent(result.report);
    if (!result.classes.empty())
        json["classes"] = classesObject(result.classes);
    json.update(Json::parse(result.details));
    if (!result.expected.empty())
        json["expected"] = expectedArray(result.expected);
    if (!result.warnings.empty())
        json["warnings"] = result.warnings;
    const auto main = result.results.empty() ? places.end() : places.find(result.results.front().type);
    json["results"] = main == places.end() ? Json(nullptr) : Json(main->second.string());
    if (places.size() > 1)
        for (const auto& [type, place] : places)
            json["results_files"][type] = place.string();
    print(toLine(json) + "\n");
}

Table metricsTable(const EvaluationReport& report) {
    Table table({{"metric"}, {"value", Table::Align::Right}});
    for (const auto& [name, value] : report.metrics)
        table.add({name, metricText(value)});
    return table;
}

/// VOC's average precision is of one overlap.
bool hasBoth(const std::string& type) {
    return type != "voc";
}

Table classesTable(const std::vector<ClassScore>& scores) {
    using enum Table::Align;
    const auto types = typesOf(scores);
    std::vector<Table::Column> columns = {{"class"}, {"objects", Right}};
    for (const std::string& type : types) {
        const std::string prefix = type == types.front() ? "" : type + " ";
        if (hasBoth(type))
            columns.push_back({prefix + "AP", Right});
        columns.push_back({prefix + "AP50", Right});
    }
    Table table(columns);
    const std::size_t classes = scores.size() / types.size(); // each kind scores the same classes in the same order
    for (std::size_t i = 0; i < classes; ++i) {
        std::vector<std::string> cells = {scores[i].name, grouped(scores[i].objects)};
        for (std::size_t type = 0; type < types.size(); ++type) {
            const ClassScore& one = scores[type * classes + i];
            if (hasBoth(one.type))
                cells.push_back(metricText(one.ap));
            cells.push_back(metricText(one.ap50));
        }
        table.add(cells);
    }
    return table;
}

Table expectedTable(const std::vector<ExpectedResult>& results) {
    using enum Table::Align;
    Table table({{"expected"}, {"value", Right}, {"found", Right}, {"allowed", Right}, {""}});
    for (const ExpectedResult& one : results)
        table.add({one.metric, one.expected, one.actual ? metricText(*one.actual) : "n/a",
                   fmt::format("± {}", readable(one.allowed)), one.isMet ? "met" : "not met"});
    return table;
}
/// Words by length and the worst readings, where the details have them.
void printWords(const Json& details) {
    if (details.contains("lengths")) {
        Table table(
            {{"characters", Table::Align::Right}, {"words", Table::Align::Right}, {"right", Table::Align::Right}});
        for (const Json& one : details["lengths"])
            table.add({grouped(one["characters"].get<std::int64_t>()), grouped(one["words"].get<std::int64_t>()),
                       readable(one["word_accuracy"].get<double>())});
        print("\n" + table.text());
    }
    if (details.contains("worst")) {
        Table table({{"worst readings"}, {"transcript"}, {"read"}, {"score", Table::Align::Right}});
        for (const Json& one : details["worst"])
            table.add({one["image"].get<std::string>(), one["transcript"].get<std::string>(),
                       one["text"].get<std::string>(), readable(one["score"].get<double>())});
        print("\n" + table.text());
    }
}
} // namespace

void printEvaluation(const Shared& shared, const EvaluationResult& result, const ResultsPlaces& places) {
    if (shared.isJson) {
        printJson(result, places);
        return;
    }
    const EvaluationReport& report = result.report;
    print(fmt::format("{}: {} samples{}\n{}", report.dataset, grouped(report.samples),
                      report.weights.empty() ? "" : ", " + report.weights + " weights", metricsTable(report).text()));
    if (!result.classes.empty())
        print("\n" + classesTable(result.classes).text());
    printWords(Json::parse(result.details));
    if (!result.expected.empty())
        print("\n" + expectedTable(result.expected).text());
    for (const auto& [type, place] : places)
        print(fmt::format("Results{}: {}\n", places.size() > 1 ? " (" + type + ")" : "", place.string()));
}

} // namespace trainyard::cli
