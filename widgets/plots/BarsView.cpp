#include "widgets/plots/BarsView.h"

#include "widgets/theme/Numbers.h"
#include "widgets/theme/Theme.h"

#include <QApplication>
#include <QClipboard>
#include <QContextMenuEvent>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMenu>
#include <QPainter>
#include <QToolTip>

#include <algorithm>

namespace trainyard {
namespace {

constexpr int kBarLines = 5; ///< of text that the bars are high

} // namespace

BarsView::BarsView(const QString& title, QWidget* parent) : QWidget(parent) {
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setTitle(title);
}

void BarsView::setTitle(const QString& title) {
    m_title = title;
    setAccessibleName(title);
    update();
}

void BarsView::setBars(std::vector<Bar> bars, const QString& first, const QString& last, const QString& note) {
    m_bars = std::move(bars);
    m_first = first;
    m_last = last;
    m_note = note;
    m_most = m_total = 0;
    for (const Bar& bar : m_bars) {
        m_most = std::max(m_most, bar.count);
        m_total += bar.count;
    }
    m_current = -1;
    setAccessibleDescription(note);
    update();
}

QSize BarsView::sizeHint() const {
    return {fontMetrics().averageCharWidth() * 30,
            fontMetrics().lineSpacing() * (kBarLines + 2) + theme::quarter(this)};
}

bool BarsView::standsInRows() const {
    return m_first.isEmpty() && int(m_bars.size()) <= kBarLines + 1;
}

QRect BarsView::area() const {
    const int line = fontMetrics().lineSpacing(), quarter = theme::quarter(this);
    return {quarter, line + quarter, width() - 2 * quarter, line * (standsInRows() ? kBarLines + 1 : kBarLines)};
}

QRect BarsView::placeOf(int bar) const {
    const QRect room = area();
    if (standsInRows()) {
        const int line = fontMetrics().lineSpacing();
        return {room.left(), room.top() + bar * line, room.width(), line};
    }
    const auto edge = [&](int at) { return room.left() + int(double(room.width()) * at / double(m_bars.size())); };
    return {edge(bar), room.top(), edge(bar + 1) - edge(bar), room.height()};
}

int BarsView::barAt(const QPoint& position) const {
    for (int bar = 0; bar < int(m_bars.size()); ++bar)
        if (placeOf(bar).contains(position))
            return bar;
    return -1;
}

QString BarsView::spoken(int bar) const {
    const Bar& one = m_bars[std::size_t(bar)];
    return tr("%1: %2 (%3)")
        .arg(one.name, theme::countText(one.count),
             theme::percentText(m_total > 0 ? double(one.count) / double(m_total) : 0));
}

QString BarsView::asText() const {
    QString text = m_title + QStringLiteral("\t") + tr("Count") + QLatin1Char('\n');
    for (const Bar& bar : m_bars)
        text += bar.name + QLatin1Char('\t') + QString::number(bar.count) + QLatin1Char('\n');
    return text;
}

void BarsView::choose(int bar) {
    m_current = bar;
    setAccessibleDescription(spoken(bar));
    QToolTip::showText(mapToGlobal(placeOf(bar).center()), spoken(bar), this);
    update();
}

void BarsView::paintRows(QPainter& painter) const {
    const int quarter = theme::quarter(this);
    int names = 0, counts = 0;
    for (const Bar& bar : m_bars) {
        names = std::max(names, fontMetrics().horizontalAdvance(bar.name));
        counts = std::max(counts, fontMetrics().horizontalAdvance(theme::countText(bar.count)));
    }
    names = std::min(names, area().width() / 3);
    for (int at = 0; at < int(m_bars.size()); ++at) {
        const Bar& bar = m_bars[std::size_t(at)];
        const QRect row = placeOf(at);
        painter.setPen(palette().color(QPalette::Text));
        painter.drawText(QRect(row.left(), row.top(), names, row.height()), Qt::AlignLeft | Qt::AlignVCenter,
                         fontMetrics().elidedText(bar.name, Qt::ElideRight, names));
        painter.drawText(row, Qt::AlignRight | Qt::AlignVCenter, theme::countText(bar.count));
        const int room = row.width() - names - counts - 4 * quarter;
        const int length = m_most > 0 ? int(double(bar.count) / double(m_most) * room) : 0;
        painter.fillRect(QRect(row.left() + names + 2 * quarter, row.top() + row.height() / 4,
                               bar.count > 0 ? std::max(1, length) : 0, row.height() / 2),
                         theme::seriesColour(0, palette()));
    }
}

void BarsView::paintColumns(QPainter& painter) const {
    const QRect room = area();
    for (int at = 0; at < int(m_bars.size()); ++at) {
        const QRect column = placeOf(at);
        const qint64 count = m_bars[std::size_t(at)].count;
        const int height = m_most > 0 ? int(double(count) / double(m_most) * column.height()) : 0;
        const int gap = column.width() > 3 ? 1 : 0;
        painter.fillRect(QRect(column.left(), column.bottom() + 1 - (count > 0 ? std::max(1, height) : 0),
                               std::max(1, column.width() - gap), count > 0 ? std::max(1, height) : 0),
                         theme::seriesColour(0, palette()));
    }
    painter.setPen(theme::hairline(palette()));
    painter.drawLine(room.left(), room.bottom() + 1, room.right(), room.bottom() + 1);
    painter.setPen(theme::dimText(palette()));
    const QRect foot(room.left(), room.bottom() + 2, room.width(), fontMetrics().lineSpacing());
    painter.drawText(foot, Qt::AlignLeft, m_first);
    painter.drawText(foot, Qt::AlignRight, m_last);
    const int between = foot.width() - fontMetrics().horizontalAdvance(m_first + m_last) - 4 * theme::quarter(this);
    if (fontMetrics().horizontalAdvance(m_note) <= between)
        painter.drawText(foot, Qt::AlignHCenter, m_note);
}

void BarsView::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    QFont strong = font();
    strong.setWeight(QFont::DemiBold);
    painter.setFont(strong);
    painter.setPen(palette().color(QPalette::Text));
    const QString title = QFontMetrics(strong).elidedText(m_title, Qt::ElideRight, area().width());
    painter.drawText(QRect(area().left(), 0, area().width(), fontMetrics().lineSpacing()), Qt::AlignLeft, title);
    painter.setFont(font());
    if (m_current >= 0) {
        QColor wash = palette().color(QPalette::Highlight);
        wash.setAlphaF(0.25);
        painter.fillRect(placeOf(m_current), wash);
    }
    if (standsInRows())
        paintRows(painter);
    else
        paintColumns(painter);
    if (hasFocus()) {
        painter.setPen(palette().color(QPalette::Highlight));
        painter.drawRect(rect().adjusted(0, 0, -1, -1));
    }
}

