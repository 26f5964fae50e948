#include "widgets/plots/PlotCanvas.h"

#include "widgets/plots/CurveMath.h"
#include "widgets/plots/PlotTickers.h"
#include "widgets/theme/Theme.h"

namespace trainyard {
namespace {

constexpr int kFrameMilliseconds = 100;

void fill(QCPGraph* graph, const std::vector<QPointF>& line) {
    QVector<QCPGraphData> points;
    points.reserve(qsizetype(line.size()));
    for (const QPointF& point : line)
        points.append(QCPGraphData(point.x(), point.y()));
    graph->data()->set(points, true);
}

void fill(QCPGraph* graph, const std::vector<double>& keys, double value) {
    QVector<QCPGraphData> points;
    for (const double key : keys)
        points.append(QCPGraphData(key, value));
    graph->data()->set(points, true);
}

} // namespace

PlotCanvas::PlotCanvas(ValueStyle style, QWidget* parent) : QCustomPlot(parent), m_style(style) {
    setMouseTracking(true);
    setFocusPolicy(Qt::NoFocus);
    setNoAntialiasingOnDrag(true);
    setPlottingHint(QCP::phCacheLabels, true);
    setMinimumSize(80, 60);
    m_frame.setSingleShot(true);
    connect(&m_frame, &QTimer::timeout, this, [this] {
        if (m_isDirty && isVisible() && !visibleRegion().isEmpty())
            drawNow();
    });
    xAxis->setTicker(QSharedPointer<IterationTicker>::create());
    yAxis->setTicker(QSharedPointer<NumberTicker>::create(m_style));
    yAxis2->setRange(0, 1);                                  // for marks: 0 is the bottom of the plot, 1 its top
    axisRect()->setAutoMargins(QCP::msLeft | QCP::msBottom); // plots stand in line unless a label needs more
    m_resumes = addGraph(xAxis, yAxis2);
    m_resumes->setLineStyle(QCPGraph::lsImpulse);
    m_nonFinite = markGraph(QCPScatterStyle::ssTriangleInverted);
    m_nonPositive = markGraph(QCPScatterStyle::ssTriangle);
    m_cursor = new QCPItemStraightLine(this);
    m_cursor->setLayer(QStringLiteral("overlay"));
    m_cursor->setVisible(false);
    m_band = new QCPItemRect(this);
    m_band->setLayer(QStringLiteral("overlay"));
    m_band->setVisible(false);
    followTheme();
}

QCPGraph* PlotCanvas::markGraph(QCPScatterStyle::ScatterShape shape) {
    QCPGraph* graph = addGraph(xAxis, yAxis2);
    graph->setLineStyle(QCPGraph::lsNone);
    graph->setScatterStyle(QCPScatterStyle(shape, 7));
    return graph;
}

void PlotCanvas::setData(const PlotData& data) {
    const bool sameCurves =
        m_data.curves.size() == data.curves.size() &&
        std::equal(data.curves.begin(), data.curves.end(), m_data.curves.begin(),
                   [](const auto& a, const auto& b) { return a.key == b.key && a.colour == b.colour; });
    m_data = data;
    if (!sameCurves)
        rebuildLines();
    fillLines();
}

void PlotCanvas::rebuildLines() {
    for (Line& line : m_lines) {
        removeItem(line.dot);
        removeGraph(line.raw);
        removeGraph(line.smooth);
        removeGraph(line.abandoned);
    }
    m_lines.clear();
    for (std::size_t at = 0; at < m_data.curves.size(); ++at) {
        Line line;
        line.abandoned = addGraph(xAxis, yAxis);
        line.raw = addGraph(xAxis, yAxis);
        line.smooth = addGraph(xAxis, yAxis);
        for (QCPGraph* graph : {line.abandoned, line.raw, line.smooth})
            graph->setAntialiased(true);
        line.dot = new QCPItemTracer(this);
        line.dot->setLayer(QStringLiteral("overlay"));
        line.dot->setStyle(QCPItemTracer::tsCircle);
        line.dot->setSize(6);
        line.dot->setInterpolating(false);
        line.dot->setVisible(false);
        m_lines.push_back(line);
    }
    followTheme();
}

void PlotCanvas::fillLines() {
    std::vector<double> nonFinite, nonPositive;
    const qreal width = devicePixelRatioF() > 1 ? 1.4 : 1; // a hair is too thin where pixels are small
    for (std::size_t at = 0; at < m_lines.size(); ++at) {
        const PlotCurve& curve = m_data.curves[at];
        Line& line = m_lines[at];
        const bool isShown = !m_hidden.contains(curve.key);
        const bool isSmoothed = m_smoothing > 0 && curve.buckets.size() > 2;
        for (QCPGraph* graph : {line.abandoned, line.raw, line.smooth})
            graph->setVisible(isShown);
        fill(line.raw, curves::rawLine(curve.buckets, m_isLogValues));
        // a single point draws no line: show it as a dot
        line.raw->setScatterStyle(curve.buckets.size() < 24 ? QCPScatterStyle(QCPScatterStyle::ssDisc, 4)
                                                            : QCPScatterStyle::ssNone);
        fill(line.smooth, isSmoothed ? curves::smoothLine(curve.buckets, m_smoothing) : std::vector<QPointF>());
        QColor colour = theme::seriesColour(curve.colour, palette());
        line.smooth->setPen(QPen(colour, width, theme::seriesDash(curve.colour)));
        line.dot->setPen(QPen(colour));
        line.dot->setBrush(colour);
        QCPGraph* walked = isSmoothed ? line.smooth : line.raw;
        line.dot->setGraph(walked->data()->isEmpty() ? nullptr : walked);
        if (isSmoothed)
            colour.setAlphaF(0.35);
        line.raw->setPen(
            QPen(colour, isSmoothed ? 1 : width, isSmoothed ? Qt::SolidLine : theme::seriesDash(curve.colour)));
        std::vector<QPointF> tails;
        for (const auto& tail : curve.abandoned) {
            for (const SeriesPoint& point : tail)
                tails.emplace_back(double(point.iteration), point.value);
            if (!tail.empty())
                tails.emplace_back(double(tail.back().iteration), std::numeric_limits<double>::quiet_NaN());
        }
        line.abandoned->data()->clear();
        for (const QPointF& point : tails) // tails overlap in x: each keeps its own order
            line.abandoned->addData(point.x(), point.y());
        if (!isShown)
            continue;
        for (const double mark : curves::nonFiniteMarks(curve.buckets))
            nonFinite.push_back(mark);
        if (m_isLogValues)
            for (const double mark : curves::nonPositiveMarks(curve.buckets))
                nonPositive.push_back(mark);
    }
    std::sort(nonFinite.begin(), nonFinite.end());
    std::sort(nonPositive.begin(), nonPositive.end());
    fill(m_nonFinite, nonFinite, 0.96);
    fill(m_nonPositive, nonPositive, 0.04);
    fill(m_resumes, std::vector<double>(m_data.resumes.begin(), m_data.resumes.end()), 1.0);
    fitValues();
    drawSoon();
}

void PlotCanvas::setSmoothing(double weight) {
    m_smoothing = weight;
    fillLines();
}

void PlotCanvas::setHidden(const QSet<QString>& keys) {
    m_hidden = keys;
    fillLines();
}

void PlotCanvas::setCursor(std::optional<double> iteration) {
    const bool isEmpty = std::all_of(m_data.curves.begin(), m_data.curves.end(),
                                     [](const PlotCurve& curve) { return curve.buckets.empty(); });
    const bool isShown = iteration && !isEmpty && xAxis->range().contains(*iteration);
    if (!isShown && !m_cursor->visible())
        return;
    m_cursor->setVisible(isShown);
    if (isShown) {
        m_cursor->point1->setCoords(*iteration, yAxis->range().lower);
        m_cursor->point2->setCoords(*iteration, yAxis->range().upper);
    }
    for (std::size_t at = 0; at < m_lines.size(); ++at) {
        QCPItemTracer* dot = m_lines[at].dot;
        dot->setVisible(isShown && !m_hidden.contains(m_data.curves[at].key) && !m_data.curves[at].buckets.empty());
        if (isShown)
            dot->setGraphKey(*iteration);
    }
    if (!m_isDirty)
        layer(QStringLiteral("overlay"))->replot();
}

int PlotCanvas::columns() const {
    return std::clamp(axisRect()->width(), 60, 4000);
}

void PlotCanvas::drawSoon() {
    m_isDirty = true;
    if (m_frame.isActive())
        return;
    const qint64 elapsed = m_sinceDrawn.isValid() ? m_sinceDrawn.elapsed() : kFrameMilliseconds;
    m_frame.start(int(std::clamp<qint64>(kFrameMilliseconds - elapsed, 0, kFrameMilliseconds)));
}

void PlotCanvas::drawNow() {
    m_isDirty = false;
    m_sinceDrawn.start();
    replot(QCustomPlot::rpQueuedRefresh);
}

} // namespace trainyard
