#pragma once

#include "widgets/pictures/AnnotationPainter.h"

#include <QWidget>

namespace trainyard {

/// One picture with its annotations, as large as there is room. The wheel, or + and - zoom around a point; dragging, or
/// Shift and the arrow keys move it; 0 shows all of it again. UI thread only.
class PictureView final : public QWidget {
    Q_OBJECT
public:
    explicit PictureView(QWidget* parent = nullptr);

    void setPicture(const AnnotatedPicture& picture, const QStringList& classes);
    const AnnotatedPicture& picture() const { return m_picture; }
    void setLayers(const AnnotationLayers& layers);
    /// Places that something is wrong with, in pixels of the picture.
    void setFaults(const std::vector<QRectF>& places);
    const std::vector<QRectF>& faults() const { return m_faults; }
    /// In place of a picture: that it is being read, or why there is none.
    void setNotice(const QString& sentence);
    QString notice() const { return m_notice; }
    void zoom(double factor);
    void showAll();
    double magnification() const { return m_zoom; } ///< 1: all of it fits
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    QRectF target() const;
    void zoomAt(double factor, const QPointF& fixed);
    void moveBy(const QPointF& by);

    AnnotatedPicture m_picture;
    QStringList m_classes;
    AnnotationLayers m_layers;
    std::vector<QRectF> m_faults;
    QString m_notice;
    double m_zoom = 1;
    QPointF m_centre{0.5, 0.5}; ///< the share of the picture that stands in the middle
    QPointF m_dragged;
};

} // namespace trainyard
