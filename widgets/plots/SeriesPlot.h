#pragma once

#include "widgets/plots/PlotCurve.h"

#include <QFrame>
#include <QPointF>

#include <optional>

class QAction;
class QLabel;
class QMenu;
class QToolButton;

namespace trainyard {

class PlotCanvas;
class PlotGrip;
class PlotLegend;

/// Series over iterations under one title, of a live run or of one that ended last year. What to show comes in by
/// setters; zooming and pointing go out as signals, so that a board can keep several plots in step. UI thread only.
class SeriesPlot final : public QFrame {
    Q_OBJECT
public:
    SeriesPlot(const QString& title, ValueStyle style, QWidget* parent = nullptr);
    ~SeriesPlot() override;

    QString title() const { return m_title; }
    void setTitle(const QString& title);
    void setData(const PlotData& data);
    const PlotData& data() const { return m_data; }
    /// A sentence in the middle while there is nothing to draw.
    void setEmptyText(const QString& text);
    void setSmoothing(double weight);
    /// False for series that are smooth by themselves or have few points: the board's smoothing leaves them alone.
    void setSmoothable(bool isSmoothable) { m_isSmoothable = isSmoothable; }
    void setRange(double from, double to);
    void setLogIterations(bool isLog);
    void setLogValues(bool isLog);
    bool isLogValues() const;
    void setCursor(std::optional<double> iteration);
    void setEnlarged(bool isEnlarged);
    /// Whether it can be moved and sized among others: by its head and corner, its menu, and Alt with the arrow keys.
    void setArrangeable(bool isArrangeable);

    /// How many buckets are worth having: pixel columns.
    int columns() const;
    /// Actions of the head's menu and of the context menu.
    QMenu* menu() const { return m_menu; }

    bool exportSvg(const QString& path);
    bool exportPng(const QString& path);

    // for tests
    std::vector<QPointF> drawn(const QString& key, bool isSmoothed) const;
    int marks(const QString& kind) const;     ///< "non-finite", "non-positive", "resume"
    std::pair<double, double> values() const; ///< lowest and highest in sight
    void drawNow();

Q_SIGNALS:
    void rangeChosen(double from, double to);
    void cursorMoved(std::optional<double> iteration);
    void enlargeAsked();
    void zoomAsked(double factor); ///< below 1 shows less
    void panAsked(double share);   ///< of the range, to the right
    void allAsked();
    void moveAsked(int by);                ///< among the plots of its board
    void sizeAsked(int columns, int rows); ///< cells more, or fewer
    void resetAsked();
    void dragged(const QPoint& screen); ///< its head, until `dropped`
    void dropped(const QPoint& screen);
    void sizingBegan();
    void sized(const QPoint& by);       ///< pixels since then
    void csvAsked(const QString& path); ///< every point, which only the owner of the data has
    void logValuesChanged(bool isLog);

protected:
    void changeEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void makeMenu();
    void makeArrangeMenu();
    void showArrangeable();
    void updateLegend();
    void updateAccessibleName();
    void followTheme();
    void askFileAndExport(const QString& suffix);
    std::optional<SeriesBucket> bucketAt(const PlotCurve& curve, double iteration) const;
    bool step(int by);
    bool arrowWithModifier(const QKeyEvent& event);

    QString m_title;
    ValueStyle m_style;
    bool m_isSmoothable = true;
    PlotData m_data;
    std::optional<double> m_cursor;
    int m_walked = -1; ///< bucket that the arrow keys stand on
    QLabel* m_titleLabel;
    PlotLegend* m_legend;
    QToolButton* m_menuButton;
    PlotCanvas* m_canvas;
    QLabel* m_empty;
    QLabel* m_note;
    PlotGrip* m_grip;
    QMenu* m_menu;
    QAction* m_logAction = nullptr;
    QAction* m_enlargeAction = nullptr;
    QAction* m_fitAction = nullptr;
    QList<QAction*> m_arrangeActions;
    std::optional<QPoint> m_dragStart;
    bool m_isDragging = false, m_isArrangeable = false, m_isEnlarged = false;
};

} // namespace trainyard
