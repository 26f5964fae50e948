#pragma once

#include <QWidget>

namespace trainyard {

/// The corner by which a plot is sized. Faint until pointed at. UI thread only.
class PlotGrip final : public QWidget {
    Q_OBJECT
public:
    explicit PlotGrip(QWidget* parent);

Q_SIGNALS:
    void dragBegan();
    void dragged(const QPoint& by); ///< from where it began, in pixels

protected:
    void paintEvent(QPaintEvent* event) override;
    void enterEvent(QEnterEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;

private:
    QPoint m_start;
};

} // namespace trainyard
