#include "widgets/pictures/AnnotatedPicture.h"

#include "core/telemetry/RunLength.h"

#include <QPolygonF>

#include <algorithm>

namespace trainyard {
namespace {

QImage maskPicture(const RunLengthMask& mask, int longestSide) {
    if (mask.width <= 0 || mask.height <= 0 || !runlength::isWhole(mask))
        return {};
    const auto pixels = runlength::pixels(mask);
    const QImage borrowed(pixels.data(), mask.width, mask.height, mask.width, QImage::Format_Grayscale8);
    QImage grey = borrowed.copy();
    if (longestSide > 0 && std::max(grey.width(), grey.height()) > longestSide)
        grey = grey.scaled(longestSide, longestSide, Qt::KeepAspectRatio, Qt::SmoothTransformation)
                   .convertToFormat(QImage::Format_Grayscale8);
    grey.reinterpretAsFormat(QImage::Format_Alpha8);
    return grey;
}

AnnotatedPicture::Object objectOf(const ObjectAnnotation& annotation, int longestSide) {
    AnnotatedPicture::Object object;
    object.label = annotation.label;
    const Box& box = annotation.box;
    object.box = QRectF(QPointF(box.x1, box.y1), QPointF(box.x2, box.y2));
    object.isIgnored = annotation.isCrowd || annotation.isDifficult;
    for (const auto& corners : annotation.polygons) {
        QPolygonF polygon;
        for (const Point& corner : corners)
            polygon << QPointF(corner.x, corner.y);
        object.polygons.push_back(polygon);
    }
    if (annotation.mask)
        object.mask = maskPicture(*annotation.mask, longestSide);
    object.keypoints = annotation.keypoints;
    return object;
}

} // namespace

QImage toQImage(const Image& image) {
    if (image.isEmpty() || image.width <= 0 || image.height <= 0)
        return {};
    const auto format = image.channels == 1 ? QImage::Format_Grayscale8 : QImage::Format_RGB888;
    return QImage(image.pixels.data(), image.width, image.height, qsizetype(image.width) * image.channels, format)
        .copy();
}

AnnotatedPicture annotated(const QImage& image, const QSizeF& size, const std::vector<ObjectAnnotation>& objects,
                           const std::string& transcript, int longestSide) {
    AnnotatedPicture picture;
    picture.size = size.isEmpty() ? QSizeF(image.size()) : size;
    picture.image = image;
    if (longestSide > 0 && std::max(image.width(), image.height()) > longestSide)
        picture.image = image.scaled(longestSide, longestSide, Qt::KeepAspectRatio, Qt::SmoothTransformation);
    for (const ObjectAnnotation& annotation : objects)
        picture.objects.push_back(objectOf(annotation, longestSide));
    std::stable_sort(picture.objects.begin(), picture.objects.end(), [](const auto& a, const auto& b) {
        return a.box.width() * a.box.height() > b.box.width() * b.box.height();
    });
    picture.transcript = QString::fromStdString(transcript);
    return picture;
}

} // namespace trainyard
