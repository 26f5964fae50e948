#include "widgets/tables/StateDelegate.h"

#include "widgets/theme/Icon.h"
#include "widgets/theme/StateLook.h"

namespace trainyard {

void StateDelegate::initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const {
    QStyledItemDelegate::initStyleOption(option, index);
    const QVariant status = index.data(StatusRole);
    if (!status.isValid())
        return;
    const auto look = theme::stateLook(RunStatus(status.toInt()));
    option->features |= QStyleOptionViewItem::HasDecoration;
    option->icon = theme::icon(look.icon, look.tone);
    const int size = option->fontMetrics.height();
    option->decorationSize = QSize(size, size);
    option->text = look.word;
    const QColor colour = theme::toneColour(look.tone, option->palette);
    for (const auto role : {QPalette::Text, QPalette::HighlightedText})
        option->palette.setColor(role, colour);
}

} // namespace trainyard
