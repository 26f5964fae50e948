#include "widgets/plots/PlotTickers.h"

#include "widgets/theme/Numbers.h"

#include <cmath>

namespace trainyard {
namespace {

QString tickText(double value) {
    const double size = std::abs(value);
    if (size >= 10000 && size < 1e9)
        return theme::countText(std::llround(value));
    if (size > 0 && (size < 1e-3 || size >= 1e9)) {
        const QString text = QString::number(value, 'g', 3);
        const qsizetype e = text.indexOf(QLatin1Char('e'));
        return e < 0 ? text : text.left(e + 1) + QString::number(text.mid(e + 1).toInt());
    }
    return QString::number(value, 'g', 6).replace(QLatin1Char('-'), QChar(0x2212));
}

} // namespace

QString NumberTicker::getTickLabel(double tick, const QLocale&, QChar, int) {
    const double value = std::abs(tick) < 1e-14 ? 0 : tick;
    if (m_style != ValueStyle::Seconds)
        return tickText(value);
    return std::abs(value) < 0.9995 ? tickText(value * 1000) + QStringLiteral("\u202fms")
                                    : tickText(value) + QStringLiteral("\u202fs");
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
