#include "widgets/theme/Numbers.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QLocale>

#include <array>
#include <cmath>

namespace trainyard::theme {
namespace {

struct NumbersText {
    Q_DECLARE_TR_FUNCTIONS(Numbers)
};

QString decimals(double value, int digits) {
    QLocale locale;
    locale.setNumberOptions(QLocale::OmitGroupSeparator);
    return locale.toString(value, 'f', digits);
}

QString nonFinite(double value) {
    return std::isnan(value) ? QStringLiteral("NaN") : value > 0 ? QStringLiteral("∞") : QStringLiteral("−∞");
}

QString exponent(double value, int digits) {
    QString text = QString::number(value, 'e', digits); // 1.0e-02
    const int e = text.indexOf(QLatin1Char('e'));
    return text.left(e) + QLatin1Char('e') + QString::number(text.mid(e + 1).toInt());
}

} // namespace

QString countText(std::int64_t count) {
    QString digits = QString::number(std::abs(count));
    for (int at = int(digits.size()) - 3; at > 0; at -= 3)
        digits.insert(at, QChar(0x202f)); // narrow, and no line breaks there
    return count < 0 ? QChar(0x2212) + digits : digits;
}

QString valueText(double value) {
    if (!std::isfinite(value))
        return nonFinite(value);
    const double size = std::abs(value);
    if (size == 0)
        return QStringLiteral("0");
    if (size < 1e-3 || size >= 1e7)
        return exponent(value, 2);
    if (size >= 10000)
        return countText(std::llround(value));
    const int before = size >= 1000 ? 4 : size >= 100 ? 3 : size >= 10 ? 2 : 1;
    return decimals(value, size < 0.1 ? 4 : size < 1 ? 3 : 4 - before);
}

QString rateText(double rate) {
    return std::isfinite(rate) ? rate == 0 ? QStringLiteral("0") : exponent(rate, 1) : nonFinite(rate);
}

QString exactText(double value) {
    return std::isfinite(value) ? QString::number(value, 'g', QLocale::FloatingPointShortest) : nonFinite(value);
}

QString percentText(double share) {
    return decimals(share * 100, share < 0.0995 && share > 0 ? 2 : 1) + QStringLiteral("\u202f%");
}

QString durationText(double seconds) {
    if (!(seconds >= 0))
        return QStringLiteral("–");
    const auto total = std::int64_t(std::llround(seconds));
    if (seconds < 9.5)
        return NumbersText::tr("%1 s").arg(decimals(seconds, 1));
    if (total < 100)
        return NumbersText::tr("%1 s").arg(total);
    const std::int64_t minutes = (total + 30) / 60;
    if (minutes < 100)
        return NumbersText::tr("%1 min").arg(minutes);
    if (minutes < 48 * 60)
        return NumbersText::tr("%1 h %2 min").arg(minutes / 60).arg(minutes % 60, 2, 10, QLatin1Char('0'));
    return NumbersText::tr("%1 d %2 h").arg(minutes / 1440).arg(minutes % 1440 / 60);
}

QString bytesText(std::int64_t bytes) {
    static constexpr std::array units = {"B", "kB", "MB", "GB", "TB"};
    double value = double(bytes);
    std::size_t unit = 0;
    while (std::abs(value) >= 999.5 && unit + 1 < units.size()) {
        value /= 1000;
        ++unit;
    }
    return decimals(value, unit == 0 || value >= 99.5 ? 0 : 1) + QChar(0x202f) + QLatin1String(units[unit]);
}

QString whenText(std::int64_t wallMicroseconds) {
    if (wallMicroseconds <= 0)
        return QStringLiteral("–");
    const QDateTime when = QDateTime::fromMSecsSinceEpoch(wallMicroseconds / 1000);
    const QDate today = QDate::currentDate();
    const QLocale locale;
    const QString time = locale.toString(when.time(), QStringLiteral("HH:mm"));
    if (when.date() == today)
        return NumbersText::tr("today %1").arg(time);
    if (when.date() == today.addDays(-1))
        return NumbersText::tr("yesterday %1").arg(time);
    if (when.date().year() == today.year())
        return locale.toString(when.date(), QStringLiteral("d MMM ")) + time;
    return locale.toString(when.date(), QStringLiteral("d MMM yyyy"));
}

} // namespace trainyard::theme
