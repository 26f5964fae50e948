#include "app/workbench/configure/ConfigFacts.h"

#include "app/workbench/configure/ConfigSummary.h"
#include "widgets/plots/SmallCurve.h"
#include "widgets/theme/Icon.h"
#include "widgets/theme/Ink.h"
#include "widgets/theme/Numbers.h"

#include <QEvent>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QPainter>
#include <QPushButton>
#include <QToolButton>

#include <algorithm>
#include <cmath>

namespace trainyard {
namespace {

/// One line, unless it may wrap; what does not fit is said to be missing by its dots, and stands in the tip.
class FactLabel final : public QLabel {
public:
    using QLabel::QLabel;

protected:
    void paintEvent(QPaintEvent* event) override {
        if (wordWrap())
            return QLabel::paintEvent(event);
        QPainter painter(this);
        painter.setPen(palette().color(QPalette::WindowText));
        painter.drawText(rect(), Qt::AlignLeft | Qt::AlignVCenter,
                         fontMetrics().elidedText(text(), Qt::ElideRight, width()));
    }
};

} // namespace

ConfigFacts::ConfigFacts(QWidget* parent)
    : QWidget(parent), m_curve(new SmallCurve(this)), m_problems(new QPushButton(this)), m_look(new QToolButton(this)),
      m_dataProblems(new QToolButton(this)), m_problemMenu(new QMenu(this)) {
    const int quarter = theme::quarter(this);
    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(0, 0, 0, 0);
    grid->setHorizontalSpacing(3 * quarter);
    grid->setVerticalSpacing(quarter / 2);
    m_model = addFact(grid, 0, 0, tr("Model"), tr("The network and how many numbers it learns"));
    m_data = addFact(grid, 1, 0, tr("Data"), tr("What a training finds in its data; nothing is decoded for this"));
    m_needs = addFact(grid, 2, 0, tr("Needs"),
                      tr("Memory of the process while it trains, measured on blank images, and the disk that its "
                         "checkpoints take at most"));
    m_batch = addFact(grid, 0, 2, tr("Batch"), tr("Samples an update, and over the whole training"));
    m_schedule = addFact(grid, 1, 2, tr("Schedule"), tr("Optimiser and learning rate"));
    m_needs->setObjectName(QStringLiteral("needs"));
    m_needs->setAlignment(Qt::AlignLeft | Qt::AlignTop);
    m_needs->setWordWrap(true); // beside the curve there is room for two lines
    m_needs->setMinimumHeight(2 * fontMetrics().lineSpacing());
    for (QWidget* widget : {static_cast<QWidget*>(m_names[2]), static_cast<QWidget*>(m_needs)}) // beside the curve
        grid->setAlignment(widget, Qt::AlignTop | (widget == m_needs ? Qt::Alignment() : Qt::AlignLeft));
    auto* beside = new QHBoxLayout;
    beside->setSpacing(quarter);
    for (QToolButton* button : {m_look, m_dataProblems}) {
        button->setAutoRaise(true);
        beside->addWidget(button);
    }
    auto* dataRow = new QHBoxLayout;
    dataRow->setSpacing(2 * quarter);
    grid->removeWidget(m_data);
    dataRow->addWidget(m_data, 1);
    dataRow->addLayout(beside);
    grid->addLayout(dataRow, 1, 1);
    auto* last = new QHBoxLayout;
    last->setSpacing(3 * quarter);
    last->addWidget(m_curve);
    m_problems->setFlat(true);
    m_problems->setIcon(theme::icon(QStringLiteral("warning"), theme::Tone::Bad));
    last->addWidget(m_problems);
    last->addStretch(1);
    grid->addLayout(last, 2, 3);
    grid->setColumnStretch(1, 5);
    grid->setColumnStretch(3, 4);
    m_curve->setToolTip(tr("The learning rate over the iterations"));
    m_dataProblems->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_dataProblems->setIcon(theme::icon(QStringLiteral("warning"), theme::Tone::Warning));
    connect(m_dataProblems, &QToolButton::clicked, this,
            [this] { m_problemMenu->popup(m_dataProblems->mapToGlobal(QPoint(0, m_dataProblems->height()))); });
    m_dataProblems->setToolTip(tr("What is wrong in the data; training treats it as configured"));
    connect(m_problems, &QPushButton::clicked, this, &ConfigFacts::firstProblemAsked);
    connect(m_look, &QToolButton::clicked, this, [this] {
        if (m_forecast.isLooking)
            Q_EMIT lookCancelled();
        else
            Q_EMIT lookAsked();
    });
    followTheme();
}

QLabel* ConfigFacts::addFact(QGridLayout* grid, int row, int column, const QString& name, const QString& tip) {
    auto* label = new QLabel(name, this);
    auto* fact = new FactLabel(this);
    fact->setMinimumWidth(1); // a long one must not keep the window wide
    fact->setTextFormat(Qt::PlainText);
    label->setToolTip(tip);
    grid->addWidget(label, row, column, Qt::AlignLeft | Qt::AlignVCenter);
    grid->addWidget(fact, row, column + 1);
    m_names << label;
    m_facts << fact;
    return fact;
}

void ConfigFacts::setConfig(const ParsedConfig& parsed) {
    m_parsed = parsed;
    const bool isScheduleGood = std::none_of(parsed.problems.begin(), parsed.problems.end(), [](const auto& problem) {
        return problem.key.empty() || problem.key.starts_with("solve");
    });
    m_schedule->setText(isScheduleGood ? scheduleSummary(parsed.config) : tr("to be mended"));
    m_curve->setVisible(isScheduleGood);
    if (isScheduleGood)
        m_curve->setPoints(schedulePoints(parsed.config.solve, 120));
    m_problems->setVisible(!parsed.isGood());
    m_problems->setText(tr("%n problem(s)", nullptr, int(parsed.problems.size())));
    show();
}

void ConfigFacts::setForecast(const Forecast& forecast) {
    m_forecast = forecast;
    show();
}

void ConfigFacts::show() {
    const RunConfig& config = m_parsed.config;
    QString model = modelSummary(config);
    if (const QString parameters = parametersText(m_forecast); !parameters.isEmpty())
        model += QStringLiteral(" · ") + parameters;
    m_model->setText(model);
    QString batch = batchSummary(config);
    if (const auto times = m_forecast.findings ? epochs(config, *m_forecast.findings) : std::nullopt)
        batch +=
            tr(" · %1 epochs").arg(*times < 100 ? theme::valueText(*times) : theme::countText(std::llround(*times)));
    m_batch->setText(batch);
    showData();
    const QString shortage = shortageText(config, m_forecast);
    const QString needs = trainyard::needsText(config, m_forecast);
    m_needs->setText(!shortage.isEmpty() ? shortage : needs.isEmpty() ? QStringLiteral("–") : needs);
    theme::setInk(m_needs,
                  shortage.isEmpty() ? theme::dimText(palette()) : theme::toneColour(theme::Tone::Bad, palette()));
    for (QLabel* fact : m_facts)
        fact->setToolTip(fact->text()); // where it is cut
}

void ConfigFacts::showData() {
    QString text = dataSummary(m_parsed.config);
    bool isTrouble = false;
    if (m_forecast.isLooking) {
        text = m_forecast.lookProgress.isEmpty() ? tr("Looking at the data…") : m_forecast.lookProgress;
    } else if (m_forecast.findings) {
        text = findingsText(*m_forecast.findings, taskOf(m_parsed.config.model));
    } else if (!m_forecast.dataTrouble.isEmpty() && !m_parsed.config.data.train.empty()) {
        text = m_forecast.dataTrouble;
        isTrouble = true;
    }
    m_data->setText(text);
    theme::setInk(m_data, isTrouble ? theme::toneColour(theme::Tone::Bad, palette()) : theme::dimText(palette()));
    m_look->setVisible(m_forecast.isLooking || isTrouble);
    m_look->setText(m_forecast.isLooking ? tr("Cancel") : tr("Look Again"));
    m_look->setToolTip(m_forecast.isLooking ? tr("Stop looking at the data; a start looks at it again")
                                            : tr("Look at the data again"));
    std::int64_t problems = 0;
    if (m_forecast.findings)
        for (const DataFindings::Set& set : m_forecast.findings->sets)
            problems += set.problems;
    m_dataProblems->setVisible(problems > 0);
    if (problems == 0)
        return;
    m_dataProblems->setText(tr("%n problem(s)", nullptr, int(problems)));
    m_problemMenu->clear();
    for (const std::string& problem : m_forecast.findings->problems)
        m_problemMenu->addAction(QString::fromStdString(problem).replace(QLatin1Char('&'), QLatin1String("&&")));
}

QString ConfigFacts::modelText() const {
    return m_model->text();
}

QString ConfigFacts::dataText() const {
    return m_data->text();
}

QString ConfigFacts::batchText() const {
    return m_batch->text();
}

QString ConfigFacts::needsText() const {
    return m_needs->text();
}

void ConfigFacts::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange && m_model)
        followTheme();
}

void ConfigFacts::followTheme() {
    for (QLabel* name : m_names)
        theme::setInk(name, theme::dimText(palette()));
    for (QLabel* fact : {m_batch, m_schedule})
        theme::setInk(fact, theme::dimText(palette()));
    show();
}

} // namespace trainyard
