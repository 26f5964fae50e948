#include "widgets/plots/PlotTickers.h"

#include "widgets/plots/TickText.h"
#include "widgets/theme/Numbers.h"

#include <algorithm>
#include <cmath>

namespace trainyard {
namespace {

/// Steps that are added up miss zero by a hair.
double withoutNoise(double tick) {
    return std::abs(tick) < 1e-14 ? 0 : tick;
}

} // namespace

QString NumberTicker::getTickLabel(double tick, const QLocale&, QChar, int) {
    const double value = withoutNoise(tick);
    if (m_style != ValueStyle::Seconds)
        return tickText(value);
    return std::abs(value) < 0.9995 ? tickText(value * 1000) + QStringLiteral("\u202fms")
                                    : tickText(value) + QStringLiteral("\u202fs");
}

QVector<QString> NumberTicker::createLabelVector(const QVector<double>& ticks, const QLocale& locale, QChar formatChar,
                                                 int precision) {
    if (m_style == ValueStyle::Seconds)
        return QCPAxisTicker::createLabelVector(ticks, locale, formatChar, precision);
    QVector<double> values = ticks;
    for (double& value : values)
        value = withoutNoise(value);
    return tickTexts(values);
}

double IterationTicker::getTickStep(const QCPRange& range) {
    return std::ceil(QCPAxisTicker::getTickStep(range)); // there is no half iteration
}

QString IterationTicker::getTickLabel(double tick, const QLocale&, QChar, int) {
    return theme::countText(std::llround(tick));
}

QVector<double> DecadeTicker::createTickVector(double, const QCPRange& range) {
    const int low = int(std::floor(std::log10(range.lower))), high = int(std::ceil(std::log10(range.upper)));
    const int decades = high - low;
    const int stride = std::max(1, decades / 5);
    QVector<double> ticks;
    for (int decade = low; decade <= high; decade += stride) {
        const double base = std::pow(10.0, decade);
        ticks << base;
        if (decades <= 3)
            ticks << 2 * base << 5 * base;
    }
    return ticks;
}

QString DecadeTicker::getTickLabel(double tick, const QLocale&, QChar, int) {
    return tickText(tick);
}

} // namespace trainyard
