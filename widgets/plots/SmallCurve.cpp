#include "widgets/plots/SmallCurve.h"

#include "widgets/theme/Theme.h"

#include <QPainter>
#include <QPainterPath>

#include <algorithm>

namespace trainyard {

SmallCurve::SmallCurve(QWidget* parent) : QWidget(parent) {
    setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
}

void SmallCurve::setPoints(const std::vector<QPointF>& points) {
    m_points = points;
    update();
}

QSize SmallCurve::sizeHint() const {
    return {fontMetrics().averageCharWidth() * 24, fontMetrics().lineSpacing() * 2};
}

void SmallCurve::paintEvent(QPaintEvent*) {
    if (m_points.size() < 2)
        return;
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF area = QRectF(rect()).adjusted(1, 3, -1, -2);
    painter.setPen(theme::hairline(palette()));
    painter.drawLine(area.bottomLeft(), area.bottomRight());
    double highest = 0;
    for (const QPointF& point : m_points)
        highest = std::max(highest, point.y());
    if (highest <= 0)
        return;
    const double first = m_points.front().x(), span = std::max(1e-9, m_points.back().x() - first);
    QPainterPath path;
    for (std::size_t at = 0; at < m_points.size(); ++at) {
        const QPointF place(area.left() + (m_points[at].x() - first) / span * area.width(),
                            area.bottom() - m_points[at].y() / highest * area.height());
        if (at == 0)
            path.moveTo(place);
        else
            path.lineTo(place);
    }
    painter.setPen(QPen(theme::seriesColour(0, palette()), 1.4));
    painter.drawPath(path);
}

} // namespace trainyard
