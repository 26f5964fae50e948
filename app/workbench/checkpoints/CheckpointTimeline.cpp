#include "app/workbench/checkpoints/CheckpointTimeline.h"

#include "widgets/theme/Icon.h"
#include "widgets/theme/Numbers.h"

#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>

#include <algorithm>
#include <cmath>

namespace trainyard {

CheckpointTimeline::CheckpointTimeline(QWidget* parent) : QWidget(parent) {
    setBackgroundRole(QPalette::Base);
    setAutoFillBackground(true);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setAccessibleName(tr("Timeline of checkpoints"));
}

QSize CheckpointTimeline::sizeHint() const {
    return {200, fontMetrics().lineSpacing() * 4};
}

void CheckpointTimeline::setCheckpoints(const std::vector<CheckpointRecord>& checkpoints, std::int64_t iteration,
                                        std::int64_t iterations) {
    m_checkpoints = checkpoints;
    m_iteration = iteration;
    m_iterations = iterations;
    update();
}

void CheckpointTimeline::setChosen(std::int64_t id) {
    m_chosen = id;
    update();
}

double CheckpointTimeline::xOf(std::int64_t iteration) const {
    const double margin = 6 * theme::quarter(this);
    const double most = double(std::max<std::int64_t>({m_iterations, m_iteration, 1}));
    return margin + (width() - 2 * margin) * double(iteration) / most;
}

QPointF CheckpointTimeline::place(const CheckpointRecord& checkpoint) const {
    const double line = height() * 0.42;
    return {xOf(checkpoint.report.iteration), checkpoint.isAbandoned ? line + 4.5 * theme::quarter(this) : line};
}

void CheckpointTimeline::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const int quarter = theme::quarter(this);
    const double line = height() * 0.42;
    const QColor faint = theme::hairline(palette()), dim = theme::dimText(palette());
    const QColor accent = theme::seriesColour(0, palette());
    painter.setPen(QPen(faint, 2));
    painter.drawLine(QPointF(xOf(0), line), QPointF(xOf(std::max(m_iterations, m_iteration)), line));
    painter.setPen(QPen(accent, 2));
    painter.drawLine(QPointF(xOf(0), line), QPointF(xOf(m_iteration), line));
    double firstTail = -1, lastTail = -1;
    for (const auto& checkpoint : m_checkpoints) {
        if (!checkpoint.isAbandoned)
            continue;
        const double x = place(checkpoint).x();
        firstTail = firstTail < 0 ? x : std::min(firstTail, x);
        lastTail = std::max(lastTail, x);
    }
    if (firstTail >= 0) {
        painter.setPen(QPen(dim, 1, Qt::DotLine));
        painter.drawLine(QPointF(firstTail, line + 4.5 * quarter), QPointF(lastTail, line + 4.5 * quarter));
    }
    for (const auto& checkpoint : m_checkpoints) {
        const QPointF centre = place(checkpoint);
        const QColor colour = checkpoint.isAbandoned || checkpoint.isMissing ? dim : accent;
        const double radius = checkpoint.id == m_chosen ? quarter * 1.5 : quarter;
        painter.setPen(QPen(colour, 1.5));
        painter.setBrush(checkpoint.isMissing ? palette().brush(QPalette::Base) : QBrush(colour));
        painter.drawEllipse(centre, radius, radius);
        if (checkpoint.isPinned) {
            painter.setBrush(Qt::NoBrush);
            painter.drawEllipse(centre, radius + 3, radius + 3);
        }
        if (checkpoint.isBest) {
            const int size = 3 * quarter + 2;
            const QPixmap star =
                theme::iconPixmap(QStringLiteral("star"), size, devicePixelRatioF(), theme::seriesColour(1, palette()));
            painter.drawPixmap(QPointF(centre.x() - size / 2.0, centre.y() - radius - size - 2), star);
        }
    }
    painter.setPen(dim);
    QFont small = font();
    small.setPointSizeF(small.pointSizeF() * 0.88);
    painter.setFont(small);
    const QRectF labels(xOf(0) - 3 * quarter, height() - painter.fontMetrics().height() - quarter,
                        xOf(std::max(m_iterations, m_iteration)) - xOf(0) + 6 * quarter,
                        painter.fontMetrics().height());
    painter.drawText(labels, Qt::AlignLeft, theme::countText(0));
    painter.drawText(labels, Qt::AlignRight, tr("%1 planned").arg(theme::countText(m_iterations)));
}

const CheckpointRecord* CheckpointTimeline::at(const QPoint& position) const {
    const CheckpointRecord* best = nullptr;
    double bestDistance = 4.0 * theme::quarter(this);
    for (const auto& checkpoint : m_checkpoints) {
        const QPointF offset = place(checkpoint) - position;
        const double distance = std::hypot(offset.x(), offset.y());
        if (distance < bestDistance) {
            best = &checkpoint;
            bestDistance = distance;
        }
    }
    return best;
}

void CheckpointTimeline::mousePressEvent(QMouseEvent* event) {
    if (const auto* checkpoint = at(event->pos()))
        Q_EMIT chosen(checkpoint->id);
}

bool CheckpointTimeline::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        auto* help = static_cast<QHelpEvent*>(event);
        if (const auto* checkpoint = at(help->pos()))
            QToolTip::showText(help->globalPos(), tr("Iteration %1, %2")
                                                      .arg(theme::countText(checkpoint->report.iteration),
                                                           theme::whenText(checkpoint->report.wallMicroseconds)));
        return true;
    }
    return QWidget::event(event);
}

} // namespace trainyard
