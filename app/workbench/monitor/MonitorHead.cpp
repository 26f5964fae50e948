#include "app/workbench/monitor/MonitorHead.h"

#include "widgets/plots/PlotCurve.h"
#include "widgets/theme/Numbers.h"
#include "widgets/theme/Theme.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QSlider>
#include <QToolButton>

#include <cmath>

namespace trainyard {
namespace {

constexpr int kSmoothing = 90; ///< hundredths, until one chooses otherwise

} // namespace

MonitorHead::MonitorHead(QWidget* parent)
    : QWidget(parent), m_smoothing(new QSlider(Qt::Horizontal, this)), m_smoothingValue(new QLabel(this)),
      m_cursor(new QLabel(this)), m_range(new QLabel(this)) {
    const int quarter = theme::quarter(this);
    auto* label = new QLabel(tr("S&moothing"), this);
    label->setBuddy(m_smoothing);
    m_smoothing->setRange(0, 99);
    m_smoothing->setFixedWidth(fontMetrics().averageCharWidth() * 22);
    m_smoothing->setToolTip(
        tr("How much of the past the drawn line keeps over one point: 0 draws the points themselves. "
           "The points stay visible beneath it."));
    m_smoothing->setAccessibleName(tr("Smoothing of the curves"));
    m_smoothingValue->setMinimumWidth(fontMetrics().horizontalAdvance(QStringLiteral("0.00 ")));
    m_logIterations = addButton(tr("Log Iterations"), tr("Logarithmic scale of iterations, in all plots"), true);
    m_samples = addButton(tr("Samples"), tr("What the newest evaluation read or found in its first samples"), true);
    m_reset = addButton(tr("Reset Arrangement"), tr("Put the plots back into their first order and size"), false);
    m_all = addButton(tr("Show All"), tr("Show every iteration and follow the newest (Escape)"), false);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(4 * quarter, 2 * quarter, 4 * quarter, 0);
    row->setSpacing(2 * quarter);
    for (QWidget* widget :
         std::initializer_list<QWidget*>{label, m_smoothing, m_smoothingValue, m_logIterations, m_samples, m_reset})
        row->addWidget(widget);
    row->addStretch(1);
    row->addWidget(m_cursor);
    row->addSpacing(4 * quarter);
    row->addWidget(m_range);
    row->addWidget(m_all);
    connect(m_smoothing, &QSlider::valueChanged, this, [this](int value) {
        m_smoothingValue->setText(QLocale().toString(value / 100.0, 'f', 2));
        Q_EMIT smoothingChanged(value / 100.0);
    });
    connect(m_logIterations, &QToolButton::toggled, this, &MonitorHead::logIterationsChanged);
    connect(m_samples, &QToolButton::toggled, this, &MonitorHead::samplesToggled);
    connect(m_reset, &QToolButton::clicked, this, &MonitorHead::arrangementResetAsked);
    connect(m_all, &QToolButton::clicked, this, &MonitorHead::allAsked);
    m_samples->setChecked(true);
    m_samples->hide();
    m_smoothing->setValue(kSmoothing);
}

QToolButton* MonitorHead::addButton(const QString& text, const QString& tip, bool isCheckable) {
    auto* button = new QToolButton(this);
    button->setText(text);
    button->setToolTip(tip);
    button->setCheckable(isCheckable);
    return button;
}

double MonitorHead::smoothing() const {
    return m_smoothing->value() / 100.0;
}

bool MonitorHead::isLogIterations() const {
    return m_logIterations->isChecked();
}

bool MonitorHead::showsSamples() const {
    return m_samples->isChecked();
}

void MonitorHead::setSamples(bool hasSamples) {
    m_samples->setVisible(hasSamples);
}

void MonitorHead::setCursor(std::optional<double> iteration) {
    m_cursor->setText(iteration ? tr("iteration %1").arg(theme::countText(std::llround(*iteration))) : QString());
}

void MonitorHead::setView(const PlotView& view, bool isArranged) {
    m_reset->setVisible(isArranged);
    m_all->setVisible(!view.isAll);
    if (view.isAll)
        m_range->setText({});
    else if (view.followsEnd)
        m_range->setText(tr("newest %1 iterations").arg(theme::countText(std::int64_t(view.to - view.from))));
    else
        m_range->setText(tr("iterations %1 – %2")
                             .arg(theme::countText(std::int64_t(view.from)), theme::countText(std::int64_t(view.to))));
}

void MonitorHead::save(QJsonObject& settings) const {
    settings[QStringLiteral("smoothing")] = m_smoothing->value();
    settings[QStringLiteral("logIterations")] = m_logIterations->isChecked();
    settings[QStringLiteral("samples")] = m_samples->isChecked();
}

void MonitorHead::load(const QJsonObject& settings) {
    m_smoothing->setValue(settings[QStringLiteral("smoothing")].toInt(kSmoothing));
    m_logIterations->setChecked(settings[QStringLiteral("logIterations")].toBool());
    m_samples->setChecked(settings[QStringLiteral("samples")].toBool(true));
}

} // namespace trainyard
