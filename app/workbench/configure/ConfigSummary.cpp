#include "app/workbench/configure/ConfigSummary.h"

#include "core/solve/LearningRatePolicy.h"
#include "widgets/theme/Numbers.h"

#include <QCoreApplication>
#include <QFileInfo>

#include <algorithm>
#include <set>

namespace trainyard {
namespace {

struct ConfigSummaryText {
    Q_DECLARE_TR_FUNCTIONS(ConfigSummary)
};

QString datasets(const std::vector<DatasetConfig>& entries) {
    QStringList names;
    for (const DatasetConfig& entry : entries) {
        const QString path = QString::fromStdString(entry.path);
        names << (path.isEmpty() ? QString::fromStdString(entry.format) : QFileInfo(path).fileName());
    }
    return names.join(QStringLiteral(", "));
}

} // namespace

QString modelSummary(const RunConfig& config) {
    const auto& model = config.model;
    const QString type = QString::fromStdString(model.type);
    if (model.type == "crnn")
        return ConfigSummaryText::tr("crnn · words in images of %1×%2, %3")
            .arg(model.crnn.width)
            .arg(model.crnn.height)
            .arg(model.crnn.channels == 1 ? ConfigSummaryText::tr("grey") : ConfigSummaryText::tr("colour"));
    if (model.type == "aster")
        return ConfigSummaryText::tr("aster · words in images of %1×%2, %3")
            .arg(model.aster.width)
            .arg(model.aster.height)
            .arg(model.aster.channels == 1 ? ConfigSummaryText::tr("grey") : ConfigSummaryText::tr("colour"));
    if (model.type == "retinanet")
        return ConfigSummaryText::tr("retinanet on ResNet-%1 · objects in images of %2 pixels")
            .arg(model.retinanet.depth)
            .arg(model.retinanet.inputSize);
    if (taskOf(model) == TaskKind::Detection)
        return ConfigSummaryText::tr("%1 on %2 · objects in images of %3 pixels")
            .arg(type)
            .arg(model.rcnn.body == "resnet" ? ConfigSummaryText::tr("ResNet-%1").arg(model.rcnn.depth)
                                             : QString::fromStdString(model.rcnn.body))
            .arg(model.rcnn.inputSize);
    return type;
}

QString batchSummary(const RunConfig& config) {
    const std::int64_t total = config.data.batchSize * std::max<std::int64_t>(1, config.solve.accumulate);
    const auto replicas = std::int64_t(config.train.devices.size());
    QString text = ConfigSummaryText::tr("%1 samples an update").arg(theme::countText(total));
    if (config.solve.accumulate > 1 || replicas > 1) {
        QStringList factors = {theme::countText(config.data.batchSize / std::max<std::int64_t>(1, replicas))};
        if (replicas > 1)
            factors << ConfigSummaryText::tr("%1 devices").arg(replicas);
        if (config.solve.accumulate > 1)
            factors << ConfigSummaryText::tr("%1 batches").arg(config.solve.accumulate);
        text += QStringLiteral(" (%1)").arg(factors.join(QStringLiteral(" × ")));
    }
    return ConfigSummaryText::tr("%1 · %2 updates · %3 samples")
        .arg(text, theme::countText(config.solve.iterations), theme::countText(total * config.solve.iterations));
}

QString scheduleSummary(const RunConfig& config) {
    const auto policy = makePolicy(config.solve);
    const double last = policy->rateAt(std::max<std::int64_t>(0, config.solve.iterations - 1));
    QString text = QString::fromStdString(config.solve.optimizer) + QStringLiteral(" · ") +
                   ConfigSummaryText::tr("rate %1").arg(theme::rateText(config.solve.baseLr));
    if (config.solve.policy != "constant")
        text += ConfigSummaryText::tr(", %1 to %2").arg(QString::fromStdString(config.solve.policy), theme::rateText(last));
    if (config.solve.warmUp.iterations > 0)
        text += ConfigSummaryText::tr(" · warm-up over %1").arg(theme::countText(config.solve.warmUp.iterations));
    return text;
}

QString dataSummary(const RunConfig& config) {
    if (config.data.train.empty())
        return ConfigSummaryText::tr("No training data yet: add a dataset under data, train.");
    QString text = ConfigSummaryText::tr("trains on %1").arg(datasets(config.data.train));
    if (!config.data.validation.empty())
        text += ConfigSummaryText::tr(" · validates on %1").arg(datasets(config.data.validation));
    else if (config.data.split.validationShare > 0)
        text += ConfigSummaryText::tr(" · validates on %1 set aside").arg(theme::percentText(config.data.split.validationShare));
    else
        text += ConfigSummaryText::tr(" · no validation");
    return text;
}

std::vector<QPointF> schedulePoints(const SolveConfig& solve, int count) {
    const auto policy = makePolicy(solve);
    const std::int64_t last = std::max<std::int64_t>(1, solve.iterations - 1);
    std::set<std::int64_t> iterations = {0, last, std::min(last, solve.warmUp.iterations)};
    for (int at = 0; at <= count; ++at)
        iterations.insert(last * at / count);
    for (const std::int64_t step : solve.steps)
        if (step > 0 && step < last) {
            iterations.insert(step - 1);
            iterations.insert(step);
        }
    std::vector<QPointF> points;
    for (const std::int64_t iteration : iterations)
        points.emplace_back(double(iteration), policy->rateAt(iteration));
    return points;
}

} // namespace trainyard
