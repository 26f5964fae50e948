#pragma once

#include <QColor>
#include <QSet>
#include <QString>
#include <QWidget>

#include <vector>

namespace trainyard {

/// The curves of a plot in one line: a stroke in the curve's colour, its name, its value. A click hides or shows a
/// curve. What does not fit is counted at the end and listed in the tip. UI thread only.
class PlotLegend final : public QWidget {
    Q_OBJECT
public:
    struct Entry {
        QString key, name, value, exactValue;
        int colour = 0;
    };
    explicit PlotLegend(QWidget* parent = nullptr);

    void setEntries(const std::vector<Entry>& entries);
    const std::vector<Entry>& entries() const { return m_entries; }
    const QSet<QString>& hidden() const { return m_hidden; }

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

Q_SIGNALS:
    void hiddenChanged();

protected:
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    bool event(QEvent* event) override;

private:
    int entryWidth(const Entry& entry) const;
    int entryAt(const QPoint& position) const;
    int fitting() const;

    std::vector<Entry> m_entries;
    QSet<QString> m_hidden;
};

} // namespace trainyard
