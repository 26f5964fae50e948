#include "widgets/theme/QuietStyle.h"

#include "widgets/theme/Theme.h"

#include <QPainter>
#include <QStyleFactory>
#include <QStyleOption>
#include <QToolBar>

namespace trainyard::theme {

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

void QuietStyle::drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                               const QWidget* widget) const {
    if (element == PE_FrameStatusBarItem || element == PE_FrameDockWidget)
        return;
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
        return 0;
    default:
        return QProxyStyle::styleHint(hint, option, widget, data);
    }
}

} // namespace trainyard::theme
