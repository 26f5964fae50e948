#include "widgets/plots/PlotLegend.h"

#include "widgets/theme/Theme.h"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

namespace trainyard {

PlotLegend::PlotLegend(QWidget* parent) : QWidget(parent) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void PlotLegend::setEntries(const std::vector<Entry>& entries) {
    m_entries = entries;
    update();
}

QSize PlotLegend::sizeHint() const {
    int width = 0;
    for (const Entry& entry : m_entries)
        width += entryWidth(entry);
    return {width, fontMetrics().height() + theme::quarter(this)};
}

QSize PlotLegend::minimumSizeHint() const {
    return {fontMetrics().averageCharWidth() * 8, fontMetrics().height() + theme::quarter(this)};
}

int PlotLegend::entryWidth(const Entry& entry) const {
    const int quarter = theme::quarter(this);
    const int name = entry.name.isEmpty() ? 0 : fontMetrics().horizontalAdvance(entry.name) + quarter;
    // room for the widest value, so that nothing jumps while digits change
    const int value = std::max(fontMetrics().horizontalAdvance(entry.value),
                               entry.value.isEmpty() ? 0 : fontMetrics().horizontalAdvance(QStringLiteral("0.0000")));
    return 3 * quarter + quarter + name + value + 3 * quarter;
}

int PlotLegend::fitting() const {
    int used = 0, count = 0;
    const int more = fontMetrics().horizontalAdvance(QStringLiteral("+99"));
    for (const Entry& entry : m_entries) {
        used += entryWidth(entry);
        const bool isLast = count + 1 == int(m_entries.size());
        if (used - 2 * theme::quarter(this) > width() - (isLast ? 0 : more))
            break;
        ++count;
    }
    return count;
}

void PlotLegend::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const int quarter = theme::quarter(this);
    const QColor text = palette().color(QPalette::Text), dim = theme::dimText(palette());
    const int shown = fitting();
    int x = 0;
    for (int at = 0; at < shown; ++at) {
        const Entry& entry = m_entries[std::size_t(at)];
        const bool isHidden = m_hidden.contains(entry.key);
        painter.setOpacity(isHidden ? 0.4 : 1.0);
        QColor colour = theme::seriesColour(entry.colour, palette());
        painter.setPen(QPen(colour, 2, theme::seriesDash(entry.colour), Qt::RoundCap));
        const qreal middle = height() / 2.0;
        painter.drawLine(QPointF(x + 1, middle), QPointF(x + 3 * quarter - 1, middle));
        int textX = x + 4 * quarter;
        painter.setPen(dim);
        const QRect rest(textX, 0, width() - textX, height());
        if (!entry.name.isEmpty()) {
            painter.drawText(rest, Qt::AlignVCenter | Qt::AlignLeft, entry.name);
            textX += fontMetrics().horizontalAdvance(entry.name) + quarter;
        }
        painter.setPen(text);
        painter.drawText(QRect(textX, 0, width() - textX, height()), Qt::AlignVCenter | Qt::AlignLeft,
                         isHidden ? tr("hidden") : entry.value);
        x += entryWidth(entry);
    }
    painter.setOpacity(1);
    if (shown < int(m_entries.size())) {
        painter.setPen(dim);
        painter.drawText(rect(), Qt::AlignVCenter | Qt::AlignRight,
                         QStringLiteral("+%1").arg(m_entries.size() - std::size_t(shown)));
    }
}

int PlotLegend::entryAt(const QPoint& position) const {
    int x = 0;
    const int shown = fitting();
    for (int at = 0; at < shown; ++at) {
        x += entryWidth(m_entries[std::size_t(at)]);
        if (position.x() < x)
            return at;
    }
    return -1;
}

void PlotLegend::mousePressEvent(QMouseEvent* event) {
    const int at = entryAt(event->pos());
    if (at < 0 || m_entries.size() < 2 || event->button() != Qt::LeftButton) {
        event->ignore();
        return;
    }
    const QString key = m_entries[std::size_t(at)].key;
    if (!m_hidden.remove(key))
        m_hidden.insert(key);
    update();
    Q_EMIT hiddenChanged();
}

bool PlotLegend::event(QEvent* event) {
    if (event->type() != QEvent::ToolTip)
        return QWidget::event(event);
    auto* help = static_cast<QHelpEvent*>(event);
    const int at = entryAt(help->pos());
    QStringList lines;
    for (int i = 0; i < int(m_entries.size()); ++i)
        if (at == i || (at < 0 && i >= fitting()))
            lines << QStringLiteral("%1: %2").arg(m_entries[std::size_t(i)].name, m_entries[std::size_t(i)].exactValue);
    if (at >= 0 && m_entries.size() > 1)
        lines << tr("Click to hide or show this curve.");
    QToolTip::showText(help->globalPos(), lines.join(QLatin1Char('\n')), this);
    return true;
}

} // namespace trainyard
