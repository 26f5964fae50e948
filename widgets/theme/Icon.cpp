#include "widgets/theme/Icon.h"

#include <QApplication>
#include <QIconEngine>
#include <QPainter>
#include <QPixmapCache>
#include <QSvgRenderer>

namespace trainyard::theme {
namespace {

QPixmap rendered(const QString& name, const QSize& devicePixels, const QColor& colour) {
    const QString key = QStringLiteral("ty:%1:%2x%3:%4")
                            .arg(name)
                            .arg(devicePixels.width())
                            .arg(devicePixels.height())
                            .arg(colour.rgba(), 0, 16);
    QPixmap cached;
    if (QPixmapCache::find(key, &cached))
        return cached;
    QImage image(devicePixels, QImage::Format_ARGB32_Premultiplied);
    image.fill(Qt::transparent);
    QPainter painter(&image);
    QSvgRenderer svg(QStringLiteral(":/icons/%1.svg").arg(name));
    svg.setAspectRatioMode(Qt::KeepAspectRatio);
    svg.render(&painter, QRectF(QPointF(), QSizeF(devicePixels)));
    painter.setCompositionMode(QPainter::CompositionMode_SourceIn);
    painter.fillRect(image.rect(), colour);
    painter.end();
    cached = QPixmap::fromImage(image);
    QPixmapCache::insert(key, cached);
    return cached;
}

class SymbolicEngine final : public QIconEngine {
public:
    SymbolicEngine(QString name, std::optional<Tone> tone) : m_name(std::move(name)), m_tone(tone) {}

    void paint(QPainter* painter, const QRect& rect, QIcon::Mode mode, QIcon::State) override {
        const qreal ratio = painter->device()->devicePixelRatioF();
        QPixmap pixmap = rendered(m_name, rect.size() * ratio, colour(mode));
        pixmap.setDevicePixelRatio(ratio);
        painter->drawPixmap(rect, pixmap);
    }
    QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State) override {
        return rendered(m_name, size, colour(mode));
    }
    QPixmap scaledPixmap(const QSize& size, QIcon::Mode mode, QIcon::State, qreal scale) override {
        QPixmap pixmap = rendered(m_name, size, colour(mode)); // size is in device pixels already
        pixmap.setDevicePixelRatio(scale);
        return pixmap;
    }
    QIconEngine* clone() const override { return new SymbolicEngine(m_name, m_tone); }
    bool isNull() override { return false; }

private:
    QColor colour(QIcon::Mode mode) const {
        const QPalette palette = QApplication::palette();
        if (mode == QIcon::Disabled)
            return palette.color(QPalette::Disabled, QPalette::Text);
        if (m_tone)
            return toneColour(*m_tone, palette);
        return palette.color(mode == QIcon::Selected ? QPalette::HighlightedText : QPalette::Text);
    }
    QString m_name;
    std::optional<Tone> m_tone;
};

} // namespace

QIcon icon(const QString& name, std::optional<Tone> tone) {
    return QIcon(new SymbolicEngine(name, tone));
}

QPixmap iconPixmap(const QString& name, int size, qreal ratio, const QColor& colour) {
    QPixmap pixmap = rendered(name, QSize(size, size) * ratio, colour);
    pixmap.setDevicePixelRatio(ratio);
    return pixmap;
}

} // namespace trainyard::theme
