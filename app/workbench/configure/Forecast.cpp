#include "app/workbench/configure/Forecast.h"

#include "widgets/theme/Numbers.h"

#include <QCoreApplication>

#include <algorithm>

namespace trainyard {
namespace {

struct ForecastText {
    Q_DECLARE_TR_FUNCTIONS(Forecast)
};

QString roleText(const DataFindings& findings, bool isForTraining, TaskKind task) {
    std::int64_t samples = 0, objects = 0;
    bool isEndless = false, isAny = false;
    for (const DataFindings::Set& set : findings.sets) {
        if (set.isForTraining != isForTraining)
            continue;
        isAny = true;
        isEndless = isEndless || set.samples < 0;
        samples += std::max<std::int64_t>(0, set.samples);
        objects += set.objects;
    }
    if (!isAny)
        return isForTraining ? QString() : ForecastText::tr("no validation");
    QStringList parts;
    if (samples > 0)
        parts << (task == TaskKind::Detection
                      ? ForecastText::tr("%1 images, %2 boxes").arg(theme::countText(samples), theme::countText(objects))
                      : ForecastText::tr("%1 words").arg(theme::countText(samples)));
    if (isEndless)
        parts << ForecastText::tr("words without end");
    return (isForTraining ? ForecastText::tr("train %1") : ForecastText::tr("validation %1")).arg(parts.join(QStringLiteral(" + ")));
}

QString classesText(const std::vector<std::string>& classes) {
    constexpr std::size_t kNamed = 4;
    QStringList names;
    for (std::size_t at = 0; at < std::min(classes.size(), kNamed); ++at)
        names << QString::fromStdString(classes[at]);
    if (classes.size() > kNamed)
        names << QStringLiteral("…");
    return QCoreApplication::translate("Forecast", "%n class(es): ", nullptr, int(classes.size())) +
           names.join(QStringLiteral(", "));
}

} // namespace

QString parametersText(const Forecast& forecast) {
    if (forecast.weight)
        return ForecastText::tr("%1 parameters").arg(theme::countText(forecast.weight->parameters));
    return forecast.isCounting ? ForecastText::tr("counting parameters…") : forecast.weightTrouble;
}

QString findingsText(const DataFindings& findings, TaskKind task) {
    QStringList parts;
    for (const bool isForTraining : {true, false})
        if (const QString text = roleText(findings, isForTraining, task); !text.isEmpty())
            parts << text;
    if (!findings.classes.empty())
        parts << classesText(findings.classes);
    return parts.join(QStringLiteral(" · "));
}

std::optional<double> epochs(const RunConfig& config, const DataFindings& findings) {
    std::int64_t samples = 0;
    for (const DataFindings::Set& set : findings.sets) {
        if (set.isForTraining && set.samples < 0)
            return std::nullopt;
        samples += set.isForTraining ? set.samples : 0;
    }
    if (samples == 0)
        return std::nullopt;
    const double total = double(config.data.batchSize) * double(std::max<std::int64_t>(1, config.solve.accumulate)) *
                         double(config.solve.iterations);
    return total / double(samples);
}

std::int64_t checkpointsKept(const RunConfig& config) {
    const std::int64_t every = config.train.checkpointEvery;
    const std::int64_t saved = every > 0 ? (config.solve.iterations + every - 1) / every : 1;
    const bool hasBest = config.train.evaluateEvery > 0;
    // the newest (the final one is among them), the best, and one more while it is being written
    return std::min(saved, config.train.keepLast + (hasBest ? 1 : 0) + 1);
}

std::int64_t checkpointBytes(const RunConfig& config, const ModelWeight& weight) {
    return checkpointsKept(config) * weight.checkpointBytes;
}

QString needsText(const RunConfig& config, const Forecast& forecast) {
    QStringList parts;
    if (forecast.weight && forecast.weight->memoryBytes > 0) {
        const QString memory = theme::bytesText(forecast.weight->memoryBytes);
        parts << (forecast.memoryTotal > 0
                      ? ForecastText::tr("about %1 of %2 memory").arg(memory, theme::bytesText(forecast.memoryTotal))
                      : ForecastText::tr("about %1 memory").arg(memory));
    }
    const QString free =
        forecast.diskFree >= 0 ? ForecastText::tr(", %1 are free").arg(theme::bytesText(forecast.diskFree)) : QString();
    if (!forecast.weight)
        return free.isEmpty() ? QString() : ForecastText::tr("disk: %1 free").arg(theme::bytesText(forecast.diskFree));
    parts << QCoreApplication::translate("Forecast", "at most %n checkpoint(s)", nullptr,
                                         int(checkpointsKept(config))) +
                 ForecastText::tr(" of %1: %2 disk")
                     .arg(theme::bytesText(forecast.weight->checkpointBytes),
                          theme::bytesText(checkpointBytes(config, *forecast.weight))) +
                 free;
    if (config.train.keepEveryHours > 0)
        parts << ForecastText::tr("one more every %1").arg(theme::durationText(config.train.keepEveryHours * 3600));
    return parts.join(QStringLiteral(" · "));
}

QString shortageText(const RunConfig& config, const Forecast& forecast) {
    if (!forecast.weight)
        return {};
    const std::int64_t disk = checkpointBytes(config, *forecast.weight);
    if (forecast.diskFree >= 0 && disk > forecast.diskFree)
        return ForecastText::tr("The checkpoints need %1, but only %2 are free: keep fewer (train.keep_last) or make room.")
            .arg(theme::bytesText(disk), theme::bytesText(forecast.diskFree));
    if (forecast.memoryTotal > 0 && forecast.weight->memoryBytes > forecast.memoryTotal)
        return ForecastText::tr("Training needs about %1 of memory, but there are only %2: lower data.batch_size.")
            .arg(theme::bytesText(forecast.weight->memoryBytes), theme::bytesText(forecast.memoryTotal));
    return {};
}

} // namespace trainyard
