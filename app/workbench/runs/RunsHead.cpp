#include "app/workbench/runs/RunsHead.h"

#include "app/workbench/runs/RunsModel.h"
#include "widgets/theme/Icon.h"
#include "widgets/theme/Ink.h"
#include "widgets/theme/Numbers.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QToolButton>
#include <QVBoxLayout>

#include <set>

namespace trainyard {

RunsHead::RunsHead(RunsModel* model, RunsFilter* filter, QWidget* parent)
    : QWidget(parent), m_model(model), m_filter(filter), m_search(new QLineEdit(this)), m_kind(new QComboBox(this)),
      m_count(new QLabel(this)), m_problem(new QLabel(this)), m_menu(new QMenu(this)) {
    const int quarter = theme::quarter(this);
    setBackgroundRole(QPalette::Base);
    setAutoFillBackground(true);
    m_search->setPlaceholderText(tr("Words, or tag:baseline  loss<0.5  bbox/AP50>=0.3  made:7d"));
    m_search->setToolTip(
        tr("Words in name, state, model, tags, group or notes, and terms: tag: group: state: model: name: note: "
           "made: loss< time> and any metric or key, such as solve.base_lr>=0.01. "
           "A minus before a term asks for the others."));
    m_search->setClearButtonEnabled(true);
    m_search->addAction(theme::icon(QStringLiteral("search")), QLineEdit::LeadingPosition);
    m_search->setAccessibleName(tr("Filter of runs"));
    m_kind->addItems({tr("All States"), tr("Active"), tr("Finished"), tr("Ended Early"), tr("Deleted")});
    m_kind->setAccessibleName(tr("Runs shown by state"));
    auto* terms = new QToolButton(this);
    terms->setText(tr("Add Filter"));
    terms->setToolTip(tr("Write a term into the filter line"));
    terms->setPopupMode(QToolButton::InstantPopup);
    terms->setMenu(m_menu);
    auto* columns = new QToolButton(this);
    columns->setText(tr("Columns…"));
    columns->setToolTip(tr("Show any metric or key of the configuration as a column"));
    for (QToolButton* button : {terms, columns}) {
        button->setAutoRaise(true);
        button->setFocusPolicy(Qt::StrongFocus);
    }
    theme::setInk(m_count, theme::dimText(palette()));
    m_problem->setTextFormat(Qt::PlainText);
    m_problem->setWordWrap(true);
    m_problem->hide();

    auto* row = new QHBoxLayout;
    row->setSpacing(2 * quarter);
    row->addWidget(m_search, 1);
    row->addWidget(terms);
    row->addWidget(m_kind);
    row->addWidget(m_count);
    row->addWidget(columns);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(3 * quarter, 2 * quarter, 3 * quarter, 2 * quarter);
    column->setSpacing(quarter);
    column->addLayout(row);
    column->addWidget(m_problem);
    connect(m_search, &QLineEdit::textChanged, this, [this](const QString& words) {
        m_filter->setWords(words);
        Q_EMIT filterChanged();
        showCount();
    });
    connect(m_kind, &QComboBox::currentIndexChanged, this, [this](int index) {
        m_filter->setKind(RunsFilter::Kind(index));
        Q_EMIT filterChanged();
        showCount();
    });
    connect(m_menu, &QMenu::aboutToShow, this, &RunsHead::fillMenu);
    connect(columns, &QToolButton::clicked, this, &RunsHead::columnsAsked);
}

QString RunsHead::problem() const {
    return m_filter->query().problem();
}

void RunsHead::showCount() {
    int all = 0;
    for (int row = 0; row < m_model->rowCount(); ++row)
        all += m_model->runAt(row)->isDeleted == (m_filter->kind() == RunsFilter::Kind::Deleted);
    const int seen = m_filter->rowCount();
    m_count->setText(seen == all ? tr("%n run(s)", nullptr, all)
                                 : tr("%1 of %2").arg(theme::countText(seen), theme::countText(all)));
    m_problem->setText(problem());
    m_problem->setVisible(!problem().isEmpty());
    theme::setInk(m_problem, theme::toneColour(theme::Tone::Bad, palette()));
}

void RunsHead::fillMenu() {
    m_menu->clear();
    std::set<QString> tags, groups, models;
    for (int row = 0; row < m_model->rowCount(); ++row) {
        const RunRecord& run = *m_model->runAt(row);
        for (const std::string& tag : run.tags)
            tags.insert(QString::fromStdString(tag));
        if (!run.group.empty())
            groups.insert(QString::fromStdString(run.group));
        if (!run.modelType.empty())
            models.insert(QString::fromStdString(run.modelType));
    }
    const auto add = [this](const QString& title, const QString& name, const std::set<QString>& values) {
        QMenu* menu = m_menu->addMenu(title);
        menu->setEnabled(!values.empty());
        for (const QString& value : values)
            menu->addAction(value, this,
                            [this, name, value] { addTerm(RunQuery::term(name, QStringLiteral(":"), value)); });
    };
    add(tr("Tag"), QStringLiteral("tag"), tags);
    add(tr("Group"), QStringLiteral("group"), groups);
    add(tr("Model"), QStringLiteral("model"), models);
    QMenu* made = m_menu->addMenu(tr("Made"));
    made->addAction(tr("Today"), this, [this] { addTerm(QStringLiteral("made:today")); });
    made->addAction(tr("In the Last 7 Days"), this, [this] { addTerm(QStringLiteral("made:7d")); });
    made->addAction(tr("In the Last 30 Days"), this, [this] { addTerm(QStringLiteral("made:30d")); });
    made->addAction(tr("Since…"), this, [this] {
        addTerm(QStringLiteral("made>=") + QDate::currentDate().addMonths(-1).toString(Qt::ISODate));
    });
    QMenu* values = m_menu->addMenu(tr("Value"));
    QStringList names = {QStringLiteral("loss"), QStringLiteral("metric"), QStringLiteral("iteration"),
                         QStringLiteral("time")};
    for (const QString& name : names + m_model->values().metrics() + m_model->moreColumns())
        if (values->actions().isEmpty() || values->actions().back()->text() != name)
            values->addAction(name, this, [this, name] { addTerm(name + QLatin1Char('<')); });
}

/// Behind what stands there; the value is what is typed next.
void RunsHead::addTerm(const QString& term) {
    const QString before = m_search->text().trimmed();
    m_search->setText(before.isEmpty() ? term : before + QLatin1Char(' ') + term);
    m_search->setFocus(Qt::ShortcutFocusReason);
}

} // namespace trainyard
