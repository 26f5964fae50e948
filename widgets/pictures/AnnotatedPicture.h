#pragma once

#include "core/data/Image.h"
#include "core/telemetry/Annotation.h"

#include <QImage>
#include <QRectF>
#include <QString>

#include <vector>

namespace trainyard {

/// Grey or RGB. Any thread.
QImage toQImage(const Image& image);

/// A picture and what is annotated in it, ready to be painted at any size. A value, made on any thread.
struct AnnotatedPicture {
    struct Object {
        int label = 0;
        QRectF box;
        bool isIgnored = false; ///< a crowd, or difficult: an ignore region
        std::vector<QPolygonF> polygons;
        QImage mask; ///< Alpha8, of the whole picture, perhaps smaller; null: none
        std::vector<Keypoint> keypoints;
    };
    QImage image;                ///< perhaps smaller than `size`
    QSizeF size;                 ///< in pixels of which the objects are
    std::vector<Object> objects; ///< largest first, so that none hides another
    QString transcript;

    bool isNull() const { return image.isNull(); }
};

/// `longestSide` bounds picture and masks (thumbnails); 0 keeps them as they are. `objects` are in pixels of a picture
/// of `size`.
AnnotatedPicture annotated(const QImage& image, const QSizeF& size, const std::vector<ObjectAnnotation>& objects,
                           const std::string& transcript, int longestSide = 0);

} // namespace trainyard
