#pragma once

#include "widgets/plots/PlotCurve.h"

#include <qcustomplot.h>

namespace trainyard {

/// Ticks written as people read them: 12 400, 0.25, 1e-5, 50 ms; with powers of ten on all of an axis or on none.
class NumberTicker final : public QCPAxisTicker {
public:
    explicit NumberTicker(ValueStyle style) : m_style(style) {}

protected:
    QString getTickLabel(double tick, const QLocale& locale, QChar formatChar, int precision) override;
    QVector<QString> createLabelVector(const QVector<double>& ticks, const QLocale& locale, QChar formatChar,
                                       int precision) override;

private:
    ValueStyle m_style;
};

/// Whole numbers only: an iteration has no halves.
class IterationTicker final : public QCPAxisTicker {
protected:
    double getTickStep(const QCPRange& range) override;
    QString getTickLabel(double tick, const QLocale& locale, QChar formatChar, int precision) override;
};

/// Decades, and 2 and 5 between them where there are few.
class DecadeTicker final : public QCPAxisTicker {
protected:
    QVector<double> createTickVector(double step, const QCPRange& range) override;
    QString getTickLabel(double tick, const QLocale& locale, QChar formatChar, int precision) override;
};

} // namespace trainyard
