#pragma once

#include <QJsonArray>
#include <QString>

#include <vector>

namespace trainyard {

/// Where one plot stands in the grid of a board, and how many cells it takes.
struct PlotPlace {
    QString key;
    int row = 0, column = 0, rows = 1, columns = 1;
    bool operator==(const PlotPlace&) const = default;
};

/// The order and the size of the plots of a board, as a person arranged them. A plain value.
class PlotArrangement {
public:
    static constexpr int kMostColumns = 2, kMostRows = 3;

    struct Item {
        QString key;
        int columns = 1, rows = 1; ///< cells wide and high
        bool operator==(const Item&) const = default;
    };

    void add(const QString& key);                       ///< at the end, one cell large
    void moveTo(const QString& key, const QString& at); ///< takes the place of `at`, which gives way
    void moveBy(const QString& key, int by);
    void resize(const QString& key, int columns, int rows); ///< as far as there is room for it
    const std::vector<Item>& items() const { return m_items; }
    const Item* find(const QString& key) const;

    bool isChanged() const; ///< from the order of adding, one cell each
    void reset();

    /// Row by row, each in the first gap that is wide enough. Those left out stand nowhere.
    std::vector<PlotPlace> places(int columns, const std::vector<QString>& leftOut = {}) const;

    QJsonArray toJson() const;
    /// Plots that are not named keep their place behind those that are; names of plots that are not there are skipped.
    void fromJson(const QJsonArray& json);

private:
    int indexOf(const QString& key) const;

    std::vector<Item> m_items;
    std::vector<QString> m_added;
};

} // namespace trainyard
