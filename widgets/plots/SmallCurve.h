#pragma once

#include <QPointF>
#include <QWidget>

#include <vector>

namespace trainyard {

/// A curve the size of a word or two, without axes: the shape of a schedule in a page's head. UI thread only.
class SmallCurve final : public QWidget {
    Q_OBJECT
public:
    explicit SmallCurve(QWidget* parent = nullptr);
    void setPoints(const std::vector<QPointF>& points);
    /// Drawn faint beneath, on the same scales: what it was before a change.
    void setBefore(const std::vector<QPointF>& points);
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    std::vector<QPointF> m_points, m_before;
};

} // namespace trainyard
