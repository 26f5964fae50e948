#include "app/workbench/runs/ComparisonRows.h"

#include "core/config/Schema.h"
#include "widgets/theme/Numbers.h"

#include <QCoreApplication>

#include <algorithm>
#include <functional>

namespace trainyard {
namespace {

struct ComparisonText {
    Q_DECLARE_TR_FUNCTIONS(Comparison)
};

bool differ(const QStringList& values) {
    return std::any_of(values.begin(), values.end(), [&](const QString& each) { return each != values.front(); });
}

QString lines(const std::vector<std::string>& texts) {
    QStringList list;
    for (const std::string& text : texts)
        list << QString::fromStdString(text);
    return list.join(QLatin1Char(' '));
}

QString datasetNames(const std::vector<DatasetConfig>& sets) {
    QStringList list;
    for (const DatasetConfig& set : sets)
        list << QString::fromStdString(set.path.empty() ? set.format : set.format + ":" + set.path);
    return list.join(QStringLiteral(", "));
}

} // namespace

std::vector<ComparisonRow> configurationRows(const std::vector<ComparedRun>& runs) {
    std::vector<ComparisonRow> rows;
    for (const Field& field : Schema::instance().fields()) {
        ComparisonRow row{QString::fromStdString(field.key), QString::fromStdString(field.help), {}, false};
        for (const ComparedRun& run : runs)
            row.values << (run.config ? QString::fromStdString(toText(field.read(*run.config))) : QString());
        row.isDifferent = differ(row.values);
        rows.push_back(std::move(row));
    }
    return rows;
}

std::vector<ComparisonRow> environmentRows(const std::vector<ComparedRun>& runs) {
    std::vector<ComparisonRow> rows;
    const auto add = [&](const QString& name, const QString& help,
                         const std::function<QString(const ComparedRun&)>& value) {
        ComparisonRow row{name, help, {}, false};
        for (const ComparedRun& run : runs)
            row.values << value(run);
        row.isDifferent = differ(row.values);
        rows.push_back(std::move(row));
    };
    add(ComparisonText::tr("Device"), ComparisonText::tr("What it computed on, with how many threads and how exactly"),
        [](const auto& run) { return QString::fromStdString(run.provenance.device); });
    add(ComparisonText::tr("Libraries"), {},
        [](const auto& run) { return QString::fromStdString(run.provenance.libraries); });
    add(ComparisonText::tr("Program"), ComparisonText::tr("The version of Trainyard that made the run"),
        [](const auto& run) { return QString::fromStdString(run.provenance.codeVersion); });
    add(ComparisonText::tr("Seed"), ComparisonText::tr("What all random choices of the run follow from"),
        [](const auto& run) { return QString::number(run.provenance.seed); });
    add(ComparisonText::tr("Data"),
        ComparisonText::tr("Fingerprint of all samples and annotations: the same data has the same"),
        [](const auto& run) { return QString::fromStdString(run.provenance.dataFingerprint); });
    add(ComparisonText::tr("Trains on"), {},
        [](const auto& run) { return run.config ? datasetNames(run.config->data.train) : QString(); });
    add(ComparisonText::tr("Validates on"), {},
        [](const auto& run) { return run.config ? datasetNames(run.config->data.validation) : QString(); });
    add(ComparisonText::tr("Given at the start"), ComparisonText::tr("Keys that were set on the command line"),
        [](const auto& run) { return lines(run.provenance.overrides); });
    add(ComparisonText::tr("Fine-tuned from"), ComparisonText::tr("The checkpoint that its weights came from"),
        [](const auto& run) {
            return run.record.parentCheckpoint ? QStringLiteral("#%1").arg(*run.record.parentCheckpoint) : QString();
        });
    add(ComparisonText::tr("Trained for"), {}, [](const auto& run) { return theme::durationText(run.record.seconds); });
    add(ComparisonText::tr("Made"), {},
        [](const auto& run) { return theme::whenText(run.record.createdMicroseconds); });
    return rows;
}

} // namespace trainyard
