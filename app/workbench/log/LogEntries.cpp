#include "app/workbench/log/LogEntries.h"

#include "core/evaluate/Metrics.h"
#include "widgets/theme/Numbers.h"

#include <QCoreApplication>

#include <algorithm>
#include <set>

namespace trainyard {
namespace {

struct LogEntriesText {
    Q_DECLARE_TR_FUNCTIONS(LogEntries)
};

QString fallbackText(EventKind kind) {
    return QString::fromLatin1(eventName(kind));
}

QString checkpointText(const ProjectSnapshot& project, const RunEvent& event) {
    const QString path = QString::fromStdString(event.text);
    if (event.kind == EventKind::CheckpointDeleted)
        return LogEntriesText::tr("%1 removed: newer ones are kept (train.keep_last)").arg(path);
    const auto at = std::find_if(project.checkpoints.begin(), project.checkpoints.end(),
                                 [&](const CheckpointRecord& each) { return each.report.path == event.text; });
    return at == project.checkpoints.end() ? path : LogEntriesText::tr("%1 (%2)").arg(path, theme::bytesText(at->report.bytes));
}

QString evaluationText(const EvaluationReport& report) {
    QStringList metrics;
    for (const auto& [name, value] : report.metrics)
        metrics << QStringLiteral("%1 %2").arg(QString::fromStdString(name),
                                               isMeasured(value) ? theme::valueText(value) : LogEntriesText::tr("n/a"));
    return LogEntriesText::tr("%1 samples in %2: %3")
        .arg(theme::countText(report.samples), theme::durationText(report.seconds), metrics.join(QStringLiteral(", ")));
}

LogEntry entryOf(const ProjectSnapshot& project, const RunEvent& event) {
    LogEntry entry{event.wallMicroseconds, project.shownRun, event.iteration, LogEntry::Kind::Note,
                   QString::fromStdString(event.text)};
    switch (event.kind) {
    case EventKind::CheckpointSaved:
    case EventKind::CheckpointDeleted:
        entry.kind = LogEntry::Kind::Checkpoint;
        entry.text = checkpointText(project, event);
        break;
    case EventKind::Evaluated:
        entry.kind = LogEntry::Kind::Evaluation;
        break;
    case EventKind::Warning:
    case EventKind::ConfigurationChanged:
        entry.kind = LogEntry::Kind::Warning;
        break;
    case EventKind::NonFinite:
    case EventKind::Failed:
        entry.kind = LogEntry::Kind::Error;
        break;
    default:
        break;
    }
    if (entry.text.isEmpty())
        entry.text = fallbackText(event.kind);
    return entry;
}

} // namespace

QString kindText(LogEntry::Kind kind) {
    switch (kind) {
    case LogEntry::Kind::Note:
        return LogEntriesText::tr("note");
    case LogEntry::Kind::Checkpoint:
        return LogEntriesText::tr("checkpoint");
    case LogEntry::Kind::Evaluation:
        return LogEntriesText::tr("evaluation");
    case LogEntry::Kind::Warning:
        return LogEntriesText::tr("warning");
    case LogEntry::Kind::Error:
        return LogEntriesText::tr("error");
    }
    return {};
}

std::vector<LogEntry> entriesOf(const ProjectSnapshot& project) {
    std::vector<LogEntry> entries;
    std::set<std::int64_t> evaluated; // the whole report says more than the event of the same iteration
    for (const EvaluationRecord& each : project.evaluations) {
        entries.push_back({each.wallMicroseconds, project.shownRun, each.report.iteration, LogEntry::Kind::Evaluation,
                           evaluationText(each.report)});
        evaluated.insert(each.report.iteration);
    }
    for (const RunEvent& event : project.events)
        if (event.kind != EventKind::Evaluated || !evaluated.contains(event.iteration))
            entries.push_back(entryOf(project, event));
    std::stable_sort(entries.begin(), entries.end(),
                     [](const LogEntry& a, const LogEntry& b) { return a.wallMicroseconds < b.wallMicroseconds; });
    return entries;
}

} // namespace trainyard
