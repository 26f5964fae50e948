#pragma once

#include "app/workbench/data/DataSource.h"
#include "app/workbench/data/ThumbnailLoader.h"

#include <QAbstractListModel>

namespace trainyard {

/// The samples of one set that pass the filter, a row each. Names come from the data when they are asked for and
/// pictures from the loader when they are in sight: a hundred thousand rows cost nothing. UI thread only.
class PictureModel final : public QAbstractListModel {
    Q_OBJECT
public:
    enum Role { SampleRole = Qt::UserRole + 1, TroubledRole };

    PictureModel(const DataSource& source, ThumbnailLoader& loader, QObject* parent = nullptr);

    void setSet(std::size_t set); ///< all of its samples, or none where it is not there
    std::size_t set() const { return m_set; }
    void setSamples(std::vector<std::int64_t> samples); ///< those that pass a filter, rising
    void showAll();

    std::int64_t sampleAt(int row) const;
    int rowOf(std::int64_t sample) const; ///< -1: it is filtered out
    const Thumbnail* thumbnail(int row) const { return m_loader.find(sampleAt(row)); }
    QString nameOf(std::int64_t sample) const;
    QString captionOf(std::int64_t sample) const; ///< of words what they say, else the name

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;

private:
    QString spoken(std::int64_t sample) const;
    std::int64_t available() const;

    const DataSource& m_source;
    ThumbnailLoader& m_loader;
    std::size_t m_set = 0;
    std::int64_t m_count = 0;             ///< of the set
    std::vector<std::int64_t> m_filtered; ///< where m_isFiltered
    bool m_isFiltered = false;
};

} // namespace trainyard
