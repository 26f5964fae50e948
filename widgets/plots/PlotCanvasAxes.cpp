// What a PlotCanvas shows of its plane: ranges, scales, tickers, and their looks.
#include "widgets/plots/CurveMath.h"
#include "widgets/plots/PlotCanvas.h"
#include "widgets/plots/PlotTickers.h"
#include "widgets/theme/Theme.h"

#include <algorithm>
#include <cmath>

namespace trainyard {

void PlotCanvas::fitValues() {
    curves::Extent all;
    const bool isEmpty = std::all_of(m_data.curves.begin(), m_data.curves.end(),
                                     [](const PlotCurve& curve) { return curve.buckets.empty(); });
    for (QCPAxis* axis : {xAxis, yAxis}) {
        axis->setTickLabels(!isEmpty);
        axis->grid()->setVisible(!isEmpty && axis == yAxis);
    }
    const QCPRange x = xAxis->range();
    for (const PlotCurve& curve : m_data.curves) {
        if (m_hidden.contains(curve.key))
            continue;
        const auto one = curves::withTails(curves::extent(curve.buckets, x.lower, x.upper, m_isLogValues),
                                           curve.abandoned, x.lower, x.upper, m_isLogValues);
        if (one.isEmpty)
            continue;
        all = all.isEmpty ? one : curves::Extent{std::min(all.low, one.low), std::max(all.high, one.high), false};
    }
    const auto range = curves::padded(all, m_isLogValues);
    yAxis->setRange(m_heldValues.value_or(QCPRange(range.low, range.high)));
    if (m_isLogValues && yAxis->range().upper / yAxis->range().lower > 8)
        yAxis->setTicker(QSharedPointer<DecadeTicker>::create());
    else
        yAxis->setTicker(QSharedPointer<NumberTicker>::create(m_style));
    yAxis->ticker()->setTickCount(std::max(2, axisRect()->height() / (fontMetrics().height() * 3)));
    xAxis->ticker()->setTickCount(std::max(2, axisRect()->width() / (fontMetrics().averageCharWidth() * 16)));
}

void PlotCanvas::zoomValues(double factor, std::optional<double> around) {
    const QCPRange range = yAxis->range();
    if (m_isLogValues) {
        const double centre = around.value_or(std::sqrt(range.lower * range.upper));
        m_heldValues =
            QCPRange(centre * std::pow(range.lower / centre, factor), centre * std::pow(range.upper / centre, factor));
    } else {
        const double centre = around.value_or(range.center());
        m_heldValues = QCPRange(centre - (centre - range.lower) * factor, centre + (range.upper - centre) * factor);
    }
    if (!QCPRange::validRange(*m_heldValues))
        m_heldValues = range;
    fitValues();
    drawSoon();
    Q_EMIT valuesHeld(true);
}

void PlotCanvas::freeValues() {
    if (!m_heldValues)
        return;
    m_heldValues.reset();
    fitValues();
    drawSoon();
    Q_EMIT valuesHeld(false);
}

void PlotCanvas::setLogValues(bool isLog) {
    m_isLogValues = isLog;
    freeValues();
    yAxis->setScaleType(isLog ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
    fillLines();
}

void PlotCanvas::setLogIterations(bool isLog) {
    xAxis->setScaleType(isLog ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
    if (isLog)
        xAxis->setTicker(QSharedPointer<DecadeTicker>::create());
    else
        xAxis->setTicker(QSharedPointer<IterationTicker>::create());
    drawSoon();
}

void PlotCanvas::setRange(double from, double to) {
    if (xAxis->scaleType() == QCPAxis::stLogarithmic)
        from = std::max(from, 1.0);
    xAxis->setRange(from, std::max(to, from + 1));
    fitValues();
    drawSoon();
}

void PlotCanvas::followTheme() {
    const QColor text = theme::dimText(palette());
    setBackground(palette().brush(QPalette::Base));
    QFont small = font();
    small.setPointSizeF(std::max(6.5, small.pointSizeF() * 0.88));
    for (QCPAxis* axis : {xAxis, yAxis}) {
        axis->setBasePen(Qt::NoPen);
        axis->setTickPen(Qt::NoPen);
        axis->setSubTicks(false);
        axis->setTickLabelColor(text);
        axis->setTickLabelFont(small);
        axis->setTickLabelPadding(theme::quarter(this));
        axis->grid()->setPen(QPen(theme::hairline(palette()), 1));
        axis->grid()->setZeroLinePen(Qt::NoPen);
    }
    const QFontMetrics metrics(small);
    // above, room for half a label: one that does not fit is left out
    const QMargins margins(metrics.horizontalAdvance(QStringLiteral("0.0000")) + 3 * theme::quarter(this),
                           metrics.height() / 2 + 1, metrics.horizontalAdvance(QStringLiteral("000")), 0);
    axisRect()->setMargins(margins);
    axisRect()->setMinimumMargins(margins);
    m_resumes->setPen(QPen(text, 1, Qt::DotLine));
    const QColor bad = theme::toneColour(theme::Tone::Bad, palette());
    m_nonFinite->setPen(QPen(bad));
    m_nonPositive->setPen(QPen(theme::toneColour(theme::Tone::Warning, palette())));
    QPen cursorPen(text, 1);
    m_cursor->setPen(cursorPen);
    m_band->setPen(Qt::NoPen);
    QColor band = palette().color(QPalette::Highlight);
    band.setAlphaF(0.18);
    m_band->setBrush(band);
    QColor grey = text;
    grey.setAlphaF(0.55);
    for (Line& line : m_lines)
        line.abandoned->setPen(QPen(grey, 1));
    if (!m_lines.empty())
        fillLines();
    drawSoon();
}

} // namespace trainyard
