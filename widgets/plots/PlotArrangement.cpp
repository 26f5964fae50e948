#include "widgets/plots/PlotArrangement.h"

#include <QJsonObject>

#include <algorithm>
#include <set>

namespace trainyard {

void PlotArrangement::add(const QString& key) {
    m_items.push_back({key, 1, 1});
    m_added.push_back(key);
}

int PlotArrangement::indexOf(const QString& key) const {
    const auto at = std::find_if(m_items.begin(), m_items.end(), [&](const Item& each) { return each.key == key; });
    return at == m_items.end() ? -1 : int(at - m_items.begin());
}

const PlotArrangement::Item* PlotArrangement::find(const QString& key) const {
    const int at = indexOf(key);
    return at < 0 ? nullptr : &m_items[std::size_t(at)];
}

void PlotArrangement::moveTo(const QString& key, const QString& at) {
    const int from = indexOf(key), to = indexOf(at);
    if (from >= 0 && to >= 0)
        moveBy(key, to - from);
}

void PlotArrangement::moveBy(const QString& key, int by) {
    const int from = indexOf(key);
    if (from < 0)
        return;
    const int to = std::clamp(from + by, 0, int(m_items.size()) - 1);
    const auto first = m_items.begin();
    if (to > from)
        std::rotate(first + from, first + from + 1, first + to + 1);
    else
        std::rotate(first + to, first + from, first + from + 1);
}

void PlotArrangement::resize(const QString& key, int columns, int rows) {
    if (const int at = indexOf(key); at >= 0) {
        m_items[std::size_t(at)].columns = std::clamp(columns, 1, kMostColumns);
        m_items[std::size_t(at)].rows = std::clamp(rows, 1, kMostRows);
    }
}

bool PlotArrangement::isChanged() const {
    return !std::equal(m_items.begin(), m_items.end(), m_added.begin(), [](const Item& item, const QString& key) {
        return item == Item{key, 1, 1};
    });
}

void PlotArrangement::reset() {
    m_items.clear();
    for (const QString& key : m_added)
        m_items.push_back({key, 1, 1});
}

std::vector<PlotPlace> PlotArrangement::places(int columns, const std::vector<QString>& leftOut) const {
    std::vector<PlotPlace> places;
    std::set<std::pair<int, int>> taken; // row, column
    const auto isFree = [&](const PlotPlace& place) {
        for (int row = place.row; row < place.row + place.rows; ++row)
            for (int column = place.column; column < place.column + place.columns; ++column)
                if (column >= columns || taken.contains({row, column}))
                    return false;
        return true;
    };
    for (const Item& item : m_items) {
        if (std::find(leftOut.begin(), leftOut.end(), item.key) != leftOut.end())
            continue;
        PlotPlace place{item.key, 0, 0, item.rows, std::min(item.columns, columns)};
        while (!isFree(place)) {
            place.column = (place.column + 1) % columns;
            place.row += place.column == 0;
        }
        for (int row = place.row; row < place.row + place.rows; ++row)
            for (int column = place.column; column < place.column + place.columns; ++column)
                taken.insert({row, column});
        places.push_back(place);
    }
    return places;
}

QJsonArray PlotArrangement::toJson() const {
    QJsonArray json;
    for (const Item& item : m_items)
        json.append(QJsonObject{{QStringLiteral("plot"), item.key},
                                {QStringLiteral("columns"), item.columns},
                                {QStringLiteral("rows"), item.rows}});
    return json;
}

void PlotArrangement::fromJson(const QJsonArray& json) {
    reset();
    int place = 0;
    for (const auto& value : json) {
        const QJsonObject object = value.toObject();
        const QString key = object[QStringLiteral("plot")].toString();
        const int at = indexOf(key);
        if (at < 0)
            continue;
        moveBy(key, place++ - at);
        resize(key, object[QStringLiteral("columns")].toInt(1), object[QStringLiteral("rows")].toInt(1));
    }
}

} // namespace trainyard
