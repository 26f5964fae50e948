#include "widgets/pictures/AnnotationPainter.h"

#include "widgets/theme/Theme.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <array>
#include <utility>

namespace trainyard {
namespace {

constexpr double kFill = 0.35;     ///< how strongly a mask covers the picture
constexpr double kThumbnail = 300; ///< view pixels up to which lines are plain

/// Joints of a person by COCO's numbering. Source: Lin et al. 2014, the keypoint task's skeleton.
constexpr std::array<std::pair<int, int>, 19> kPerson = {{{15, 13},
                                                          {13, 11},
                                                          {16, 14},
                                                          {14, 12},
                                                          {11, 12},
                                                          {5, 11},
                                                          {6, 12},
                                                          {5, 6},
                                                          {5, 7},
                                                          {6, 8},
                                                          {7, 9},
                                                          {8, 10},
                                                          {1, 2},
                                                          {0, 1},
                                                          {0, 2},
                                                          {1, 3},
                                                          {2, 4},
                                                          {3, 5},
                                                          {4, 6}}};

/// From pixels of the picture to where they stand.
struct Placing {
    QRectF target;
    double scaleX = 1, scaleY = 1;

    Placing(const QRectF& where, const QSizeF& size)
        : target(where), scaleX(where.width() / std::max(1.0, size.width())),
          scaleY(where.height() / std::max(1.0, size.height())) {}
    bool isLarge() const { return std::max(target.width(), target.height()) > kThumbnail; }
    QPointF at(double x, double y) const { return {target.x() + x * scaleX, target.y() + y * scaleY}; }
    QRectF of(const QRectF& box) const { return {at(box.left(), box.top()), at(box.right(), box.bottom())}; }
};

/// A line that is seen on light and on dark ground: dark along its sides where it is `large` enough for that.
template <class Draw>
void stroke(QPainter& painter, const QColor& colour, bool isDashed, bool isLarge, Draw draw) {
    painter.setBrush(Qt::NoBrush);
    if (isLarge) {
        painter.setPen(QPen(QColor(0, 0, 0, 90), 3));
        draw();
    }
    painter.setPen(QPen(colour, 1.5, isDashed ? Qt::DashLine : Qt::SolidLine));
    draw();
}

void paintMask(QPainter& painter, const Placing& placing, const AnnotatedPicture::Object& object) {
    QColor colour = classColour(object.label);
    colour.setAlphaF(float(kFill));
    if (!object.mask.isNull()) {
        QImage tinted(object.mask.size(), QImage::Format_ARGB32_Premultiplied);
        tinted.fill(colour);
        QPainter cut(&tinted);
        cut.setCompositionMode(QPainter::CompositionMode_DestinationIn);
        cut.drawImage(0, 0, object.mask);
        cut.end();
        painter.drawImage(placing.target, tinted);
        return;
    }
    QPainterPath path;
    path.setFillRule(Qt::WindingFill);
    for (const QPolygonF& polygon : object.polygons) {
        QPolygonF placed;
        for (const QPointF& corner : polygon)
            placed << placing.at(corner.x(), corner.y());
        path.addPolygon(placed);
        path.closeSubpath();
    }
    painter.fillPath(path, colour);
    colour.setAlphaF(1);
    painter.strokePath(path, QPen(colour, 1));
}

void paintKeypoints(QPainter& painter, const Placing& placing, const AnnotatedPicture::Object& object) {
    const auto& points = object.keypoints;
    const QColor colour = classColour(object.label);
    const auto place = [&](const Keypoint& keypoint) {
        return placing.at(double(keypoint.at.x), double(keypoint.at.y));
    };
    if (points.size() == 17)
        for (const auto& [from, to] : kPerson)
            if (points[std::size_t(from)].visibility > 0 && points[std::size_t(to)].visibility > 0)
                stroke(painter, colour, false, placing.isLarge(), [&, a = from, b = to] {
                    painter.drawLine(place(points[std::size_t(a)]), place(points[std::size_t(b)]));
                });
    const double radius = std::clamp(std::min(placing.target.width(), placing.target.height()) / 120, 2.0, 4.0);
    for (const Keypoint& keypoint : points) {
        if (keypoint.visibility == 0)
            continue;
        painter.setPen(QPen(keypoint.visibility > 1 ? QColor(Qt::white) : colour, 1));
        painter.setBrush(keypoint.visibility > 1 ? QBrush(colour) : QBrush(Qt::white));
        painter.drawEllipse(place(keypoint), radius, radius);
    }
}

void paintName(QPainter& painter, const Placing& placing, const AnnotatedPicture::Object& object, const QString& name) {
    const QFontMetricsF metrics(painter.font());
    const QRectF box = placing.of(object.box);
    QRectF plate(box.left(), box.top() - metrics.height(), metrics.horizontalAdvance(name) + 6, metrics.height());
    if (plate.top() < placing.target.top())
        plate.moveTop(std::max(box.top(), placing.target.top()));
    plate.moveLeft(std::max(placing.target.left(), std::min(plate.left(), placing.target.right() - plate.width())));
    const QColor colour = classColour(object.label);
    painter.fillRect(plate, colour);
    painter.setPen(colour.lightness() > 140 ? Qt::black : Qt::white);
    painter.drawText(plate, Qt::AlignCenter, name);
}

} // namespace

QColor classColour(int label) {
    return theme::seriesColour(label, theme::darkPalette()); // the lighter set: photos are seldom white
}

void paintAnnotations(QPainter& painter, const QRectF& target, const AnnotatedPicture& picture,
                      const QStringList& classes, const AnnotationLayers& layers) {
    painter.save();
    painter.setRenderHints(QPainter::Antialiasing | QPainter::SmoothPixmapTransform);
    painter.setClipRect(target.adjusted(-2, -2, 2, 2), Qt::IntersectClip);
    const Placing placing(target, picture.size);
    for (const auto& object : picture.objects) {
        if (layers.masks)
            paintMask(painter, placing, object);
        if (layers.boxes && !object.box.isEmpty())
            stroke(painter, classColour(object.label), object.isIgnored, placing.isLarge(),
                   [&] { painter.drawRect(placing.of(object.box)); });
        if (layers.keypoints)
            paintKeypoints(painter, placing, object);
    }
    for (const auto& object : picture.objects)
        if (layers.names && object.label >= 0 && object.label < classes.size() && !object.box.isEmpty())
            paintName(painter, placing, object, classes[object.label]);
    painter.restore();
}

void paintFault(QPainter& painter, const QRectF& target, const QSizeF& size, const QRectF& place,
                const QPalette& palette) {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF box = Placing(target, size).of(place.normalized());
    constexpr double kReach = 9; // of the cross beyond the box
    const QRectF around = box.adjusted(-kReach, -kReach, kReach, kReach);
    stroke(painter, theme::toneColour(theme::Tone::Bad, palette), false, true, [&] {
        painter.drawRect(box);
        painter.drawEllipse(around);
    });
    painter.restore();
}

} // namespace trainyard
