#include "widgets/plots/PlotGrip.h"

#include "widgets/theme/Theme.h"

#include <QMouseEvent>
#include <QPainter>

namespace trainyard {

PlotGrip::PlotGrip(QWidget* parent) : QWidget(parent) {
    setCursor(Qt::SizeFDiagCursor);
    setToolTip(tr("Drag to size this plot"));
    const int side = 3 * theme::quarter(this);
    setFixedSize(side, side);
}

void PlotGrip::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    QColor ink = theme::dimText(palette());
    ink.setAlphaF(underMouse() ? 0.9 : 0.35);
    painter.setPen(QPen(ink, 1));
    const int far = width() - 3;
    for (const int inset : {0, theme::quarter(this)})
        painter.drawLine(QPointF(far, inset + 3), QPointF(inset + 3, far));
}

void PlotGrip::enterEvent(QEnterEvent* event) {
    QWidget::enterEvent(event);
    update();
}

void PlotGrip::leaveEvent(QEvent* event) {
    QWidget::leaveEvent(event);
    update();
}

void PlotGrip::mousePressEvent(QMouseEvent* event) {
    m_start = event->globalPosition().toPoint();
    Q_EMIT dragBegan();
}

void PlotGrip::mouseMoveEvent(QMouseEvent* event) {
    if (event->buttons().testFlag(Qt::LeftButton))
        Q_EMIT dragged(event->globalPosition().toPoint() - m_start);
}

} // namespace trainyard
