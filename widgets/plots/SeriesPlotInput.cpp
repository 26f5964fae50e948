// What mouse, keys and menus do on a SeriesPlot.
#include "widgets/plots/CurveMath.h"
#include "widgets/plots/PlotCanvas.h"
#include "widgets/plots/PlotGrip.h"
#include "widgets/plots/SeriesPlot.h"
#include "widgets/theme/Icon.h"
#include "widgets/theme/Numbers.h"

#include <QAccessible>
#include <QApplication>
#include <QContextMenuEvent>
#include <QFileDialog>
#include <QKeyEvent>
#include <QLabel>
#include <QMenu>

#include <algorithm>
#include <utility>

namespace trainyard {
namespace {

constexpr double kKeyZoom = 0.5; ///< of the range, a key press
constexpr double kKeyPan = 0.25; ///< of the range, a key press

} // namespace

void SeriesPlot::makeMenu() {
    m_logAction = m_menu->addAction(tr("Logarithmic Values"));
    m_logAction->setCheckable(true);
    connect(m_logAction, &QAction::toggled, this, [this](bool isLog) {
        m_canvas->setLogValues(isLog);
        updateLegend();
        Q_EMIT logValuesChanged(isLog);
    });
    m_enlargeAction = m_menu->addAction(theme::icon(QStringLiteral("enlarge")), tr("Enlarge"));
    connect(m_enlargeAction, &QAction::triggered, this, &SeriesPlot::enlargeAsked);
    m_fitAction = m_menu->addAction(theme::icon(QStringLiteral("reset")), tr("Fit Values"));
    m_fitAction->setEnabled(false);
    connect(m_fitAction, &QAction::triggered, m_canvas, &PlotCanvas::freeValues);
    connect(m_canvas, &PlotCanvas::valuesHeld, m_fitAction, &QAction::setEnabled);
    m_menu->addSeparator();
    makeArrangeMenu();
    for (const QString& suffix : {QStringLiteral("csv"), QStringLiteral("svg"), QStringLiteral("png")}) {
        QAction* action = m_menu->addAction(tr("Export as %1…").arg(suffix.toUpper()));
        connect(action, &QAction::triggered, this, [this, suffix] { askFileAndExport(suffix); });
    }
}

void SeriesPlot::askFileAndExport(const QString& suffix) {
    auto* dialog = new QFileDialog(this, tr("Export %1").arg(m_title));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setAcceptMode(QFileDialog::AcceptSave);
    dialog->setDefaultSuffix(suffix);
    dialog->selectFile(m_title.toLower().replace(QLatin1Char(' '), QLatin1Char('-')) + QLatin1Char('.') + suffix);
    connect(dialog, &QFileDialog::fileSelected, this, [this, suffix](const QString& path) {
        if (suffix == QLatin1String("csv"))
            Q_EMIT csvAsked(path);
        else if (suffix == QLatin1String("svg"))
            exportSvg(path);
        else
            exportPng(path);
    });
    dialog->open();
}

bool SeriesPlot::step(int by) {
    if (m_data.curves.empty() || m_data.curves.front().buckets.empty())
        return false;
    const auto& buckets = m_data.curves.front().buckets;
    const int count = int(buckets.size());
    if (m_walked < 0 || !m_cursor)
        m_walked = m_cursor ? curves::nearestBucket(buckets, *m_cursor) : by > 0 ? -1 : count;
    m_walked = std::clamp(m_walked + by, 0, count - 1);
    const SeriesBucket& bucket = buckets[std::size_t(m_walked)];
    Q_EMIT cursorMoved(0.5 * double(bucket.first + bucket.last));
    setAccessibleDescription(
        tr("%1 at iteration %2").arg(curves::valueText(bucket.mean, m_style), theme::countText(bucket.last)));
    QAccessibleEvent spoken(this, QAccessible::DescriptionChanged);
    QAccessible::updateAccessibility(&spoken);
    return true;
}

/// With Alt the plot moves among the others, with Alt and Shift it is sized, with Shift the range moves and the values
/// are zoomed.
bool SeriesPlot::arrowWithModifier(const QKeyEvent& event) {
    const int x = event.key() == Qt::Key_Left ? -1 : event.key() == Qt::Key_Right ? 1 : 0;
    const int y = event.key() == Qt::Key_Up ? -1 : event.key() == Qt::Key_Down ? 1 : 0;
    const auto modifiers = event.modifiers() & ~Qt::KeypadModifier;
    if (x == 0 && y == 0)
        return false;
    if (modifiers == Qt::AltModifier && m_isArrangeable)
        Q_EMIT moveAsked(x + y);
    else if (modifiers == (Qt::AltModifier | Qt::ShiftModifier) && m_isArrangeable)
        Q_EMIT sizeAsked(x, y);
    else if (modifiers == Qt::ShiftModifier && x != 0)
        Q_EMIT panAsked(x * kKeyPan);
    else if (modifiers == Qt::ShiftModifier)
        m_canvas->zoomValues(y < 0 ? kKeyZoom : 1 / kKeyZoom);
    else
        return false;
    return true;
}

void SeriesPlot::keyPressEvent(QKeyEvent* event) {
    if (arrowWithModifier(*event))
        return;
    const int far = event->modifiers().testFlag(Qt::ControlModifier) ? 10 : 1;
    bool isHandled = true;
    switch (event->key()) {
    case Qt::Key_Left:
        isHandled = step(-far);
        break;
    case Qt::Key_Right:
        isHandled = step(far);
        break;
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        Q_EMIT zoomAsked(kKeyZoom);
        break;
    case Qt::Key_Minus:
        Q_EMIT zoomAsked(1 / kKeyZoom);
        break;
    case Qt::Key_0:
        m_canvas->freeValues();
        Q_EMIT allAsked();
        break;
    case Qt::Key_Home:
        isHandled = step(-1'000'000);
        break;
    case Qt::Key_End:
        isHandled = step(1'000'000);
        break;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        Q_EMIT enlargeAsked();
        break;
    default:
        isHandled = false;
    }
    if (!isHandled)
        QFrame::keyPressEvent(event);
}

void SeriesPlot::mousePressEvent(QMouseEvent* event) {
    setFocus(Qt::MouseFocusReason);
    m_walked = -1;
    m_dragStart.reset();
    if (m_isArrangeable && event->button() == Qt::LeftButton && event->pos().y() < m_canvas->y())
        m_dragStart = event->pos();
    QFrame::mousePressEvent(event);
}

void SeriesPlot::mouseMoveEvent(QMouseEvent* event) {
    if (!m_dragStart)
        return QFrame::mouseMoveEvent(event);
    if (!m_isDragging && (event->pos() - *m_dragStart).manhattanLength() < QApplication::startDragDistance())
        return;
    m_isDragging = true;
    Q_EMIT dragged(event->globalPosition().toPoint());
}

void SeriesPlot::mouseReleaseEvent(QMouseEvent* event) {
    m_dragStart.reset();
    if (std::exchange(m_isDragging, false))
        Q_EMIT dropped(event->globalPosition().toPoint());
    QFrame::mouseReleaseEvent(event);
}

void SeriesPlot::mouseDoubleClickEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton)
        Q_EMIT enlargeAsked();
}

