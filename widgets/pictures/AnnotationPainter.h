#pragma once

#include "widgets/pictures/AnnotatedPicture.h"

#include <QPalette>
#include <QStringList>

class QPainter;

namespace trainyard {

/// What is drawn over a picture.
struct AnnotationLayers {
    bool boxes = true, masks = true, keypoints = true, names = true;
    bool operator==(const AnnotationLayers&) const = default;
};

/// How a class looks: the series' colours, the same in every picture.
QColor classColour(int label);

/// Draws the objects of `picture` over `target`, where its whole image stands: a colour a class, ignore regions dashed,
/// masks and polygons filled, keypoints joined where they are COCO's seventeen, hidden ones hollow. Lines are as thin
/// as they can be seen, at any scale.
void paintAnnotations(QPainter& painter, const QRectF& target, const AnnotatedPicture& picture,
                      const QStringList& classes, const AnnotationLayers& layers);

/// A place that something is wrong with: drawn large enough to be seen even where it has no area.
void paintFault(QPainter& painter, const QRectF& target, const QSizeF& size, const QRectF& place,
                const QPalette& palette);

} // namespace trainyard
