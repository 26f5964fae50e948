#pragma once

#include <QSet>
#include <QTableView>

namespace trainyard {

/// A table of whole rows without a grid. Ctrl+C copies the selected rows as text with tabs; columns can be moved, sized
/// and hidden from the header's menu and come back by `columnState`. UI thread only.
class QuietTable final : public QTableView {
    Q_OBJECT
public:
    explicit QuietTable(QWidget* parent = nullptr);

    QString selectionAsText() const;
    QByteArray columnState() const;
    void setColumnState(const QByteArray& state);
    /// Columns as wide as what is in them, the given one takes the rest.
    void fitColumns(int stretched);
    /// Widens columns that cut what came into them, but none that were sized by hand.
    void growColumns();

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void changeEvent(QEvent* event) override;

private:
    void showHeaderMenu(const QPoint& position);

    QSet<int> m_byHand;
};

} // namespace trainyard
