#include "app/workbench/resume/ResumeDialog.h"

#include "app/workbench/RunView.h"
#include "app/workbench/configure/ConfigSummary.h"
#include "core/solve/LearningRatePolicy.h"
#include "widgets/plots/SmallCurve.h"
#include "widgets/theme/Icon.h"
#include "widgets/theme/Ink.h"
#include "widgets/theme/Numbers.h"

#include <QCheckBox>
#include <QDialogButtonBox>
#include <QFormLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>
#include <QTableWidget>
#include <QVBoxLayout>

#include <algorithm>

namespace trainyard {
namespace {

constexpr int kMostFurther = 1'000'000'000;
constexpr int kMostRows = 8; ///< in sight at once

std::vector<ResumeChange> changesOf(const RunConfig& stored, const std::optional<RunConfig>& wanted) {
    return wanted ? resumeChanges(stored, *wanted) : std::vector<ResumeChange>();
}

} // namespace

ResumeDialog::ResumeDialog(const RunRecord& run, const RunConfig& stored, const std::optional<RunConfig>& wanted,
                           QWidget* parent)
    : QDialog(parent), m_run(run), m_stored(stored), m_changes(changesOf(stored, wanted)),
      m_further(new QSpinBox(this)),
      m_takeChanges(new QCheckBox(tr("&Take the values that differ in Configure"), this)),
      m_acceptChanges(new QCheckBox(tr("Go on &even if data, libraries or processor changed"), this)),
      m_table(new QTableWidget(this)), m_plan(new QLabel(this)), m_rate(new QLabel(this)),
      m_curve(new SmallCurve(this)), m_go(new QPushButton(theme::icon(QStringLiteral("resume")), QString(), this)) {
    setWindowTitle(tr("Go On with %1").arg(runTitle(run)));
    setAttribute(Qt::WA_DeleteOnClose);
    const bool isDone = run.iteration >= stored.solve.iterations;
    m_further->setRange(isDone ? 1 : 0, kMostFurther);
    m_further->setGroupSeparatorShown(true);
    m_further->setSingleStep(int(std::clamp<std::int64_t>(stored.solve.iterations / 10, 1, kMostFurther)));
    m_further->setValue(isDone ? int(std::clamp<std::int64_t>(stored.solve.iterations / 4, 1, kMostFurther)) : 0);
    m_further->setSuffix(tr(" iterations"));
    m_further->setToolTip(tr("Iterations beyond those that were planned"));
    m_acceptChanges->setToolTip(tr("What changed is listed in the run's history; the result is then not exactly that "
                                   "of an uninterrupted run."));
    makeTable();
    m_takeChanges->setVisible(!m_changes.empty());

    const int quarter = theme::quarter(this);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(4 * quarter, 4 * quarter, 4 * quarter, 4 * quarter);
    column->setSpacing(3 * quarter);
    m_plan->setWordWrap(true);
    m_rate->setWordWrap(true);
    column->addWidget(m_plan);
    auto* form = new QFormLayout;
    form->addRow(tr("&Further"), m_further);
    column->addLayout(form);
    column->addWidget(m_takeChanges);
    column->addWidget(m_table);
    column->addWidget(m_acceptChanges);
    auto* rate = new QHBoxLayout;
    rate->setSpacing(4 * quarter);
    m_curve->setToolTip(tr("The learning rate over the iterations; faint, as it was planned before"));
    rate->addWidget(m_curve);
    rate->addWidget(m_rate, 1);
    column->addLayout(rate);
    column->addStretch(1);
    auto* buttons = new QDialogButtonBox(this);
    buttons->addButton(QDialogButtonBox::Cancel);
    buttons->addButton(m_go, QDialogButtonBox::AcceptRole);
    m_go->setDefault(true);
    column->addWidget(buttons);
    setMinimumWidth(fontMetrics().averageCharWidth() * 100);
    connect(m_further, &QSpinBox::valueChanged, this, &ResumeDialog::showPlan);
    connect(m_takeChanges, &QCheckBox::toggled, this, &ResumeDialog::showPlan);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    connect(buttons, &QDialogButtonBox::accepted, this, [this] {
        Q_EMIT decided(choice());
        accept();
    });
    m_further->setFocus();
    showPlan();
}

void ResumeDialog::makeTable() {
    m_table->setVisible(!m_changes.empty());
    m_table->setColumnCount(4);
    m_table->setRowCount(int(m_changes.size()));
    m_table->setHorizontalHeaderLabels({tr("Key"), tr("In the run"), tr("In Configure"), tr("On resume")});
    m_table->verticalHeader()->hide();
    m_table->horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    m_table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_table->setSelectionMode(QAbstractItemView::NoSelection);
    m_table->setFocusPolicy(Qt::NoFocus);
    m_table->setShowGrid(false);
    m_table->setAccessibleName(tr("Values that differ"));
    for (int row = 0; row < int(m_changes.size()); ++row) {
        const ResumeChange& change = m_changes[std::size_t(row)];
        const QStringList cells = {QString::fromStdString(change.key), QString::fromStdString(change.before),
                                   QString::fromStdString(change.after),
                                   change.applies ? tr("applies") : tr("cannot change: start a new run")};
        for (int at = 0; at < int(cells.size()); ++at) {
            auto* cell = new QTableWidgetItem(cells[at]);
            cell->setToolTip(cells[at]);
            if (!change.applies)
                cell->setForeground(at == 3 ? theme::toneColour(theme::Tone::Warning, palette())
                                            : theme::dimText(palette()));
            m_table->setItem(row, at, cell);
        }
    }
    m_table->setFrameShape(QFrame::NoFrame);
    m_table->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_table->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    auto* head = m_table->horizontalHeader();
    for (const int fitted : {0, 3})
        head->setSectionResizeMode(fitted, QHeaderView::ResizeToContents);
    for (const int elided : {1, 2})
        head->setSectionResizeMode(elided, QHeaderView::Stretch);
    const int rowHeight = fontMetrics().lineSpacing() + 2 * theme::quarter(this);
    m_table->verticalHeader()->setMinimumSectionSize(rowHeight);
    m_table->verticalHeader()->setDefaultSectionSize(rowHeight);
    m_table->setFixedHeight(head->sizeHint().height() + std::min(int(m_changes.size()), kMostRows) * rowHeight + 2);
}

std::vector<ResumeChange> ResumeDialog::taken() const {
    return m_takeChanges->isChecked() ? m_changes : std::vector<ResumeChange>();
}

ResumeChoice ResumeDialog::choice() const {
    return {m_further->value(), overridesOf(taken()), m_acceptChanges->isChecked()};
}

QString ResumeDialog::rateText() const {
    return m_rate->text();
}

void ResumeDialog::showPlan() {
    const RunConfig plan = planned(m_stored, taken(), m_further->value());
    const std::int64_t last = plan.solve.iterations;
    m_table->setEnabled(m_takeChanges->isChecked());
    m_plan->setText(tr("%1 has done %2 of %3 iterations. It goes on from its newest checkpoint, to iteration %4.")
                        .arg(runTitle(m_run), theme::countText(m_run.iteration),
                             theme::countText(m_stored.solve.iterations), theme::countText(last)));
    const bool canGo = last > m_run.iteration || m_run.status != RunStatus::Finished;
    m_go->setEnabled(canGo);
    m_go->setText(m_further->value() > 0 ? tr("Train Further") : tr("Resume"));
    m_curve->setPoints(schedulePoints(plan.solve, 120));
    m_curve->setBefore(schedulePoints(m_stored.solve, 120));
    const auto before = makePolicy(m_stored.solve), after = makePolicy(plan.solve);
    const std::int64_t next = m_run.iteration;
    const double was = before->rateAt(std::max<std::int64_t>(0, std::min(next, m_stored.solve.iterations) - 1));
    m_rate->setText(tr("Learning rate: %1 until now, %2 at iteration %3, %4 at the end.")
                        .arg(theme::rateText(was), theme::rateText(after->rateAt(next)), theme::countText(next + 1),
                             theme::rateText(after->rateAt(std::max<std::int64_t>(0, last - 1)))));
}

} // namespace trainyard
