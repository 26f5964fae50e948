#pragma once

#include <QColor>
#include <QWidget>

namespace trainyard::theme {

/// The text colour of one widget, whatever it stands on.
inline void setInk(QWidget* widget, const QColor& colour) {
    QPalette palette = widget->palette();
    for (const auto role : {QPalette::WindowText, QPalette::Text}) // by its background a label takes one or the other
        palette.setColor(role, colour);
    widget->setPalette(palette);
}

/// Selected rows of a list are tinted, not painted over: what stands in them keeps its colours. Call it again upon
/// PaletteChange (the application's own event reaches windows alone).
void tintSelection(QWidget* list);

} // namespace trainyard::theme
