#pragma once

#include <QString>
#include <QVector>

namespace trainyard {

/// A number beside an axis as people read it: 12 400, 0.25, 1e-5.
QString tickText(double value);
/// Those of one axis: with powers of ten on all of them or on none. Zero is "0".
QVector<QString> tickTexts(const QVector<double>& values);

} // namespace trainyard
