#pragma once

#include <QStyledItemDelegate>

namespace trainyard {

/// Paints a run's state as icon and word in its colour. The model gives the RunStatus as a number under `StatusRole`.
class StateDelegate final : public QStyledItemDelegate {
    Q_OBJECT
public:
    static constexpr int StatusRole = Qt::UserRole + 100;
    using QStyledItemDelegate::QStyledItemDelegate;

protected:
    void initStyleOption(QStyleOptionViewItem* option, const QModelIndex& index) const override;
};

} // namespace trainyard
