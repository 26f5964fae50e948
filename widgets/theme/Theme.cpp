#include "widgets/theme/Theme.h"

#include "widgets/theme/QuietStyle.h"

#include <QApplication>
#include <QFontMetrics>
#include <QStyle>
#include <QWidget>

#include <algorithm>
#include <array>

/// Icons and help pages lie in a static library, which the linker would drop. Must stand outside of namespaces.
static void initResources() {
    Q_INIT_RESOURCE(window);
}

namespace trainyard::theme {
namespace {

Choice s_choice = Choice::System;

struct Shades {
    QRgb window, base, alternate, text, faint, button, mid, dark, accent, link;
};

QPalette paletteOf(const Shades& shades) {
    QPalette palette;
    const auto set = [&](QPalette::ColorRole role, QRgb colour) { palette.setColor(role, QColor(colour)); };
    set(QPalette::Window, shades.window);
    set(QPalette::WindowText, shades.text);
    set(QPalette::Base, shades.base);
    set(QPalette::AlternateBase, shades.alternate);
    set(QPalette::Text, shades.text);
    set(QPalette::PlaceholderText, shades.faint);
    set(QPalette::Button, shades.button);
    set(QPalette::ButtonText, shades.text);
    set(QPalette::BrightText, 0xffffffff);
    set(QPalette::ToolTipBase, shades.alternate);
    set(QPalette::ToolTipText, shades.text);
    set(QPalette::Light, shades.base);
    set(QPalette::Midlight, shades.alternate);
    set(QPalette::Mid, shades.mid);
    set(QPalette::Dark, shades.dark);
    set(QPalette::Shadow, shades.dark);
    set(QPalette::Highlight, shades.accent);
    set(QPalette::HighlightedText, 0xffffffff);
    set(QPalette::Link, shades.link);
    set(QPalette::LinkVisited, shades.link);
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText, QPalette::HighlightedText})
        palette.setColor(QPalette::Disabled, role, QColor(shades.faint));
    palette.setColor(QPalette::Disabled, QPalette::Highlight, QColor(shades.mid));
    return palette;
}

bool hasDesktopTheme() {
    return !qEnvironmentVariableIsEmpty("XDG_CURRENT_DESKTOP") || !qEnvironmentVariableIsEmpty("QT_QPA_PLATFORMTHEME");
}

} // namespace

QPalette lightPalette() {
    return paletteOf({.window = 0xfff4f4f3,
                      .base = 0xffffffff,
                      .alternate = 0xfff8f8f7,
                      .text = 0xff202326,
                      .faint = 0xff8d9298,
                      .button = 0xfffafafa,
                      .mid = 0xffc9cbcd,
                      .dark = 0xffa9acaf,
                      .accent = 0xff2a6fb0,
                      .link = 0xff1f66a8});
}

QPalette darkPalette() {
    return paletteOf({.window = 0xff24262a,
                      .base = 0xff1b1d20,
                      .alternate = 0xff212327,
                      .text = 0xffe2e4e6,
                      .faint = 0xff7f858c,
                      .button = 0xff2e3136,
                      .mid = 0xff43474d,
                      .dark = 0xff15161a,
                      .accent = 0xff3b82c8,
                      .link = 0xff6fb1ea});
}

bool isDark(const QPalette& palette) {
    return palette.color(QPalette::Base).lightness() < palette.color(QPalette::Text).lightness();
}

void apply(Choice choice) {
    initResources();
    s_choice = choice;
    static const QPalette system = QApplication::palette();
    QApplication::setStyle(new QuietStyle(hasDesktopTheme() ? QString() : QStringLiteral("Fusion")));
    switch (choice) {
    case Choice::System:
        QApplication::setPalette(hasDesktopTheme() ? system : lightPalette());
        break;
    case Choice::Light:
        QApplication::setPalette(lightPalette());
        break;
    case Choice::Dark:
        QApplication::setPalette(darkPalette());
        break;
    }
}

Choice current() {
    return s_choice;
}

QColor seriesColour(int index, const QPalette& palette) {
    // blue, orange, green, vermilion, purple, sky, yellow-brown, grey
    static constexpr std::array<QRgb, 8> light = {0xff0068ad, 0xffd98200, 0xff008a63, 0xffcc4e00,
                                                  0xffb4578f, 0xff2f97cf, 0xff8f7a00, 0xff6b7075};
    static constexpr std::array<QRgb, 8> dark = {0xff4aa3e0, 0xfff0a83a, 0xff2dbd92, 0xfff07a3c,
                                                 0xffd98bb8, 0xff86c9ee, 0xffcbb646, 0xffa0a5ab};
    const auto& colours = isDark(palette) ? dark : light;
    return QColor(colours[std::size_t(std::abs(index)) % colours.size()]);
}

Qt::PenStyle seriesDash(int index) {
    static constexpr std::array styles = {Qt::SolidLine, Qt::DashLine, Qt::DotLine, Qt::DashDotLine};
    return styles[std::size_t(std::abs(index) / 8) % styles.size()];
}

QColor toneColour(Tone tone, const QPalette& palette) {
    const bool dark = isDark(palette);
    switch (tone) {
    case Tone::Good:
        return QColor(dark ? 0xff2dbd92 : 0xff00805c);
    case Tone::Busy:
        return QColor(dark ? 0xff4aa3e0 : 0xff0068ad);
    case Tone::Waiting:
        return QColor(dark ? 0xffcbb646 : 0xff857100);
    case Tone::Warning:
        return QColor(dark ? 0xfff0a83a : 0xffb56a00);
    case Tone::Bad:
        return QColor(dark ? 0xfff07a5c : 0xffbf3a12);
    case Tone::Quiet:
        break;
    }
    return dimText(palette);
}

QColor dimText(const QPalette& palette) {
    QColor colour = palette.color(QPalette::Text);
    const QColor base = palette.color(QPalette::Base);
    const auto mix = [](int a, int b) { return int(a * 0.62 + b * 0.38); };
    return QColor(mix(colour.red(), base.red()), mix(colour.green(), base.green()), mix(colour.blue(), base.blue()));
}

QColor hairline(const QPalette& palette) {
    QColor colour = palette.color(QPalette::Text);
    colour.setAlphaF(isDark(palette) ? 0.10 : 0.09);
    return colour;
}

int quarter(const QWidget* widget) {
    const QFontMetrics metrics(widget ? widget->font() : QApplication::font());
    return std::max(2, metrics.lineSpacing() / 4);
}

} // namespace trainyard::theme