void SeriesPlot::setArrangeable(bool isArrangeable) {
    m_isArrangeable = isArrangeable;
    m_titleLabel->setToolTip(isArrangeable ? tr("Drag to move this plot, double click to enlarge it") : QString());
    showArrangeable();
}

void SeriesPlot::showArrangeable() {
    const bool isShown = m_isArrangeable && !m_isEnlarged;
    m_grip->setVisible(isShown);
    for (QAction* action : m_arrangeActions)
        action->setVisible(isShown);
    if (isShown)
        m_titleLabel->setCursor(Qt::OpenHandCursor);
    else
        m_titleLabel->unsetCursor();
}

void SeriesPlot::makeArrangeMenu() {
    const auto add = [this](const QString& text, const QKeySequence& keys, auto deed) {
        QAction* action = m_menu->addAction(text);
        action->setShortcut(keys); // shown; the focused plot hears the keys
        action->setShortcutContext(Qt::WidgetShortcut);
        connect(action, &QAction::triggered, this, deed);
        m_arrangeActions << action;
    };
    add(tr("Move Earlier"), Qt::ALT | Qt::Key_Left, [this] { Q_EMIT moveAsked(-1); });
    add(tr("Move Later"), Qt::ALT | Qt::Key_Right, [this] { Q_EMIT moveAsked(1); });
    add(tr("Wider"), Qt::ALT | Qt::SHIFT | Qt::Key_Right, [this] { Q_EMIT sizeAsked(1, 0); });
    add(tr("Narrower"), Qt::ALT | Qt::SHIFT | Qt::Key_Left, [this] { Q_EMIT sizeAsked(-1, 0); });
    add(tr("Taller"), Qt::ALT | Qt::SHIFT | Qt::Key_Down, [this] { Q_EMIT sizeAsked(0, 1); });
    add(tr("Shorter"), Qt::ALT | Qt::SHIFT | Qt::Key_Up, [this] { Q_EMIT sizeAsked(0, -1); });
    add(tr("Reset Arrangement"), {}, [this] { Q_EMIT resetAsked(); });
    m_arrangeActions << m_menu->addSeparator();
    showArrangeable();
}

void SeriesPlot::contextMenuEvent(QContextMenuEvent* event) {
    m_menu->popup(event->globalPos());
}

} // namespace trainyard
