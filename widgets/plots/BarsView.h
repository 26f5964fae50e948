#pragma once

#include <QStringList>
#include <QWidget>

#include <vector>

namespace trainyard {

/// How often each of some things occurs. Classes stand in rows with their names while there is room for them, bins of
/// a distribution (and very many classes) in columns. Left and right walk the bars and say them; Ctrl+C copies all as a
/// table; Return or a click tells which was meant. UI thread only.
class BarsView final : public QWidget {
    Q_OBJECT
public:
    struct Bar {
        QString name; ///< a class, or the bin: "12 – 24"
        qint64 count = 0;
    };
    explicit BarsView(const QString& title, QWidget* parent = nullptr);

    void setTitle(const QString& title);
    /// `first` and `last` stand beneath the ends of columns; a note says more of them (mean, unit).
    void setBars(std::vector<Bar> bars, const QString& first = {}, const QString& last = {}, const QString& note = {});
    /// Whether bars stand for something that can be chosen.
    void setChoosable(bool isChoosable) { m_isChoosable = isChoosable; }
    const std::vector<Bar>& bars() const { return m_bars; }
    QString asText() const; ///< a table with tabs
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

Q_SIGNALS:
    void chosen(int bar);

protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    bool event(QEvent* event) override;

private:
    bool standsInRows() const;
    QRect area() const;
    QRect placeOf(int bar) const;
    int barAt(const QPoint& position) const;
    void choose(int bar);
    QString spoken(int bar) const;
    void paintRows(QPainter& painter) const;
    void paintColumns(QPainter& painter) const;

    QString m_title, m_first, m_last, m_note;
    std::vector<Bar> m_bars;
    qint64 m_most = 0, m_total = 0;
    int m_current = -1;
    bool m_isChoosable = false;
};

} // namespace trainyard
