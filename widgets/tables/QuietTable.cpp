#include "widgets/tables/QuietTable.h"

#include "widgets/theme/Ink.h"
#include "widgets/theme/Theme.h"

#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QKeyEvent>
#include <QMenu>

#include <algorithm>

namespace trainyard {

QuietTable::QuietTable(QWidget* parent) : QTableView(parent) {
    theme::tintSelection(this);
    setShowGrid(false);
    setFrameShape(QFrame::NoFrame);
    setSelectionBehavior(QAbstractItemView::SelectRows);
    setSelectionMode(QAbstractItemView::ExtendedSelection);
    setSortingEnabled(true);
    setAlternatingRowColors(true);
    setWordWrap(false);
    setTabKeyNavigation(false);
    setContextMenuPolicy(Qt::CustomContextMenu);
    setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    verticalHeader()->hide();
    verticalHeader()->setDefaultSectionSize(fontMetrics().lineSpacing() + 2 * theme::quarter(this));
    horizontalHeader()->setHighlightSections(false);
    horizontalHeader()->setSectionsMovable(true);
    horizontalHeader()->setDefaultAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    horizontalHeader()->setContextMenuPolicy(Qt::CustomContextMenu);
    horizontalHeader()->setResizeContentsPrecision(0); // what is in sight
    connect(horizontalHeader(), &QHeaderView::sectionResized, this, [this](int column) {
        if (QApplication::mouseButtons() != Qt::NoButton)
            m_byHand.insert(column);
    });
    connect(horizontalHeader(), &QWidget::customContextMenuRequested, this, &QuietTable::showHeaderMenu);
}

void QuietTable::changeEvent(QEvent* event) {
    QTableView::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        theme::tintSelection(this);
}

void QuietTable::showHeaderMenu(const QPoint& position) {
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    for (int column = 0; column < model()->columnCount(); ++column) {
        const QString name = model()->headerData(column, Qt::Horizontal, Qt::AccessibleTextRole).toString();
        QAction* action =
            menu->addAction(name.isEmpty() ? model()->headerData(column, Qt::Horizontal).toString() : name);
        action->setCheckable(true);
        action->setChecked(!isColumnHidden(column));
        connect(action, &QAction::toggled, this, [this, column](bool isShown) { setColumnHidden(column, !isShown); });
    }
    menu->popup(horizontalHeader()->mapToGlobal(position));
}

QString QuietTable::selectionAsText() const {
    QModelIndexList rows = selectionModel() ? selectionModel()->selectedRows() : QModelIndexList();
    std::sort(rows.begin(), rows.end(), [](const auto& a, const auto& b) { return a.row() < b.row(); });
    QStringList lines;
    const auto line = [&](auto&& cell) {
        QStringList cells;
        for (int visual = 0; visual < horizontalHeader()->count(); ++visual) {
            const int column = horizontalHeader()->logicalIndex(visual);
            if (!isColumnHidden(column))
                cells << cell(column);
        }
        lines << cells.join(QLatin1Char('\t'));
    };
    if (rows.isEmpty())
        return {};
    line([&](int column) { return model()->headerData(column, Qt::Horizontal).toString(); });
    for (const QModelIndex& row : rows)
        line([&](int column) { return row.siblingAtColumn(column).data().toString(); });
    return lines.join(QLatin1Char('\n')) + QLatin1Char('\n');
}

QByteArray QuietTable::columnState() const {
    return horizontalHeader()->saveState();
}

void QuietTable::setColumnState(const QByteArray& state) {
    if (!state.isEmpty())
        horizontalHeader()->restoreState(state);
}

void QuietTable::fitColumns(int stretched) {
    horizontalHeader()->setStretchLastSection(false);
    for (int column = 0; column < model()->columnCount(); ++column) {
        const int wanted = std::max(sizeHintForColumn(column), horizontalHeader()->sectionSizeHint(column));
        const bool hasTick = model()->flags(model()->index(0, column)).testFlag(Qt::ItemIsUserCheckable);
        const int room = hasTick ? 9 : 3; // a ticked row has a dot beside its tick
        horizontalHeader()->resizeSection(column, wanted + room * theme::quarter(this));
    }
    horizontalHeader()->setSectionResizeMode(stretched, QHeaderView::Stretch);
}

void QuietTable::growColumns() {
    for (int column = 0; column < model()->columnCount(); ++column) {
        const bool isFixed = m_byHand.contains(column) || isColumnHidden(column) ||
                             horizontalHeader()->sectionResizeMode(column) == QHeaderView::Stretch;
        const int wanted = std::max(sizeHintForColumn(column), horizontalHeader()->sectionSizeHint(column));
        if (!isFixed && wanted > columnWidth(column))
            horizontalHeader()->resizeSection(column, wanted + 3 * theme::quarter(this));
    }
}

void QuietTable::keyPressEvent(QKeyEvent* event) {
    if (event->matches(QKeySequence::Copy)) {
        QApplication::clipboard()->setText(selectionAsText());
        return;
    }
    QTableView::keyPressEvent(event);
}

} // namespace trainyard
