#pragma once

#include <QString>

#include <cstdint>

/// How numbers are written for people: few digits, narrow spaces between thousands, decimals of the locale.
namespace trainyard::theme {

QString countText(std::int64_t count);           ///< 12 400
QString valueText(double value);                 ///< 0.421, 12.3, 1.2e-5, NaN
QString rateText(double rate);                   ///< 1.0e-2
QString exactText(double value);                 ///< every digit that counts, for tips and exports
QString percentText(double share);               ///< 93.4 % of 0.934
QString durationText(double seconds);            ///< 41 min, 2 h 05 min, 3 d 4 h, 12 s
QString bytesText(std::int64_t bytes);           ///< 1.9 GB
QString whenText(std::int64_t wallMicroseconds); ///< today 14:32, 3 Nov 14:32, 3 Nov 2025

} // namespace trainyard::theme
