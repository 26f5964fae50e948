#pragma once

#include "widgets/plots/PlotArrangement.h"
#include "widgets/plots/PlotCurve.h"

#include <QWidget>

#include <optional>
#include <vector>

class QGridLayout;
class QRubberBand;
class QScrollArea;

namespace trainyard {

class SeriesPlot;

/// Plots in two columns under one range of iterations and one cursor. A double click enlarges one, Escape goes back,
/// then shows everything again. Where there are several, each can be moved by its head and sized by its corner. A plot
/// is known by its object name, else by its title. UI thread only.
class PlotBoard final : public QWidget {
    Q_OBJECT
public:
    explicit PlotBoard(QWidget* parent = nullptr);

    void addPlot(SeriesPlot* plot); ///< takes it over
    const std::vector<SeriesPlot*>& plots() const { return m_plots; }
    void setPlotVisible(SeriesPlot* plot, bool isVisible);

    /// First and last iteration of everything there is.
    void setExtent(double from, double to);
    const PlotView& view() const { return m_view; }
    void setView(const PlotView& view);
    double from() const;
    double to() const;

    void setSmoothing(double weight);
    double smoothing() const { return m_smoothing; }
    void setLogIterations(bool isLog);
    bool isLogIterations() const { return m_isLogIterations; }
    void enlarge(SeriesPlot* plot); ///< null shows all again
    SeriesPlot* enlarged() const { return m_enlarged; }
    /// The most pixel columns that any plot has.
    int columns() const;
    void zoom(double factor); ///< around the middle; below 1 shows less
    void pan(double share);   ///< of the range, to the right
    const PlotArrangement& arrangement() const { return m_arrangement; }
    void setArrangement(const QJsonArray& json);
    void resetArrangement();

Q_SIGNALS:
    void cursorChanged(std::optional<double> iteration); ///< pointed at, in whichever plot
    void viewChanged();
    void arrangementChanged();

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void arrange();
    void rearrange(); ///< after a change by hand
    void connectArranging(SeriesPlot* plot);
    SeriesPlot* plotAt(const QPoint& screen) const;
    QSize cell() const;
    void showRange();
    void choose(double from, double to);

    QScrollArea* m_scroll;
    QWidget* m_content;
    QGridLayout* m_grid;
    std::vector<SeriesPlot*> m_plots;
    std::vector<SeriesPlot*> m_absent; ///< nothing to show in this run
    PlotArrangement m_arrangement;
    PlotArrangement::Item m_sizing; ///< as it was when its corner was taken
    QRubberBand* m_target;          ///< over the plot whose place a dragged one would take
    SeriesPlot* m_enlarged = nullptr;
    PlotView m_view;
    double m_first = 0, m_last = 1;
    double m_smoothing = 0;
    bool m_isLogIterations = false;
};

} // namespace trainyard
