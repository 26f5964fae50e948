#include "widgets/theme/Ink.h"

#include <QApplication>

namespace trainyard::theme {

void tintSelection(QWidget* list) {
    QPalette palette = QApplication::palette();
    const QColor accent = palette.color(QPalette::Highlight), base = palette.color(QPalette::Base);
    const auto mix = [](int a, int b) { return (a * 3 + b * 7) / 10; };
    palette.setColor(QPalette::Highlight, QColor(mix(accent.red(), base.red()), mix(accent.green(), base.green()),
                                                 mix(accent.blue(), base.blue())));
    palette.setColor(QPalette::HighlightedText, palette.color(QPalette::Text));
    list->setPalette(palette);
}

} // namespace trainyard::theme
