#include "widgets/plots/PlotBoard.h"

#include "widgets/plots/SeriesPlot.h"
#include "widgets/theme/Theme.h"

#include <QGridLayout>
#include <QKeyEvent>
#include <QRubberBand>
#include <QScrollArea>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace trainyard {

namespace {

QString keyOf(const SeriesPlot* plot) {
    return plot->objectName().isEmpty() ? plot->title() : plot->objectName();
}

} // namespace

PlotBoard::PlotBoard(QWidget* parent)
    : QWidget(parent), m_scroll(new QScrollArea(this)), m_content(new QWidget), m_grid(new QGridLayout(m_content)),
      m_target(new QRubberBand(QRubberBand::Rectangle, m_content)) {
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
    m_plots.push_back(plot);
    m_arrangement.add(keyOf(plot));
    if (m_plots.size() > 1)
        for (SeriesPlot* each : m_plots)
            each->setArrangeable(true);
    connectArranging(plot);
    connect(plot, &SeriesPlot::rangeChosen, this, &PlotBoard::choose);
    connect(plot, &SeriesPlot::zoomAsked, this, &PlotBoard::zoom);
    connect(plot, &SeriesPlot::panAsked, this, &PlotBoard::pan);
    connect(plot, &SeriesPlot::allAsked, this, [this] { setView({}); });
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

void PlotBoard::connectArranging(SeriesPlot* plot) {
    connect(plot, &SeriesPlot::moveAsked, this, [this, plot](int by) {
        m_arrangement.moveBy(keyOf(plot), by);
        rearrange();
        plot->setFocus();
        m_scroll->ensureWidgetVisible(plot);
    });
    connect(plot, &SeriesPlot::sizeAsked, this, [this, plot](int columns, int rows) {
        const auto* item = m_arrangement.find(keyOf(plot));
        m_arrangement.resize(keyOf(plot), item->columns + columns, item->rows + rows);
        rearrange();
    });
    connect(plot, &SeriesPlot::resetAsked, this, &PlotBoard::resetArrangement);
    connect(plot, &SeriesPlot::dragged, this, [this, plot](const QPoint& screen) {
        const SeriesPlot* under = plotAt(screen);
        m_target->setVisible(under && under != plot);
        if (under)
            m_target->setGeometry(under->geometry());
        m_target->raise();
    });
    connect(plot, &SeriesPlot::dropped, this, [this, plot](const QPoint& screen) {
        m_target->hide();
        const SeriesPlot* under = plotAt(screen);
        if (!under || under == plot)
            return;
        m_arrangement.moveTo(keyOf(plot), keyOf(under));
        rearrange();
    });
    connect(plot, &SeriesPlot::sizingBegan, this, [this, plot] { m_sizing = *m_arrangement.find(keyOf(plot)); });
    connect(plot, &SeriesPlot::sized, this, [this, plot](const QPoint& by) {
        const QSize one = cell();
        const PlotArrangement::Item before = *m_arrangement.find(keyOf(plot));
        m_arrangement.resize(keyOf(plot), m_sizing.columns + int(std::lround(double(by.x()) / one.width())),
                             m_sizing.rows + int(std::lround(double(by.y()) / one.height())));
        if (*m_arrangement.find(keyOf(plot)) != before)
            rearrange();
    });
}

SeriesPlot* PlotBoard::plotAt(const QPoint& screen) const {
    const QPoint place = m_content->mapFromGlobal(screen);
    for (SeriesPlot* plot : m_plots)
        if (plot->isVisible() && plot->geometry().contains(place))
            return plot;
    return nullptr;
}

/// The size of a plot of one cell, with the gap behind it.
QSize PlotBoard::cell() const {
    for (const SeriesPlot* plot : m_plots) {
        const auto* item = m_arrangement.find(keyOf(plot));
        if (plot->isVisible() && item)
            return {std::max(1, (plot->width() + m_grid->spacing()) / item->columns),
                    std::max(1, (plot->height() + m_grid->spacing()) / item->rows)};
    }
    return {1, 1};
}

void PlotBoard::setArrangement(const QJsonArray& json) {
    m_arrangement.fromJson(json);
    arrange();
    Q_EMIT viewChanged();
}

void PlotBoard::resetArrangement() {
    m_arrangement.reset();
    rearrange();
}

void PlotBoard::rearrange() {
    arrange();
    Q_EMIT viewChanged(); // plots of another width hold other points
    Q_EMIT arrangementChanged();
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
    std::vector<QString> leftOut;
    for (SeriesPlot* plot : m_plots) {
        const bool isShown =
            m_enlarged ? plot == m_enlarged : std::find(m_absent.begin(), m_absent.end(), plot) == m_absent.end();
        plot->setVisible(isShown);
        if (!isShown)
            leftOut.push_back(keyOf(plot));
    }
    SeriesPlot* before = nullptr; // Tab goes through them in the order in which they stand
    for (const PlotPlace& place : m_arrangement.places(columns, leftOut)) {
        SeriesPlot* plot = *std::find_if(m_plots.begin(), m_plots.end(),
                                         [&](const SeriesPlot* each) { return keyOf(each) == place.key; });
        const int rows = isSingle ? 1 : place.rows;
        plot->setMinimumHeight(fontMetrics().height() * 9 * rows);
        m_grid->addWidget(plot, place.row, place.column, rows, place.columns);
        for (int row = place.row; row < place.row + rows; ++row)
            m_grid->setRowStretch(row, 1);
        if (before)
            QWidget::setTabOrder(before, plot);
        before = plot;
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

void PlotBoard::pan(double share) {
    const double by = share * (to() - from());
    if (!m_view.isAll)
        choose(std::max(0.0, from() + by), std::max(0.0, from() + by) + (to() - from()));
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
