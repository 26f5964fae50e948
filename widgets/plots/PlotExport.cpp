// SeriesPlot as a picture file.
#include "widgets/plots/PlotCanvas.h"
#include "widgets/plots/SeriesPlot.h"

#include <QSvgGenerator>

namespace trainyard {

bool SeriesPlot::exportSvg(const QString& path) {
    QSvgGenerator svg;
    svg.setFileName(path);
    svg.setTitle(m_title);
    svg.setSize(m_canvas->size());
    svg.setViewBox(m_canvas->rect());
    QCPPainter painter;
    if (!painter.begin(&svg))
        return false;
    painter.setMode(QCPPainter::pmVectorized);
    painter.setMode(QCPPainter::pmNoCaching);
    m_canvas->setCursor(std::nullopt);
    m_canvas->toPainter(&painter, m_canvas->width(), m_canvas->height());
    return painter.end();
}

bool SeriesPlot::exportPng(const QString& path) {
    m_canvas->setCursor(std::nullopt);
    return m_canvas->savePng(path, m_canvas->width(), m_canvas->height(), 2.0);
}

} // namespace trainyard
