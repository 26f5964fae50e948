#include "app/workbench/StatusLine.h"

#include "widgets/theme/Numbers.h"
#include "widgets/theme/Theme.h"

#include <QHBoxLayout>
#include <QLabel>

#include <cmath>

namespace trainyard {

StatusLine::StatusLine(QWidget* parent) : QStatusBar(parent) {
    setSizeGripEnabled(false);
    setContentsMargins(2 * theme::quarter(this), 0, 2 * theme::quarter(this), 0);
    // the bar hides and shows this one part around its passing messages; the figures in it come and go by themselves
    auto* figures = new QWidget(this);
    auto* row = new QHBoxLayout(figures);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(0);
    m_loss = add(tr("Sum of the loss parts at the newest iteration, mean over the batch and over replicas. The arrow "
                    "compares it with its mean over about the last fifty iterations seen."),
                 row);
    m_rate = add(tr("Learning rate of the newest update, warm-up included."), row);
    m_speed = add(tr("Iterations per second, recent; evaluations and checkpoints are kept apart."), row);
    m_wait = add(tr("Share of the newest iteration that was spent waiting for data."), row);
    m_queue = add(tr("Batches ready in the loader's queue."), row);
    m_memory = add(tr("Resident memory of this process."), row);
    row->addStretch(1);
    addWidget(figures, 1);
    m_device = add(tr("What trainings in this window run on."), nullptr);
}

QLabel* StatusLine::add(const QString& tip, QLayout* row) {
    auto* label = new QLabel(this);
    label->setToolTip(tip);
    label->setContentsMargins(0, 0, 3 * theme::quarter(this), 0);
    if (row)
        row->addWidget(label);
    else
        addPermanentWidget(label);
    return label;
}

void StatusLine::setDevice(const QString& device) {
    m_device->setText(device);
}

void StatusLine::setState(const EngineState& engine, const std::optional<RunView>& view, const RunRecord* record) {
    const StepReport& step = engine.step;
    const bool isOurs = view && view->isOurs && step.iteration > 0;
    for (QLabel* label : {m_rate, m_speed, m_wait, m_queue, m_memory})
        label->setVisible(isOurs);
    m_loss->setVisible(isOurs || (record && record->iteration > 0));
    m_device->setVisible(!view || !view->isFollowed); // another process chose its own
    if (!isOurs) {
        if (record && record->iteration > 0)
            m_loss->setText(tr("loss %1").arg(theme::valueText(record->loss)));
        return;
    }
    QString arrow;
    if (m_lastRun != engine.run || step.iteration < m_lastIteration) {
        m_slowLoss = step.loss;
    } else if (step.iteration > m_lastIteration) {
        const double keep = std::pow(0.98, double(step.iteration - m_lastIteration));
        m_slowLoss = std::isfinite(m_slowLoss) ? keep * m_slowLoss + (1 - keep) * step.loss : step.loss;
    }
    m_lastRun = engine.run;
    m_lastIteration = step.iteration;
    if (std::abs(step.loss - m_slowLoss) > 0.01 * std::abs(m_slowLoss))
        arrow = step.loss < m_slowLoss ? QStringLiteral(" ↓") : QStringLiteral(" ↑");
    m_loss->setText(tr("loss %1").arg(theme::valueText(step.loss)) + arrow);
    m_rate->setText(tr("lr %1").arg(theme::rateText(step.learningRate)));
    m_speed->setText(engine.iterationsPerSecond > 0
                         ? tr("%1 it/s").arg(QLocale().toString(engine.iterationsPerSecond, 'f',
                                                                engine.iterationsPerSecond < 9.95 ? 2 : 1))
                         : QString());
    const double total = step.seconds.total;
    m_wait->setText(total > 0 ? tr("data wait %1").arg(theme::percentText(step.seconds.dataWait / total)) : QString());
    QString bars;
    for (int at = 0; at < std::min(step.queueCapacity, 12); ++at)
        bars += at < step.queueFill ? QChar(0x2587) : QChar(0x2581);
    m_queue->setText(bars.isEmpty() ? QString() : tr("queue %1").arg(bars));
    m_memory->setText(step.memoryBytes > 0 ? tr("memory %1").arg(theme::bytesText(step.memoryBytes)) : QString());
}

} // namespace trainyard
