#include "widgets/plots/TickText.h"

#include "widgets/theme/Numbers.h"

#include <algorithm>
#include <cmath>

namespace trainyard {
namespace {

/// "2.00e-05" as "2e-5".
QString withoutZeros(const QString& text) {
    const qsizetype e = text.indexOf(QLatin1Char('e'));
    if (e < 0)
        return text;
    QString mantissa = text.left(e);
    if (mantissa.contains(QLatin1Char('.')))
        while (mantissa.endsWith(QLatin1Char('0')) || mantissa.endsWith(QLatin1Char('.')))
            mantissa.chop(1);
    return mantissa + QLatin1Char('e') + QString::number(text.mid(e + 1).toInt());
}

} // namespace

QString tickText(double value) {
    const double size = std::abs(value);
    if (size >= 10000 && size < 1e9)
        return theme::countText(std::llround(value));
    if (size > 0 && (size < 1e-3 || size >= 1e9))
        return withoutZeros(QString::number(value, 'g', 3));
    return QString::number(value, 'g', 6).replace(QLatin1Char('-'), QChar(0x2212));
}

QVector<QString> tickTexts(const QVector<double>& values) {
    QVector<QString> texts;
    for (const double value : values)
        texts << tickText(value);
    const auto isPower = [](const QString& text) { return text.contains(QLatin1Char('e')); };
    if (std::none_of(texts.begin(), texts.end(), isPower))
        return texts;
    for (qsizetype at = 0; at < texts.size(); ++at)
        if (!isPower(texts[at]) && values[at] != 0)
            texts[at] = withoutZeros(QString::number(values[at], 'e', 2));
    return texts;
}

} // namespace trainyard
