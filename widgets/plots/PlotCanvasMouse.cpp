// What the mouse does on a PlotCanvas: wheel zooms (with Ctrl or left of the plot: the values), a drag marks a stretch,
// Shift or the middle button moves.
#include "widgets/plots/PlotCanvas.h"

#include <cmath>

namespace trainyard {
namespace {

constexpr int kDragPixels = 5;

} // namespace

void PlotCanvas::mousePressEvent(QMouseEvent* event) {
    const bool moves = event->button() == Qt::MiddleButton ||
                       (event->button() == Qt::LeftButton && event->modifiers().testFlag(Qt::ShiftModifier));
    if (moves) {
        m_panStart = event->pos().x();
        m_panRange = xAxis->range();
    } else if (event->button() == Qt::LeftButton) {
        m_bandStart = event->pos().x();
    }
    event->ignore(); // the plot takes the focus
}

void PlotCanvas::mouseMoveEvent(QMouseEvent* event) {
    const int x = event->pos().x();
    if (m_panStart) {
        const bool isLog = xAxis->scaleType() == QCPAxis::stLogarithmic;
        const double shift = double(*m_panStart - x) / std::max(1, axisRect()->width());
        if (isLog) {
            const double factor = std::pow(m_panRange.upper / m_panRange.lower, shift);
            Q_EMIT rangeChosen(m_panRange.lower * factor, m_panRange.upper * factor);
        } else {
            Q_EMIT rangeChosen(m_panRange.lower + shift * m_panRange.size(),
                               m_panRange.upper + shift * m_panRange.size());
        }
        return;
    }
    if (m_bandStart && std::abs(x - *m_bandStart) > kDragPixels) {
        m_band->setVisible(true);
        m_band->topLeft->setCoords(iterationAt(int(std::min<double>(*m_bandStart, x))), yAxis->range().upper);
        m_band->bottomRight->setCoords(iterationAt(int(std::max<double>(*m_bandStart, x))), yAxis->range().lower);
        layer(QStringLiteral("overlay"))->replot();
    }
    if (axisRect()->rect().contains(event->pos()))
        Q_EMIT cursorMoved(iterationAt(x));
    else
        Q_EMIT cursorLeft();
}

void PlotCanvas::mouseReleaseEvent(QMouseEvent* event) {
    m_panStart.reset();
    if (!m_bandStart)
        return;
    const double start = *m_bandStart;
    m_bandStart.reset();
    m_band->setVisible(false);
    layer(QStringLiteral("overlay"))->replot();
    const int x = event->pos().x();
    if (std::abs(x - start) > kDragPixels)
        Q_EMIT rangeChosen(iterationAt(int(std::min<double>(start, x))), iterationAt(int(std::max<double>(start, x))));
}

void PlotCanvas::mouseDoubleClickEvent(QMouseEvent* event) {
    m_bandStart.reset();
    if (event->pos().x() < axisRect()->left() && m_heldValues)
        return freeValues();
    Q_EMIT enlargeAsked();
}

void PlotCanvas::wheelEvent(QWheelEvent* event) {
    const bool isAtValues = event->position().x() < axisRect()->left();
    if (event->angleDelta().y() != 0 && (isAtValues || event->modifiers().testFlag(Qt::ControlModifier))) {
        zoomValues(std::pow(0.8, event->angleDelta().y() / 120.0), yAxis->pixelToCoord(event->position().y()));
        event->accept();
        return;
    }
    if (!axisRect()->rect().contains(event->position().toPoint()) || event->angleDelta().y() == 0) {
        event->ignore();
        return;
    }
    const double steps = event->angleDelta().y() / 120.0;
    const double factor = std::pow(0.8, steps);
    const QCPRange range = xAxis->range();
    const double centre = iterationAt(int(event->position().x()));
    if (xAxis->scaleType() == QCPAxis::stLogarithmic)
        Q_EMIT rangeChosen(centre * std::pow(range.lower / centre, factor),
                           centre * std::pow(range.upper / centre, factor));
    else
        Q_EMIT rangeChosen(centre - (centre - range.lower) * factor, centre + (range.upper - centre) * factor);
    event->accept();
}

void PlotCanvas::leaveEvent(QEvent* event) {
    Q_EMIT cursorLeft();
    QCustomPlot::leaveEvent(event);
}

void PlotCanvas::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange || event->type() == QEvent::FontChange)
        followTheme();
    QCustomPlot::changeEvent(event);
}

void PlotCanvas::showEvent(QShowEvent* event) {
    drawSoon();
    QCustomPlot::showEvent(event);
}

void PlotCanvas::paintEvent(QPaintEvent* event) {
    QCustomPlot::paintEvent(event);
    if (m_isDirty && !m_frame.isActive())
        drawSoon(); // it was out of sight when its data changed
}

std::vector<QPointF> PlotCanvas::drawn(const QString& key, bool isSmoothed) const {
    std::vector<QPointF> line;
    for (std::size_t at = 0; at < m_lines.size(); ++at) {
        if (m_data.curves[at].key != key)
            continue;
        for (const QCPGraphData& point : *(isSmoothed ? m_lines[at].smooth : m_lines[at].raw)->data())
            line.emplace_back(point.key, point.value);
    }
    return line;
}

int PlotCanvas::marks(const QString& kind) const {
    const QCPGraph* graph = kind == QLatin1String("non-finite")     ? m_nonFinite
                            : kind == QLatin1String("non-positive") ? m_nonPositive
                                                                    : m_resumes;
    return int(graph->data()->size());
}

} // namespace trainyard
