#include "app/workbench/runs/ColumnChooser.h"

#include "widgets/theme/Icon.h"
#include "widgets/theme/Ink.h"

#include <QApplication>
#include <QDialogButtonBox>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>

namespace trainyard {

ColumnChooser::ColumnChooser(const std::vector<Choice>& choices, const QStringList& chosen, QWidget* parent)
    : QDialog(parent), m_search(new QLineEdit(this)), m_list(new QListWidget(this)), m_chosen(chosen) {
    setWindowTitle(tr("Columns"));
    setAttribute(Qt::WA_DeleteOnClose);
    m_search->setPlaceholderText(tr("Find a metric or a key"));
    m_search->setAccessibleName(m_search->placeholderText());
    m_search->setClearButtonEnabled(true);
    m_search->addAction(theme::icon(QStringLiteral("search")), QLineEdit::LeadingPosition);
    m_search->installEventFilter(this);
    m_list->setAccessibleName(tr("Metrics and keys"));
    theme::tintSelection(m_list);
    for (const Choice& choice : choices) {
        auto* item = new QListWidgetItem(choice.name, m_list);
        item->setToolTip(choice.help);
        item->setIcon(theme::icon(choice.isMetric ? QStringLiteral("evaluate") : QStringLiteral("configure")));
        item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsUserCheckable);
        item->setCheckState(chosen.contains(choice.name) ? Qt::Checked : Qt::Unchecked);
    }
    m_list->setCurrentRow(0);
    auto* note = new QLabel(tr("Run, state, loss and the others: right-click the head of the table."), this);
    note->setWordWrap(true);
    theme::setInk(note, theme::dimText(palette()));
    auto* buttons = new QDialogButtonBox(this);
    QPushButton* close = buttons->addButton(tr("Close"), QDialogButtonBox::RejectRole);
    close->setAutoDefault(false);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::close);
    auto* column = new QVBoxLayout(this);
    column->addWidget(m_search);
    column->addWidget(m_list, 1);
    column->addWidget(note);
    column->addWidget(buttons);
    connect(m_search, &QLineEdit::textChanged, this, &ColumnChooser::filter);
    connect(m_list, &QListWidget::itemChanged, this, [this](const QListWidgetItem* item) {
        m_chosen.removeAll(item->text());
        if (item->checkState() == Qt::Checked)
            m_chosen << item->text();
        Q_EMIT chosenChanged(m_chosen);
    });
    resize(fontMetrics().averageCharWidth() * 60, fontMetrics().lineSpacing() * 26);
}

void ColumnChooser::filter(const QString& words) {
    const QStringList all = words.split(QLatin1Char(' '), Qt::SkipEmptyParts);
    QListWidgetItem* first = nullptr;
    for (int row = 0; row < m_list->count(); ++row) {
        QListWidgetItem* item = m_list->item(row);
        const QString text = item->text() + QLatin1Char('\n') + item->toolTip();
        const bool isWanted = std::all_of(
            all.begin(), all.end(), [&](const QString& word) { return text.contains(word, Qt::CaseInsensitive); });
        item->setHidden(!isWanted);
        if (isWanted && !first)
            first = item;
    }
    m_list->setCurrentItem(first);
}

/// Arrows and Return in the search line move in the list and tick.
bool ColumnChooser::eventFilter(QObject* watched, QEvent* event) {
    if (watched != m_search || event->type() != QEvent::KeyPress)
        return QDialog::eventFilter(watched, event);
    const auto* key = static_cast<QKeyEvent*>(event);
    if (key->key() == Qt::Key_Up || key->key() == Qt::Key_Down) {
        QApplication::sendEvent(m_list, event);
        return true;
    }
    if (key->key() != Qt::Key_Return && key->key() != Qt::Key_Enter)
        return false;
    if (QListWidgetItem* item = m_list->currentItem())
        item->setCheckState(item->checkState() == Qt::Checked ? Qt::Unchecked : Qt::Checked);
    return true;
}

} // namespace trainyard