void BarsView::keyPressEvent(QKeyEvent* event) {
    const int last = int(m_bars.size()) - 1;
    const bool isBack = event->key() == Qt::Key_Left || event->key() == Qt::Key_Up;
    const bool isOn = event->key() == Qt::Key_Right || event->key() == Qt::Key_Down;
    if (event->matches(QKeySequence::Copy))
        QApplication::clipboard()->setText(asText());
    else if ((isBack || isOn) && last >= 0)
        choose(std::clamp(m_current + (isOn ? 1 : -1), 0, last));
    else if (event->key() == Qt::Key_Home && last >= 0)
        choose(0);
    else if (event->key() == Qt::Key_End && last >= 0)
        choose(last);
    else if ((event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter) && m_isChoosable && m_current >= 0)
        Q_EMIT chosen(m_current);
    else
        QWidget::keyPressEvent(event);
}

void BarsView::mousePressEvent(QMouseEvent* event) {
    QWidget::mousePressEvent(event);
    const int bar = barAt(event->pos());
    if (bar < 0 || event->button() != Qt::LeftButton)
        return;
    choose(bar);
    if (m_isChoosable)
        Q_EMIT chosen(bar);
}

void BarsView::contextMenuEvent(QContextMenuEvent* event) {
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->addAction(tr("Copy as Table"), this, [this] { QApplication::clipboard()->setText(asText()); });
    menu->popup(event->globalPos());
}

bool BarsView::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    auto* help = static_cast<QHelpEvent*>(event);
    const int bar = barAt(help->pos());
    QToolTip::showText(help->globalPos(), bar < 0 ? m_title + QLatin1Char('\n') + m_note : spoken(bar), this);
    return true;
}

} // namespace trainyard
