#pragma once

#include <QProxyStyle>

namespace trainyard::theme {

/// The system's style with less ink: flat tool bars parted by hairlines, no dock frames, slim splitters.
class QuietStyle final : public QProxyStyle {
    Q_OBJECT
public:
    /// `base` is a style's name; empty is the system's own.
    explicit QuietStyle(const QString& base);

    void drawControl(ControlElement element, const QStyleOption* option, QPainter* painter,
                     const QWidget* widget) const override;
    void drawComplexControl(ComplexControl control, const QStyleOptionComplex* option, QPainter* painter,
                            const QWidget* widget) const override;
    void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                       const QWidget* widget) const override;
    int pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const override;
    int styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                  QStyleHintReturn* data) const override;
    /// The buttons of a panel's head are ours, so that they are seen in the dark too.
    QIcon standardIcon(StandardPixmap which, const QStyleOption* option, const QWidget* widget) const override;
};

} // namespace trainyard::theme
