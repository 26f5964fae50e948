#pragma once

#include "widgets/plots/PlotCurve.h"

#include <qcustomplot.h>

#include <QElapsedTimer>
#include <QSet>
#include <QTimer>

#include <optional>

namespace trainyard {

/// The drawing surface of one plot: curves, marks, cursor. Private to this folder. UI thread only.
class PlotCanvas final : public QCustomPlot {
    Q_OBJECT
public:
    explicit PlotCanvas(ValueStyle style, QWidget* parent = nullptr);

    void setData(const PlotData& data);
    void setSmoothing(double weight);
    void setHidden(const QSet<QString>& keys);
    void setLogValues(bool isLog);
    void setLogIterations(bool isLog);
    void setRange(double from, double to);
    void setCursor(std::optional<double> iteration);
    /// Shows a smaller or larger stretch of values, around one of them or the middle, until `freeValues`: then the
    /// values in sight decide again.
    void zoomValues(double factor, std::optional<double> around = std::nullopt);
    void freeValues();
    QCPRange values() const { return yAxis->range(); }

    double iterationAt(int pixel) const { return xAxis->pixelToCoord(pixel); }
    int columns() const;
    /// Draws now, for exports and tests; else it is drawn soon, at most ten times a second.
    void drawNow();
    std::vector<QPointF> drawn(const QString& key, bool isSmoothed) const;
    int marks(const QString& kind) const;

Q_SIGNALS:
    void rangeChosen(double from, double to);
    void cursorMoved(double iteration);
    void cursorLeft();
    void enlargeAsked();
    void valuesHeld(bool isHeld);

protected:
    void changeEvent(QEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    struct Line {
        QCPGraph* raw = nullptr;
        QCPGraph* smooth = nullptr;
        QCPGraph* abandoned = nullptr;
        QCPItemTracer* dot = nullptr;
    };
    void rebuildLines();
    void fillLines();
    void fitValues();
    void followTheme();
    void drawSoon();
    QCPGraph* markGraph(QCPScatterStyle::ScatterShape shape);

    const ValueStyle m_style;
    PlotData m_data;
    std::vector<Line> m_lines;
    QCPGraph* m_nonFinite = nullptr;
    QCPGraph* m_nonPositive = nullptr;
    QCPGraph* m_resumes = nullptr;
    QCPItemStraightLine* m_cursor = nullptr;
    QCPItemRect* m_band = nullptr;
    QSet<QString> m_hidden;
    double m_smoothing = 0;
    bool m_isLogValues = false;
    bool m_isDirty = false;
    QTimer m_frame;
    QElapsedTimer m_sinceDrawn;
    std::optional<QCPRange> m_heldValues;
    std::optional<double> m_bandStart;
    std::optional<int> m_panStart;
    QCPRange m_panRange;
};

} // namespace trainyard
