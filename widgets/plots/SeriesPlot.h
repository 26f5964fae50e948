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

    /// How many buckets are worth having: pixel columns.
    int columns() const;
    /// Actions of the head's menu and of the context menu.
    QMenu* menu() const { return m_menu; }

    bool exportSvg(const QString& path);
    bool exportPng(const QString& path);

    // for tests
    std::vector<QPointF> drawn(const QString& key, bool isSmoothed) const;
    int marks(const QString& kind) const; ///< "non-finite", "non-positive", "resume"
    void drawNow();

Q_SIGNALS:
    void rangeChosen(double from, double to);
    void cursorMoved(std::optional<double> iteration);
    void enlargeAsked();
    void csvAsked(const QString& path); ///< every point, which only the owner of the data has
    void logValuesChanged(bool isLog);

protected:
    void changeEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void makeMenu();
    void updateLegend();
    void updateAccessibleName();
    void followTheme();
    void askFileAndExport(const QString& suffix);
    std::optional<SeriesBucket> bucketAt(const PlotCurve& curve, double iteration) const;
    bool step(int by);

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
    QMenu* m_menu;
    QAction* m_logAction = nullptr;
    QAction* m_enlargeAction = nullptr;
};

} // namespace trainyard
