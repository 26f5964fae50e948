#include "widgets/theme/QuietStyle.h"

#include "widgets/theme/Icon.h"
#include "widgets/theme/Theme.h"

#include <QAbstractItemView>
#include <QApplication>
#include <QPainter>
#include <QStyleFactory>
#include <QStyleOption>
#include <QToolBar>

#include <algorithm>

namespace trainyard::theme {
namespace {

QColor outline(const QStyleOption* option) {
    const bool isFocused =
        option->state.testFlag(QStyle::State_HasFocus) && option->state.testFlag(QStyle::State_Enabled);
    return option->palette.color(isFocused ? QPalette::Highlight : QPalette::Mid);
}

void drawLineEdit(const QStyleOption* option, QPainter* painter) {
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    painter->setPen(outline(option));
    painter->setBrush(option->state.testFlag(QStyle::State_Enabled) ? option->palette.base()
                                                                    : option->palette.window());
    painter->drawRoundedRect(QRectF(option->rect).adjusted(0.5, 0.5, -0.5, -0.5), 2.5, 2.5);
    painter->restore();
}

void drawCheck(const QStyleOption* option, QPainter* painter) {
    painter->save();
    painter->setRenderHint(QPainter::Antialiasing);
    const bool isOn = option->state.testFlag(QStyle::State_On);
    const bool isEnabled = option->state.testFlag(QStyle::State_Enabled);
    const qreal size = std::min(option->rect.width(), option->rect.height()) - 1;
    QRectF box(0, 0, size, size);
    box.moveCenter(QRectF(option->rect).center());
    QColor edge = dimText(option->palette);
    if (option->state.testFlag(QStyle::State_HasFocus))
        edge = option->palette.color(QPalette::Highlight);
    edge.setAlphaF(isEnabled ? 0.8 : 0.4);
    // the application's accent: a list may have tinted its own
    const QColor fill =
        QApplication::palette().color(isEnabled ? QPalette::Active : QPalette::Disabled, QPalette::Highlight);
    painter->setPen(QPen(isOn ? fill : edge, 1));
    painter->setBrush(isOn ? QBrush(fill) : option->palette.base());
    painter->drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 2.5, 2.5);
    if (isOn) {
        painter->setPen(QPen(Qt::white, size / 8.0, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
        painter->drawPolyline(QPolygonF{box.topLeft() + QPointF(size * 0.27, size * 0.52),
                                        box.topLeft() + QPointF(size * 0.44, size * 0.69),
                                        box.topLeft() + QPointF(size * 0.74, size * 0.33)});
    }
    painter->restore();
}

} // namespace

QuietStyle::QuietStyle(const QString& base) : QProxyStyle(base.isEmpty() ? nullptr : QStyleFactory::create(base)) {}

void QuietStyle::drawControl(ControlElement element, const QStyleOption* option, QPainter* painter,
                             const QWidget* widget) const {
    if (element == CE_ToolBar) {
        painter->fillRect(option->rect, option->palette.window());
        painter->setPen(hairline(option->palette));
        const auto* bar = qobject_cast<const QToolBar*>(widget);
        const QRect area = option->rect;
        if (bar && bar->orientation() == Qt::Vertical)
            painter->drawLine(area.topRight(), area.bottomRight());
        else if (option->rect.top() == 0)
            painter->drawLine(area.bottomLeft(), area.bottomRight());
        return;
    }
    if (element == CE_HeaderSection) {
        painter->fillRect(option->rect, option->palette.window());
        painter->setPen(hairline(option->palette));
        painter->drawLine(option->rect.bottomLeft(), option->rect.bottomRight());
        return;
    }
    if (element == CE_HeaderLabel) {
        if (const auto* header = qstyleoption_cast<const QStyleOptionHeader*>(option)) {
            QStyleOptionHeader label = *header;
            label.palette.setColor(QPalette::ButtonText, dimText(option->palette));
            QProxyStyle::drawControl(element, &label, painter, widget);
            return;
        }
    }
    if (element == CE_Splitter) {
        painter->setPen(hairline(option->palette));
        const QPoint centre = option->rect.center();
        if (option->state & State_Horizontal)
            painter->drawLine(centre.x(), option->rect.top(), centre.x(), option->rect.bottom());
        else
            painter->drawLine(option->rect.left(), centre.y(), option->rect.right(), centre.y());
        return;
    }
    QProxyStyle::drawControl(element, option, painter, widget);
}

void QuietStyle::drawComplexControl(ComplexControl control, const QStyleOptionComplex* option, QPainter* painter,
                                    const QWidget* widget) const {
    const auto* button = qstyleoption_cast<const QStyleOptionToolButton*>(option);
    if (control == CC_ToolButton && button && button->toolButtonStyle == Qt::ToolButtonIconOnly) {
        QStyleOptionToolButton plain = *button; // its icon says that it is a menu
        plain.features &= ~QStyleOptionToolButton::HasMenu;
        QProxyStyle::drawComplexControl(control, &plain, painter, widget);
        return;
    }
    QProxyStyle::drawComplexControl(control, option, painter, widget);
    if (control == CC_SpinBox) { // the style's own edge is lost on a dark page
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        painter->setPen(outline(option));
        painter->setBrush(Qt::NoBrush);
        painter->drawRoundedRect(QRectF(option->rect).adjusted(0.5, 0.5, -0.5, -0.5), 2.5, 2.5);
        painter->restore();
    }
}

void QuietStyle::drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                               const QWidget* widget) const {
    if (element == PE_FrameStatusBarItem || element == PE_FrameDockWidget)
        return;
    if (element == PE_FrameFocusRect && qobject_cast<const QAbstractItemView*>(widget))
        return; // whole rows are selected, and that shows
    if (element == PE_IndicatorDockWidgetResizeHandle || element == PE_PanelStatusBar) {
        painter->setPen(hairline(option->palette));
        const QPoint centre = option->rect.center();
        if (element == PE_PanelStatusBar)
            painter->drawLine(option->rect.topLeft(), option->rect.topRight());
        else if (option->rect.width() > option->rect.height())
            painter->drawLine(option->rect.left(), centre.y(), option->rect.right(), centre.y());
        else
            painter->drawLine(centre.x(), option->rect.top(), centre.x(), option->rect.bottom());
        return;
    }
    if (element == PE_FrameMenu) {
        painter->setPen(option->palette.color(QPalette::Mid));
        painter->drawRect(option->rect.adjusted(0, 0, -1, -1));
        return;
    }
    if (element == PE_IndicatorItemViewItemCheck || element == PE_IndicatorCheckBox)
        return drawCheck(option, painter);
    if (element == PE_PanelLineEdit || element == PE_FrameLineEdit) {
        const auto* frame = qstyleoption_cast<const QStyleOptionFrame*>(option);
        if (element == PE_PanelLineEdit && frame && frame->lineWidth <= 0) {
            QProxyStyle::drawPrimitive(element, option, painter, widget);
            return;
        }
        return drawLineEdit(option, painter);
    }
    QProxyStyle::drawPrimitive(element, option, painter, widget);
}

int QuietStyle::pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const {
    switch (metric) {
    case PM_SplitterWidth:
    case PM_DockWidgetSeparatorExtent:
        return quarter() + 1;
    case PM_ToolBarFrameWidth:
    case PM_DockWidgetFrameWidth:
        return 0;
    case PM_ToolBarItemSpacing:
        return quarter();
    case PM_FocusFrameHMargin: // beside the text of a cell
    case PM_HeaderMargin:
        return quarter() * 2;
    case PM_SmallIconSize:
    case PM_ButtonIconSize:
    case PM_ToolBarIconSize:
        return quarter() * 4;
    default:
        return QProxyStyle::pixelMetric(metric, option, widget);
    }
}

int QuietStyle::styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                          QStyleHintReturn* data) const {
    switch (hint) {
    case SH_ToolTip_WakeUpDelay:
        return 500;
    case SH_UnderlineShortcut:
        return 1;
    case SH_EtchDisabledText:
    case SH_DitherDisabledText:
    case SH_DialogButtonBox_ButtonsHaveIcons: // coloured ones of another hand
        return 0;
    default:
        return QProxyStyle::styleHint(hint, option, widget, data);
    }
}

QIcon QuietStyle::standardIcon(StandardPixmap which, const QStyleOption* option, const QWidget* widget) const {
    switch (which) {
    case SP_TitleBarCloseButton:
        return icon(QStringLiteral("close"));
    case SP_TitleBarNormalButton:
        return icon(QStringLiteral("enlarge"));
    default:
        return QProxyStyle::standardIcon(which, option, widget);
    }
}

} // namespace trainyard::theme
