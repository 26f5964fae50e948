// Events and evaluations: only ever appended to. The run folder's history.jsonl gets the same rows.
#include "core/project/ProjectDatabase.h"

#include "core/base/Clock.h"

#include <cmath>
#include <limits>

namespace trainyard {
namespace {

// JSON knows no infinity; a number that is none is written as text.
nlohmann::json numberJson(double value) {
    if (std::isfinite(value))
        return value;
    return std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf";
}

double numberOf(const nlohmann::json& json) {
    if (json.is_number())
        return json.get<double>();
    const double infinity = std::numeric_limits<double>::infinity();
    return json == "inf" ? infinity : json == "-inf" ? -infinity : std::numeric_limits<double>::quiet_NaN();
}

std::vector<std::pair<std::string, double>> metricsOf(const std::string& text) {
    std::vector<std::pair<std::string, double>> metrics;
    const auto json = nlohmann::json::parse(text, nullptr, false);
    if (json.is_array())
        for (const auto& entry : json)
            if (entry.is_array() && entry.size() == 2 && entry[0].is_string())
                metrics.emplace_back(entry[0].get<std::string>(), numberOf(entry[1]));
    return metrics;
}

const std::string kEvaluationColumns =
    "SELECT id, run, iteration, seconds, samples, dataset, wall, metrics FROM evaluation ";

std::vector<EvaluationRecord> evaluationsOf(SQLite::Statement rows) {
    std::vector<EvaluationRecord> found;
    while (rows.executeStep()) {
        EvaluationRecord record;
        record.id = rows.getColumn(0).getInt64();
        record.run = rows.getColumn(1).getInt64();
        record.report.iteration = rows.getColumn(2).getInt64();
        record.report.seconds = rows.getColumn(3).getDouble();
        record.report.samples = rows.getColumn(4).getInt64();
        record.report.dataset = rows.getColumn(5).getString();
        record.wallMicroseconds = rows.getColumn(6).getInt64();
        record.report.metrics = metricsOf(rows.getColumn(7).getString());
        found.push_back(std::move(record));
    }
    return found;
}

} // namespace

Result<void> ProjectDatabase::addEvent(std::int64_t run, const RunEvent& event) {
    const Row row = {{"kind", int(event.kind)},
                     {"iteration", event.iteration},
                     {"wall", event.wallMicroseconds ? event.wallMicroseconds : wallMicroseconds()},
                     {"text", event.text}};
    return write([&]() -> Result<void> {
        if (!folderOf(run))
            return noRun(run);
        Row whole = row;
        whole["run"] = run;
        insertRow(*m_database, "event", whole);
        return appendHistory(run, "event", row);
    });
}

Result<std::vector<RunEvent>> ProjectDatabase::events(std::int64_t run) const {
    return read([&]() -> Result<std::vector<RunEvent>> {
        auto rows =
            m_database->statement("SELECT kind, iteration, wall, text FROM event WHERE run = ? ORDER BY id", run);
        std::vector<RunEvent> found;
        while (rows.executeStep())
            found.push_back({EventKind(rows.getColumn(0).getInt()), rows.getColumn(1).getInt64(),
                             rows.getColumn(2).getInt64(), rows.getColumn(3).getString()});
        return found;
    });
}

Result<void> ProjectDatabase::addEvaluation(std::int64_t run, const EvaluationReport& report) {
    nlohmann::json metrics = nlohmann::json::array();
    for (const auto& [name, value] : report.metrics)
        metrics.push_back({name, numberJson(value)});
    const std::string weights = report.weights == "raw" ? "" : " (" + report.weights + " weights)";
    const Row row = {{"iteration", report.iteration},       {"seconds", report.seconds},  {"samples", report.samples},
                     {"dataset", report.dataset + weights}, {"wall", wallMicroseconds()}, {"metrics", textOf(metrics)}};
    return write([&]() -> Result<void> {
        if (!folderOf(run))
            return noRun(run);
        Row whole = row;
        whole["run"] = run;
        insertRow(*m_database, "evaluation", whole);
        return appendHistory(run, "evaluation", row);
    });
}

Result<std::vector<EvaluationRecord>> ProjectDatabase::evaluations(std::int64_t run) const {
    return read([&]() -> Result<std::vector<EvaluationRecord>> {
        return evaluationsOf(m_database->statement((kEvaluationColumns + "WHERE run = ? ORDER BY id").c_str(), run));
    });
}

Result<std::vector<EvaluationRecord>> ProjectDatabase::newestEvaluations() const {
    return read([&]() -> Result<std::vector<EvaluationRecord>> {
        return evaluationsOf(
            m_database->statement((kEvaluationColumns + "WHERE id IN (SELECT max(e.id) FROM evaluation e JOIN run r ON "
                                                        "r.id = e.run WHERE r.is_deleted = 0 GROUP BY e.run) "
                                                        "ORDER BY run")
                                      .c_str()));
    });
}

} // namespace trainyard
