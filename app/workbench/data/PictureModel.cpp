#include "app/workbench/data/PictureModel.h"

#include "widgets/theme/Numbers.h"

#include <algorithm>
#include <limits>

namespace trainyard {

PictureModel::PictureModel(const DataSource& source, ThumbnailLoader& loader, QObject* parent)
    : QAbstractListModel(parent), m_source(source), m_loader(loader) {}

std::int64_t PictureModel::available() const {
    const auto data = m_source.data();
    return data && m_set < data->sets().size()
               ? std::min<std::int64_t>(m_source.count(m_set), std::numeric_limits<int>::max())
               : 0;
}

void PictureModel::setSet(std::size_t set) {
    beginResetModel();
    m_set = set;
    m_isFiltered = false;
    m_filtered.clear();
    m_count = available();
    m_loader.setSource(m_count > 0 ? m_source.data() : nullptr, set);
    endResetModel();
}

void PictureModel::setSamples(std::vector<std::int64_t> samples) {
    beginResetModel();
    m_isFiltered = true;
    m_filtered = std::move(samples);
    endResetModel();
}

void PictureModel::showAll() {
    if (!m_isFiltered)
        return;
    beginResetModel();
    m_isFiltered = false;
    m_filtered.clear();
    endResetModel();
}

std::int64_t PictureModel::sampleAt(int row) const {
    return m_isFiltered ? m_filtered.at(std::size_t(row)) : row;
}

int PictureModel::rowOf(std::int64_t sample) const {
    if (!m_isFiltered)
        return sample >= 0 && sample < m_count ? int(sample) : -1;
    const auto at = std::lower_bound(m_filtered.begin(), m_filtered.end(), sample);
    return at != m_filtered.end() && *at == sample ? int(at - m_filtered.begin()) : -1;
}

int PictureModel::rowCount(const QModelIndex& parent) const {
    if (parent.isValid())
        return 0;
    return m_isFiltered ? int(m_filtered.size()) : int(m_count);
}

QString PictureModel::nameOf(std::int64_t sample) const {
    const auto look = m_source.look(m_set);
    if (look && sample < look->index.size())
        return look->index.at(sample).id;
    return QString::fromStdString(m_source.data()->info(m_set, sample).id);
}

QString PictureModel::captionOf(std::int64_t sample) const {
    if (m_source.data()->sets()[m_set].task == TaskKind::Detection)
        return nameOf(sample);
    const auto look = m_source.look(m_set);
    return look && sample < look->index.size()
               ? look->index.at(sample).transcript
               : QString::fromStdString(m_source.data()->info(m_set, sample).transcript);
}

QString PictureModel::spoken(std::int64_t sample) const {
    const SampleInfo info = m_source.data()->info(m_set, sample);
    QString text = QString::fromStdString(info.id);
    if (m_source.data()->sets()[m_set].task == TaskKind::Recognition)
        text += tr(", says “%1”").arg(QString::fromStdString(info.transcript));
    else
        text += tr(", %n object(s)", nullptr, int(info.objects.size()));
    if (m_source.troubled(m_set).contains(QString::fromStdString(info.id)))
        text += tr(", has a problem");
    return text;
}

QVariant PictureModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || !m_source.data() || index.row() >= rowCount())
        return {};
    const std::int64_t sample = sampleAt(index.row());
    switch (role) {
    case Qt::DisplayRole:
        return captionOf(sample);
    case Qt::AccessibleTextRole:
    case Qt::ToolTipRole: {
        const Thumbnail* thumbnail = m_loader.find(sample);
        return thumbnail && !thumbnail->trouble.isEmpty() ? spoken(sample) + QLatin1Char('\n') + thumbnail->trouble
                                                          : spoken(sample);
    }
    case SampleRole:
        return qint64(sample);
    case TroubledRole:
        return m_source.troubled(m_set).contains(nameOf(sample));
    default:
        return {};
    }
}

} // namespace trainyard
