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

void SmallCurve::setBefore(const std::vector<QPointF>& points) {
    m_before = points;
    update();
}

void SmallCurve::paintEvent(QPaintEvent*) {
    if (m_points.size() < 2)
        return;
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF area = QRectF(rect()).adjusted(1, 3, -1, -2);
    painter.setPen(theme::hairline(palette()));
    painter.drawLine(area.bottomLeft(), area.bottomRight());
    double highest = 0, last = m_points.back().x();
    for (const auto* line : {&m_points, &m_before})
        for (const QPointF& point : *line) {
            highest = std::max(highest, point.y());
            last = std::max(last, point.x());
        }
    if (highest <= 0)
        return;
    const double first = m_points.front().x(), span = std::max(1e-9, last - first);
    const auto draw = [&](const std::vector<QPointF>& points, const QPen& pen) {
        QPainterPath path;
        for (std::size_t at = 0; at < points.size(); ++at) {
            const QPointF place(area.left() + (points[at].x() - first) / span * area.width(),
                                area.bottom() - points[at].y() / highest * area.height());
            if (at == 0)
                path.moveTo(place);
            else
                path.lineTo(place);
        }
        painter.setPen(pen);
        painter.drawPath(path);
    };
    QColor faint = theme::dimText(palette());
    faint.setAlphaF(0.5);
    draw(m_before, QPen(faint, 1.2, Qt::DashLine));
    draw(m_points, QPen(theme::seriesColour(0, palette()), 1.4));
}

} // namespace trainyard
