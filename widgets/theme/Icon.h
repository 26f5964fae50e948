#pragma once

#include "widgets/theme/Theme.h"

#include <QIcon>
#include <optional>

namespace trainyard::theme {

/// Our symbolic icon of that name (resources/icons/NAME.svg), painted in the palette's text colour whenever it is
/// drawn, so that it follows theme, state and pixel density. With `tone` it takes that tone's colour instead.
QIcon icon(const QString& name, std::optional<Tone> tone = std::nullopt);

/// The same as a picture of `size` logical pixels for `ratio` device pixels each, in `colour`.
QPixmap iconPixmap(const QString& name, int size, qreal ratio, const QColor& colour);

} // namespace trainyard::theme
