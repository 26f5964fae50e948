#include "app/cli/verbs/RunViews.h"

#include "app/cli/Format.h"
#include "app/cli/Json.h"
#include "app/cli/Output.h"
#include "app/cli/Table.h"
#include "app/engine/CheckpointReference.h"
#include "core/config/ConfigFile.h"

#include <fmt/format.h>

#include <set>

namespace trainyard::cli {

namespace {
std::string progressOf(const RunRecord& run) {
    return grouped(run.iteration) + " / " + grouped(run.iterations);
}

std::string bestOf(const RunRecord& run) {
    return run.bestMetric ? fmt::format("{} {}", run.bestMetricName, metricText(*run.bestMetric)) : "";
}

std::string joined(const std::vector<std::string>& texts, const char* between) {
    std::string all;
    for (const std::string& text : texts)
        all += (all.empty() ? "" : between) + text;
    return all;
}

} // namespace

Result<int> listRuns(const Shared& shared) {
    auto project = shared.openProject(Project::Mode::ReadOnly);
    if (!project)
        return project.error();
    const auto runs = (*project)->runs();
    if (!runs)
        return runs.error();
    if (shared.isJson) {
        for (const RunRecord& run : *runs)
            print(toLine(toJson(run)) + "\n");
        return 0;
    }
    if (runs->empty()) {
        print("No runs yet. Start one: trainyard train CONFIG\n");
        return 0;
    }
    using enum Table::Align;
    Table table({{"run", Right},
                 {"name"},
                 {"model"},
                 {"status"},
                 {"iteration", Right},
                 {"loss", Right},
                 {"best"},
                 {"time", Right},
                 {"created"},
                 {"tags"}});
    for (const RunRecord& run : *runs)
        table.add({std::to_string(run.id), run.name, run.modelType, statusName(run.status), progressOf(run),
                   run.iteration > 0 ? readable(run.loss) : "", bestOf(run), duration(run.seconds),
                   localTime(run.createdMicroseconds), joined(run.tags, ", ")});
    print(table.text());
    return 0;
}

namespace {
void printShown(const Project& project, const RunRecord& run, const RunProvenance& provenance,
                const std::vector<CheckpointRecord>& checkpoints, const std::vector<EvaluationRecord>& evaluations,
                const std::vector<RunEvent>& events) {
    std::string text =
        fmt::format("Run {} \"{}\", {} ({})\n", run.id, run.name, statusName(run.status), progressOf(run));
    const auto line = [&text](const char* label, const std::string& value) {
        if (!value.empty())
            text += fmt::format("{:<14}{}\n", label, value);
    };
    line("folder", (project.folder() / run.folder).string());
    line("model", run.modelType);
    line("created", localTime(run.createdMicroseconds));
    line("time", duration(run.seconds));
    line("loss", run.iteration > 0 ? readable(run.loss) : "");
    line("best", bestOf(run));
    line("tags", joined(run.tags, ", "));
    line("notes", run.notes);
    line("error", run.error);
    line("overrides", joined(provenance.overrides, " "));
    line("seed", std::to_string(provenance.seed));
    line("program", provenance.codeVersion);
    line("libraries", provenance.libraries);
    line("device", provenance.device);
    line("data", provenance.dataFingerprint);
    using enum Table::Align;
    Table saved({{"checkpoint", Right}, {"size", Right}, {"metric", Right}, {"file"}});
    for (const CheckpointRecord& checkpoint : checkpoints)
        saved.add({checkpointLabel(checkpoint), byteSize(checkpoint.report.bytes),
                   checkpoint.metric ? metricText(*checkpoint.metric) : "", checkpoint.report.path});
    if (!saved.isEmpty())
        text += "\n" + saved.text();
    Table scored({{"iteration", Right}, {"evaluation"}});
    for (const EvaluationRecord& evaluation : evaluations) {
        std::vector<std::string> metrics;
        for (const auto& [name, value] : evaluation.report.metrics)
            metrics.push_back(name + " " + metricText(value));
        scored.add({grouped(evaluation.report.iteration), joined(metrics, "  ")});
    }
    if (!scored.isEmpty())
        text += "\n" + scored.text();
    Table happened({{"when"}, {"iteration", Right}, {"event"}, {"text"}});
    for (const RunEvent& event : events)
        happened.add({localTime(event.wallMicroseconds), grouped(event.iteration), eventName(event.kind), event.text});
    if (!happened.isEmpty())
        text += "\n" + happened.text();
    print(text);
}

} // namespace

Result<int> showRun(const Shared& shared, const std::string& reference) {
    auto project = shared.openProject(Project::Mode::ReadOnly);
    if (!project)
        return project.error();
    const auto run = (*project)->findRun(reference);
    if (!run)
        return run.error();
    const auto provenance = (*project)->provenance(run->id);
    if (!provenance)
        return provenance.error();
    const auto checkpoints = (*project)->checkpoints(run->id);
    if (!checkpoints)
        return checkpoints.error();
    const auto evaluations = (*project)->evaluations(run->id);
    if (!evaluations)
        return evaluations.error();
    const auto events = (*project)->events(run->id);
    if (!events)
        return events.error();
    if (!shared.isJson) {
        printShown(**project, *run, *provenance, *checkpoints, *evaluations, *events);
        return 0;
    }
    Json json = toJson(*run);
    json["overrides"] = provenance->overrides;
    json["seed"] = provenance->seed;
    json["code_version"] = provenance->codeVersion;
    json["libraries"] = provenance->libraries;
    json["device"] = provenance->device;
    json["data_fingerprint"] = provenance->dataFingerprint;
    json["checkpoints"] = Json::array();
    for (const CheckpointRecord& checkpoint : *checkpoints)
        json["checkpoints"].push_back(toJson(checkpoint));
    json["evaluations"] = Json::array();
    for (const EvaluationRecord& evaluation : *evaluations)
        json["evaluations"].push_back({{"iteration", evaluation.report.iteration},
                                       {"dataset", evaluation.report.dataset},
                                       {"metrics", metricsObject(evaluation.report.metrics)}});
    json["events"] = Json::array();
    for (const RunEvent& event : *events)
        json["events"].push_back(
            {{"kind", eventName(event.kind)}, {"iteration", event.iteration}, {"text", event.text}});
    print(toLine(json) + "\n");
    return 0;
}

namespace {
/// A run with its configuration, for comparing.
struct Compared {
    RunRecord run;
    RunConfig config;
    std::map<std::string, double> metrics; ///< of its newest evaluation
};

Result<Compared> readCompared(Project& project, const std::string& reference) {
    const auto run = project.findRun(reference);
    if (!run)
        return run.error();
    const auto provenance = project.provenance(run->id);
    if (!provenance)
        return provenance.error();
    const auto evaluations = project.evaluations(run->id);
    if (!evaluations)
        return evaluations.error();
    Compared compared{*run, parseConfig(provenance->config, run->folder).config, {}};
    if (!evaluations->empty())
        for (const auto& [name, value] : evaluations->back().report.metrics)
            compared.metrics[name] = value;
    return compared;
}

} // namespace

Result<int> compareRuns(const Shared& shared, const std::vector<std::string>& references) {
    auto project = shared.openProject(Project::Mode::ReadOnly);
    if (!project)
        return project.error();
    std::vector<Compared> all;
    std::set<std::string> differing, metrics;
    for (const std::string& reference : references) {
        auto compared = readCompared(**project, reference);
        if (!compared)
            return compared.error();
        all.push_back(std::move(*compared));
        for (const ConfigDifference& difference : differences(all.front().config, all.back().config))
            differing.insert(difference.field->key);
        for (const auto& [name, value] : all.back().metrics)
            metrics.insert(name);
    }
    if (shared.isJson) {
        for (const Compared& one : all) {
            Json json = {{"run", one.run.id}, {"name", one.run.name}, {"loss", one.run.loss}};
            json["differing"] = Json::object();
            for (const std::string& key : differing)
                json["differing"][key] = toText(Schema::instance().find(key)->read(one.config));
            json["metrics"] = metricsObject(Metrics(one.metrics.begin(), one.metrics.end()));
            print(toLine(json) + "\n");
        }
        return 0;
    }
    using enum Table::Align;
    std::vector<Table::Column> columns{{""}};
    for (const Compared& one : all)
        columns.push_back({fmt::format("{} {}", one.run.id, one.run.name), Right});
    Table table(columns);
    const auto add = [&](const std::string& label, const std::function<std::string(const Compared&)>& cell) {
        std::vector<std::string> cells{label};
        for (const Compared& one : all)
            cells.push_back(cell(one));
        table.add(cells);
    };
    add("status", [](const Compared& one) { return statusName(one.run.status); });
    add("iteration", [](const Compared& one) { return grouped(one.run.iteration); });
    add("loss", [](const Compared& one) { return readable(one.run.loss); });
    add("time", [](const Compared& one) { return duration(one.run.seconds); });
    for (const std::string& name : metrics)
        add(name, [&](const Compared& one) {
            const auto found = one.metrics.find(name);
            return found == one.metrics.end() ? std::string() : metricText(found->second);
        });
    for (const Field& field : Schema::instance().fields()) // in reading order
        if (differing.contains(field.key))
            add(field.key, [&](const Compared& one) { return toText(field.read(one.config)); });
    print(table.text());
    if (differing.empty())
        print("The configurations are the same.\n");
    return 0;
}

} // namespace trainyard::cli
