#include "widgets/plots/SeriesPlot.h"

#include "widgets/plots/CurveMath.h"
#include "widgets/plots/PlotCanvas.h"
#include "widgets/plots/PlotGrip.h"
#include "widgets/plots/PlotLegend.h"
#include "widgets/theme/Icon.h"
#include "widgets/theme/Ink.h"
#include "widgets/theme/Numbers.h"
#include "widgets/theme/Theme.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QPainter>
#include <QToolButton>
#include <QVBoxLayout>

namespace trainyard {

SeriesPlot::SeriesPlot(const QString& title, ValueStyle style, QWidget* parent)
    : QFrame(parent), m_title(title), m_style(style), m_titleLabel(new QLabel(title, this)),
      m_legend(new PlotLegend(this)), m_menuButton(new QToolButton(this)), m_canvas(new PlotCanvas(style, this)),
      m_empty(new QLabel(m_canvas)), m_note(new QLabel(m_canvas)), m_grip(new PlotGrip(this)), m_menu(new QMenu(this)) {
    setFocusPolicy(Qt::StrongFocus);
    setFrameShape(QFrame::NoFrame);
    setBackgroundRole(QPalette::Base);
    setAutoFillBackground(true);
    m_menuButton->setIcon(theme::icon(QStringLiteral("menu")));
    m_menuButton->setAutoRaise(true);
    m_menuButton->setFocusPolicy(Qt::NoFocus);
    m_menuButton->setPopupMode(QToolButton::InstantPopup);
    m_menuButton->setToolTip(tr("Scales, enlarging and exports of this plot"));
    m_menuButton->setAccessibleName(tr("Menu of the plot %1").arg(title));
    m_empty->setAlignment(Qt::AlignCenter);
    m_empty->setWordWrap(true);
    m_empty->setAttribute(Qt::WA_TransparentForMouseEvents);
    m_note->setAttribute(Qt::WA_TransparentForMouseEvents);
    m_note->hide();
    m_grip->hide();
    connect(m_grip, &PlotGrip::dragBegan, this, &SeriesPlot::sizingBegan);
    connect(m_grip, &PlotGrip::dragged, this, &SeriesPlot::sized);

    const int quarter = theme::quarter(this);
    auto* head = new QHBoxLayout;
    head->setSpacing(3 * quarter);
    head->setContentsMargins(2 * quarter, 0, 0, 0);
    head->addWidget(m_titleLabel);
    head->addWidget(m_legend, 1);
    head->addWidget(m_menuButton);
    auto* layout = new QVBoxLayout(this);
    layout->setSpacing(0);
    layout->setContentsMargins(quarter, quarter, quarter, quarter);
    layout->addLayout(head);
    layout->addWidget(m_canvas, 1);

    makeMenu();
    m_menuButton->setMenu(m_menu);
    connect(m_canvas, &PlotCanvas::rangeChosen, this, &SeriesPlot::rangeChosen);
    connect(m_canvas, &PlotCanvas::cursorMoved, this, [this](double x) { Q_EMIT cursorMoved(x); });
    connect(m_canvas, &PlotCanvas::cursorLeft, this, [this] { Q_EMIT cursorMoved(std::nullopt); });
    connect(m_canvas, &PlotCanvas::enlargeAsked, this, &SeriesPlot::enlargeAsked);
    connect(m_legend, &PlotLegend::hiddenChanged, this, [this] { m_canvas->setHidden(m_legend->hidden()); });
    followTheme();
    updateAccessibleName();
}

SeriesPlot::~SeriesPlot() = default;

void SeriesPlot::setData(const PlotData& data) {
    m_data = data;
    m_canvas->setData(data);
    bool isEmpty = true;
    for (const PlotCurve& curve : data.curves)
        isEmpty = isEmpty && curve.buckets.empty();
    m_empty->setVisible(isEmpty);
    updateLegend();
    updateAccessibleName();
}

void SeriesPlot::setEmptyText(const QString& text) {
    m_empty->setText(text);
}

void SeriesPlot::setSmoothing(double weight) {
    m_canvas->setSmoothing(m_isSmoothable ? weight : 0);
}

void SeriesPlot::setTitle(const QString& title) {
    m_title = title;
    m_titleLabel->setText(title);
}

void SeriesPlot::setRange(double from, double to) {
    m_canvas->setRange(from, to);
}

void SeriesPlot::setLogIterations(bool isLog) {
    m_canvas->setLogIterations(isLog);
}

void SeriesPlot::setLogValues(bool isLog) {
    m_logAction->setChecked(isLog);
}

bool SeriesPlot::isLogValues() const {
    return m_logAction->isChecked();
}

void SeriesPlot::setEnlarged(bool isEnlarged) {
    m_isEnlarged = isEnlarged;
    showArrangeable();
    m_enlargeAction->setText(isEnlarged ? tr("Back to All Plots") : tr("Enlarge"));
}

std::optional<SeriesBucket> SeriesPlot::bucketAt(const PlotCurve& curve, double iteration) const {
    const int at = curves::nearestBucket(curve.buckets, iteration);
    return at < 0 ? std::nullopt : std::optional(curve.buckets[std::size_t(at)]);
}

void SeriesPlot::setCursor(std::optional<double> iteration) {
    m_cursor = iteration;
    m_canvas->setCursor(iteration);
    updateLegend();
}

void SeriesPlot::updateLegend() {
    std::vector<PlotLegend::Entry> entries;
    qsizetype nonPositive = 0;
    std::int64_t nonFinite = 0;
    for (const PlotCurve& curve : m_data.curves) {
        const auto bucket = m_cursor ? bucketAt(curve, *m_cursor) : std::nullopt;
        const double value = bucket ? bucket->mean : curve.lastValue;
        const bool hasValue = bucket || !curve.buckets.empty();
        const bool repeatsTitle = m_data.curves.size() == 1 && curve.name == m_title;
        entries.push_back({curve.key, repeatsTitle ? QString() : curve.name,
                           hasValue ? curves::valueText(value, m_style) : QString(), theme::exactText(value),
                           curve.colour});
        for (const SeriesBucket& each : curve.buckets)
            nonFinite += each.nonFinite;
        if (isLogValues())
            nonPositive += qsizetype(curves::nonPositiveMarks(curve.buckets).size());
    }
    m_legend->setEntries(entries);
    QStringList notes;
    if (nonFinite > 0)
        notes << tr("▼ %n value(s) not finite", nullptr, int(nonFinite));
    if (nonPositive > 0)
        notes << tr("▲ zero or less does not fit the logarithmic scale");
    m_note->setText(notes.join(QStringLiteral("   ")));
    m_note->setVisible(!notes.isEmpty());
    m_note->adjustSize();
    m_note->move(m_canvas->width() - m_note->width() - 3 * theme::quarter(this), theme::quarter(this) * 3);
}

void SeriesPlot::updateAccessibleName() {
    if (m_data.curves.empty() || m_data.curves.front().buckets.empty()) {
        setAccessibleName(tr("%1, no points yet").arg(m_title));
        return;
    }
    const PlotCurve& curve = m_data.curves.front();
    const QString value = curves::valueText(curve.lastValue, m_style), at = theme::countText(curve.lastIteration);
    //: Read aloud by screen readers: name of the plot, newest value, its iteration
    const QString where = tr("%1 %2 at iteration %3").arg(m_title, value, at);
    switch (curves::trend(curve.buckets)) {
    case curves::Trend::Falling:
        setAccessibleName(tr("%1, falling").arg(where));
        break;
    case curves::Trend::Rising:
        setAccessibleName(tr("%1, rising").arg(where));
        break;
    case curves::Trend::Steady:
        setAccessibleName(where);
        break;
    }
}

void SeriesPlot::focusInEvent(QFocusEvent* event) {
    QFrame::focusInEvent(event);
    update();
}

void SeriesPlot::focusOutEvent(QFocusEvent* event) {
    QFrame::focusOutEvent(event);
    update();
}

void SeriesPlot::paintEvent(QPaintEvent* event) {
    QFrame::paintEvent(event);
    if (!hasFocus() || !window()->isActiveWindow())
        return;
    QPainter painter(this);
    QColor accent = palette().color(QPalette::Highlight);
    painter.fillRect(QRect(0, theme::quarter(this), 2, m_titleLabel->height()), accent);
}

void SeriesPlot::resizeEvent(QResizeEvent* event) {
    QFrame::resizeEvent(event);
    layout()->activate();
    m_grip->move(width() - m_grip->width(), height() - m_grip->height());
    m_grip->raise();
    m_empty->setGeometry(m_canvas->rect().adjusted(m_canvas->width() / 8, 0, -m_canvas->width() / 8, 0));
    updateLegend();
}

void SeriesPlot::changeEvent(QEvent* event) {
    if (event->type() == QEvent::PaletteChange)
        followTheme();
    QFrame::changeEvent(event);
}

void SeriesPlot::followTheme() {
    QFont bold = font();
    bold.setWeight(QFont::DemiBold);
    m_titleLabel->setFont(bold);
    for (QLabel* label : {m_empty, m_note})
        theme::setInk(label, theme::dimText(palette()));
}

int SeriesPlot::columns() const {
    return m_canvas->columns();
}

std::vector<QPointF> SeriesPlot::drawn(const QString& key, bool isSmoothed) const {
    return m_canvas->drawn(key, isSmoothed);
}

int SeriesPlot::marks(const QString& kind) const {
    return m_canvas->marks(kind);
}

std::pair<double, double> SeriesPlot::values() const {
    return {m_canvas->values().lower, m_canvas->values().upper};
}

void SeriesPlot::drawNow() {
    m_canvas->drawNow();
}

} // namespace trainyard
