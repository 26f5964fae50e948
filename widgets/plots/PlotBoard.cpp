#include "widgets/plots/PlotBoard.h"

#include "widgets/plots/SeriesPlot.h"
#include "widgets/theme/Theme.h"

#include <QGridLayout>
#include <QKeyEvent>
#include <QScrollArea>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace trainyard {

PlotBoard::PlotBoard(QWidget* parent)
    : QWidget(parent), m_scroll(new QScrollArea(this)), m_content(new QWidget), m_grid(new QGridLayout(m_content)) {
    m_scroll->setWidgetResizable(true);
    m_scroll->setFrameShape(QFrame::NoFrame);
    m_scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_scroll->setFocusPolicy(Qt::NoFocus);
    m_scroll->setWidget(m_content);
    m_scroll->viewport()->setBackgroundRole(QPalette::Base);
    m_content->setBackgroundRole(QPalette::Base);
    m_content->setAutoFillBackground(true);
    const int quarter = theme::quarter(this);
    m_grid->setContentsMargins(2 * quarter, quarter, 2 * quarter, 2 * quarter);
    m_grid->setSpacing(3 * quarter);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_scroll);
}

void PlotBoard::addPlot(SeriesPlot* plot) {
    plot->setParent(m_content);
    plot->setMinimumHeight(fontMetrics().height() * 9);
    m_plots.push_back(plot);
    connect(plot, &SeriesPlot::rangeChosen, this, &PlotBoard::choose);
    connect(plot, &SeriesPlot::cursorMoved, this, [this](std::optional<double> iteration) {
        for (SeriesPlot* each : m_plots)
            if (!iteration || each->isVisible()) // a hidden page keeps no cursor
                each->setCursor(iteration);
        Q_EMIT cursorChanged(iteration);
    });
    connect(plot, &SeriesPlot::enlargeAsked, this, [this, plot] { enlarge(m_enlarged == plot ? nullptr : plot); });
    arrange();
}

void PlotBoard::setPlotVisible(SeriesPlot* plot, bool isVisible) {
    const auto at = std::find(m_absent.begin(), m_absent.end(), plot);
    if (isVisible == (at == m_absent.end()))
        return;
    if (isVisible)
        m_absent.erase(at);
    else
        m_absent.push_back(plot);
    arrange();
}

void PlotBoard::arrange() {
    while (m_grid->count() > 0)
        delete m_grid->takeAt(0);
    for (int row = 0; row < m_grid->rowCount(); ++row)
        m_grid->setRowStretch(row, 0);
    const bool isSingle = m_enlarged || m_plots.size() - m_absent.size() < 2;
    const int columns = isSingle || width() < fontMetrics().averageCharWidth() * 90 ? 1 : 2;
    m_grid->setColumnStretch(0, 1);
    m_grid->setColumnStretch(1, columns == 2 ? 1 : 0);
    int place = 0;
    for (SeriesPlot* plot : m_plots) {
        const bool isShown =
            m_enlarged ? plot == m_enlarged : std::find(m_absent.begin(), m_absent.end(), plot) == m_absent.end();
        plot->setVisible(isShown);
        if (!isShown)
            continue;
        m_grid->addWidget(plot, place / columns, place % columns);
        m_grid->setRowStretch(place / columns, 1);
        ++place;
    }
}

void PlotBoard::enlarge(SeriesPlot* plot) {
    if (m_enlarged == plot)
        return;
    for (SeriesPlot* each : m_plots)
        each->setEnlarged(each == plot);
    SeriesPlot* focus = plot ? plot : m_enlarged;
    m_enlarged = plot;
    arrange();
    if (focus)
        focus->setFocus();
    Q_EMIT viewChanged();
}

double PlotBoard::from() const {
    if (m_view.isAll)
        return m_isLogIterations ? std::max(1.0, m_first) : 0;
    return m_view.followsEnd ? m_last - (m_view.to - m_view.from) : m_view.from;
}

double PlotBoard::to() const {
    return std::max(from() + 1, m_view.isAll || m_view.followsEnd ? m_last : m_view.to);
}

void PlotBoard::setExtent(double from, double to) {
    m_first = from;
    m_last = std::max(to, from + 1);
    showRange();
}

void PlotBoard::setView(const PlotView& view) {
    if (m_view == view)
        return;
    m_view = view;
    showRange();
    Q_EMIT viewChanged();
}

void PlotBoard::choose(double from, double to) {
    constexpr double kSmallest = 4;
    if (to - from < kSmallest) {
        const double middle = 0.5 * (from + to);
        from = middle - kSmallest / 2;
        to = middle + kSmallest / 2;
    }
    const double width = to - from;
    if (width >= m_last * 0.999)
        return setView({});
    if (from < 0) {
        from = 0;
        to = width;
    }
    const bool touchesEnd = to >= m_last - width * 0.01;
    if (touchesEnd) {
        to = m_last;
        from = m_last - width;
    }
    setView({.isAll = false, .followsEnd = touchesEnd, .from = from, .to = to});
}

void PlotBoard::zoom(double factor) {
    const double middle = m_view.followsEnd || m_view.isAll ? to() : 0.5 * (from() + to());
    const double width = (to() - from()) * factor;
    if (m_view.followsEnd || m_view.isAll)
        choose(middle - width, middle);
    else
        choose(middle - width / 2, middle + width / 2);
}

void PlotBoard::showRange() {
    for (SeriesPlot* plot : m_plots)
        plot->setRange(from(), to());
}

void PlotBoard::setSmoothing(double weight) {
    m_smoothing = weight;
    for (SeriesPlot* plot : m_plots)
        plot->setSmoothing(weight);
}

void PlotBoard::setLogIterations(bool isLog) {
    m_isLogIterations = isLog;
    for (SeriesPlot* plot : m_plots)
        plot->setLogIterations(isLog);
    showRange();
    Q_EMIT viewChanged();
}

int PlotBoard::columns() const {
    int most = 60;
    for (const SeriesPlot* plot : m_plots)
        if (plot->isVisible())
            most = std::max(most, plot->columns());
    return most;
}

void PlotBoard::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape && m_enlarged)
        return enlarge(nullptr);
    if (event->key() == Qt::Key_Escape && !m_view.isAll)
        return setView({});
    QWidget::keyPressEvent(event);
}

void PlotBoard::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    arrange();
    Q_EMIT viewChanged();
}

} // namespace trainyard
