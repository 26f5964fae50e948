#pragma once

#include <QColor>
#include <QPalette>

class QWidget;

/// How the window looks. UI thread only.
namespace trainyard::theme {

/// What the View menu offers. `System` takes the desktop's palette; where there is no desktop theme it is Light.
enum class Choice { System, Light, Dark };

/// Sets style and palette of the whole application; every widget follows by PaletteChange.
void apply(Choice choice);
Choice current();

QPalette lightPalette();
QPalette darkPalette();
bool isDark(const QPalette& palette);

/// The colour of series `index`: eight hues that colour-blind eyes tell apart (after Okabe and Ito 2008), the same hue
/// in light and dark with its lightness adapted. From the ninth on they repeat; see `seriesDash`.
QColor seriesColour(int index, const QPalette& palette);
/// Solid for the first eight, dashed for the next, dotted for those after.
Qt::PenStyle seriesDash(int index);

/// Meanings that a colour supports (never alone: a word and an icon stand beside it).
enum class Tone { Good, Busy, Waiting, Warning, Bad, Quiet };
QColor toneColour(Tone tone, const QPalette& palette);

/// The text colour, fainter: labels of axes, units, help lines.
QColor dimText(const QPalette& palette);
/// A line that is barely there.
QColor hairline(const QPalette& palette);

/// A quarter of the line height; all spacing is a multiple of it.
int quarter(const QWidget* widget = nullptr);

} // namespace trainyard::theme
