#include "widgets/theme/Ink.h"

#include <QApplication>

namespace trainyard::theme {

void tintSelection(QWidget* list) {
    const QPalette whole = QApplication::palette();
    const QColor accent = whole.color(QPalette::Highlight), base = whole.color(QPalette::Base);
    const auto mix = [](int a, int b) { return (a * 3 + b * 7) / 10; };
    QPalette palette; // these two roles alone: the others go on following the application
    palette.setColor(QPalette::Highlight, QColor(mix(accent.red(), base.red()), mix(accent.green(), base.green()),
                                                 mix(accent.blue(), base.blue())));
    palette.setColor(QPalette::HighlightedText, whole.color(QPalette::Text));
    list->setPalette(palette);
}

} // namespace trainyard::theme
