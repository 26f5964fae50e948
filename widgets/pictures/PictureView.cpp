#include "widgets/pictures/PictureView.h"

#include "widgets/theme/Theme.h"

#include <QKeyEvent>
#include <QPainter>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace trainyard {
namespace {

constexpr double kSharpest = 24;     ///< view pixels for a pixel of the picture: beyond that there is nothing to see
constexpr double kLargestAtRest = 6; ///< times its own size that a small picture is shown

} // namespace

PictureView::PictureView(QWidget* parent) : QWidget(parent) {
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
}

QSize PictureView::minimumSizeHint() const {
    return {fontMetrics().averageCharWidth() * 24, fontMetrics().lineSpacing() * 8};
}

void PictureView::setPicture(const AnnotatedPicture& picture, const QStringList& classes) {
    const bool isOther = picture.size != m_picture.size;
    m_picture = picture;
    m_classes = classes;
    m_notice.clear();
    if (isOther)
        showAll();
    update();
}

void PictureView::setLayers(const AnnotationLayers& layers) {
    m_layers = layers;
    update();
}

void PictureView::setFaults(const std::vector<QRectF>& places) {
    m_faults = places;
    update();
}

void PictureView::setNotice(const QString& sentence) {
    m_notice = sentence;
    m_picture = {};
    update();
}

QRectF PictureView::target() const {
    const QRectF room = QRectF(rect()).adjusted(1, 1, -1, -1);
    const QSizeF size = m_picture.size;
    const double fit = std::min({room.width() / size.width(), room.height() / size.height(), kLargestAtRest});
    const QSizeF shown = size * (fit * m_zoom);
    const auto place = [](double low, double space, double length, double centre) {
        if (length <= space)
            return low + (space - length) / 2;
        return std::clamp(low + space / 2 - centre * length, low + space - length, low);
    };
    return {QPointF(place(room.left(), room.width(), shown.width(), m_centre.x()),
                    place(room.top(), room.height(), shown.height(), m_centre.y())),
            shown};
}

void PictureView::zoomAt(double factor, const QPointF& fixed) {
    if (m_picture.isNull())
        return;
    const QRectF before = target();
    const QPointF share((fixed.x() - before.left()) / before.width(), (fixed.y() - before.top()) / before.height());
    const double atRest = before.width() / m_picture.size.width() / m_zoom;
    m_zoom = std::clamp(m_zoom * factor, 1.0, std::max(1.0, kSharpest / atRest));
    const QSizeF after = m_picture.size * (atRest * m_zoom);
    const QPointF middle = QRectF(rect()).center();
    m_centre = {share.x() + (middle.x() - fixed.x()) / after.width(),
                share.y() + (middle.y() - fixed.y()) / after.height()};
    moveBy({});
}

void PictureView::moveBy(const QPointF& by) {
    if (m_picture.isNull())
        return;
    const QRectF now = target();
    m_centre -= QPointF(by.x() / now.width(), by.y() / now.height());
    const QPointF half(std::min(0.5, width() / now.width() / 2), std::min(0.5, height() / now.height() / 2));
    m_centre = {std::clamp(m_centre.x(), half.x(), 1 - half.x()), std::clamp(m_centre.y(), half.y(), 1 - half.y())};
    update();
}

void PictureView::zoom(double factor) {
    zoomAt(factor, QRectF(rect()).center());
}

void PictureView::showAll() {
    m_zoom = 1;
    m_centre = {0.5, 0.5};
    update();
}

void PictureView::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    if (m_picture.isNull()) {
        painter.setPen(theme::dimText(palette()));
        const int quarter = theme::quarter(this);
        painter.drawText(rect().adjusted(4 * quarter, 0, -4 * quarter, 0), Qt::AlignCenter | Qt::TextWordWrap,
                         m_notice);
    } else {
        const QRectF place = target();
        const bool showsPixels = place.width() / m_picture.size.width() >= 4;
        painter.setRenderHint(QPainter::SmoothPixmapTransform, !showsPixels);
        painter.drawImage(place, m_picture.image);
        paintAnnotations(painter, place, m_picture, m_classes, m_layers);
        for (const QRectF& fault : m_faults)
            paintFault(painter, place, m_picture.size, fault, palette());
    }
    if (hasFocus()) {
        painter.setPen(QPen(palette().color(QPalette::Highlight), 1));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(rect().adjusted(0, 0, -1, -1));
    }
}

void PictureView::wheelEvent(QWheelEvent* event) {
    zoomAt(std::pow(1.0015, event->angleDelta().y()), event->position());
    event->accept();
}

void PictureView::mousePressEvent(QMouseEvent* event) {
    m_dragged = event->position();
    QWidget::mousePressEvent(event);
}

void PictureView::mouseMoveEvent(QMouseEvent* event) {
    if (!event->buttons().testFlag(Qt::LeftButton))
        return QWidget::mouseMoveEvent(event);
    moveBy(event->position() - m_dragged);
    m_dragged = event->position();
}

void PictureView::keyPressEvent(QKeyEvent* event) {
    const double step = fontMetrics().lineSpacing() * 3;
    const bool moves = event->modifiers().testFlag(Qt::ShiftModifier);
    switch (event->key()) {
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        return zoom(1.25);
    case Qt::Key_Minus:
        return zoom(0.8);
    case Qt::Key_0:
        return showAll();
    case Qt::Key_Left:
        return moves ? moveBy({step, 0}) : QWidget::keyPressEvent(event);
    case Qt::Key_Right:
        return moves ? moveBy({-step, 0}) : QWidget::keyPressEvent(event);
    case Qt::Key_Up:
        return moves ? moveBy({0, step}) : QWidget::keyPressEvent(event);
    case Qt::Key_Down:
        return moves ? moveBy({0, -step}) : QWidget::keyPressEvent(event);
    default:
        QWidget::keyPressEvent(event);
    }
}

} // namespace trainyard
