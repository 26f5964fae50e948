#include "app/workbench/GoTo.h"

#include "widgets/theme/Icon.h"

#include <QKeyEvent>
#include <QLineEdit>
#include <QListWidget>
#include <QPainter>
#include <QVBoxLayout>

#include <algorithm>

namespace trainyard {
namespace {

constexpr int kMostShown = 60;

} // namespace

GoTo::GoTo(std::vector<Destination> destinations, QWidget* parent)
    : QDialog(parent, Qt::Popup), m_destinations(std::move(destinations)), m_line(new QLineEdit(this)),
      m_list(new QListWidget(this)) {
    setAttribute(Qt::WA_DeleteOnClose);
    setWindowTitle(tr("Go to Anything"));
    const int quarter = theme::quarter(this);
    m_line->setPlaceholderText(tr("A page, a run, a key of the configuration, an action"));
    m_line->addAction(theme::icon(QStringLiteral("search")), QLineEdit::LeadingPosition);
    m_line->setAccessibleName(windowTitle());
    m_line->installEventFilter(this);
    m_list->setFrameShape(QFrame::NoFrame);
    m_list->setFocusPolicy(Qt::NoFocus);
    m_list->setUniformItemSizes(true);
    m_list->setIconSize(QSize(4 * quarter, 4 * quarter));
    m_list->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_list->setTextElideMode(Qt::ElideRight);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(2 * quarter, 2 * quarter, 2 * quarter, 2 * quarter);
    column->setSpacing(quarter);
    column->addWidget(m_line);
    column->addWidget(m_list);
    resize(fontMetrics().averageCharWidth() * 100, fontMetrics().lineSpacing() * 20);
    connect(m_line, &QLineEdit::textChanged, this, &GoTo::filter);
    connect(m_line, &QLineEdit::returnPressed, this, &GoTo::choose);
    connect(m_list, &QListWidget::itemClicked, this, &GoTo::choose);
    filter();
    m_line->setFocus();
}

int GoTo::fit(const QString& text, const QString& typed) {
    if (typed.trimmed().isEmpty())
        return 1; // as they are given
    int score = 1;
    for (const QString& word : typed.split(QLatin1Char(' '), Qt::SkipEmptyParts)) {
        const qsizetype at = text.indexOf(word, 0, Qt::CaseInsensitive);
        if (at < 0)
            return -1;
        const bool beginsWord = at == 0 || !text[at - 1].isLetterOrNumber();
        score += beginsWord ? 100 : 10;
        score += at == 0 ? 50 : 0;
    }
    return score * 100 - int(std::min<qsizetype>(text.size(), 99));
}

void GoTo::filter() {
    std::vector<std::pair<int, std::size_t>> fits;
    for (std::size_t at = 0; at < m_destinations.size(); ++at) {
        const Destination& destination = m_destinations[at];
        const int byText = fit(destination.text, m_line->text());
        // what only the hint explains comes after what is named so
        const int score =
            byText >= 0 ? byText : fit(destination.text + QLatin1Char(' ') + destination.hint, m_line->text()) / 1000;
        if (byText >= 0 || score > 0)
            fits.emplace_back(score, at);
    }
    std::stable_sort(fits.begin(), fits.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
    m_list->clear();
    for (std::size_t at = 0; at < fits.size() && at < std::size_t(kMostShown); ++at) {
        const Destination& destination = m_destinations[fits[at].second];
        auto* item = new QListWidgetItem(destination.icon, destination.text, m_list);
        if (!destination.hint.isEmpty())
            item->setText(QStringLiteral("%1   — %2").arg(destination.text, destination.hint));
        item->setData(Qt::UserRole, int(fits[at].second));
    }
    m_list->setCurrentRow(0);
}

void GoTo::choose() {
    const QListWidgetItem* item = m_list->currentItem();
    if (!item)
        return;
    const auto go = m_destinations[std::size_t(item->data(Qt::UserRole).toInt())].go;
    close();
    if (go)
        go();
}

void GoTo::paintEvent(QPaintEvent* event) {
    QDialog::paintEvent(event);
    QPainter painter(this); // an edge, for what lies beneath may have the same colour
    painter.setPen(palette().color(QPalette::Dark));
    painter.drawRect(rect().adjusted(0, 0, -1, -1));
}

bool GoTo::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::KeyPress) {
        const int key = static_cast<QKeyEvent*>(event)->key();
        const int by = key == Qt::Key_Down       ? 1
                       : key == Qt::Key_Up       ? -1
                       : key == Qt::Key_PageDown ? 10
                       : key == Qt::Key_PageUp   ? -10
                                                 : 0;
        if (by != 0) {
            m_list->setCurrentRow(std::clamp(m_list->currentRow() + by, 0, std::max(0, m_list->count() - 1)));
            return true;
        }
    }
    return QDialog::eventFilter(watched, event);
}

} // namespace trainyard
