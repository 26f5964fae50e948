// DataPage: what is remembered, and how one comes back to it.
#include "app/workbench/data/DataPage.h"
#include "app/workbench/data/PictureViewer.h"

#include <QAction>
#include <QComboBox>
#include <QJsonArray>
#include <QLineEdit>
#include <QSplitter>

#include <algorithm>
#include <utility>

namespace trainyard {

/// Where one is, to be found again when the data has been opened anew.
void DataPage::keepPlace() {
    if (m_hasShownSets)
        m_place = settings();
}

QJsonObject DataPage::settings() const {
    QJsonArray layers;
    for (const QAction* layer : m_layers)
        layers.append(layer->isChecked());
    QJsonObject settings = m_place; // what was not come back to yet
    const QModelIndex current = m_grid->currentIndex();
    if (m_source.data() && m_hasShownSets) {
        const QPoint kind = m_kind->currentData().toPoint();
        settings = {{QStringLiteral("set"), int(m_set)},      {QStringLiteral("words"), m_search->text()},
                    {QStringLiteral("kind"), kind.x()},       {QStringLiteral("label"), kind.y()},
                    {QStringLiteral("open"), isViewerOpen()}, {QStringLiteral("draw"), double(m_viewer->draw())}};
        const std::int64_t sample = isViewerOpen()      ? m_viewer->sample()
                                    : current.isValid() ? current.data(PictureModel::SampleRole).toLongLong()
                                                        : -1;
        if (sample >= 0) {
            settings[QStringLiteral("sample")] = double(sample);
            settings[QStringLiteral("name")] = m_model->nameOf(sample);
        }
    }
    settings[QStringLiteral("size")] = m_grid->sizeStep();
    settings[QStringLiteral("layers")] = layers;
    settings[QStringLiteral("charts")] = m_showCharts->isChecked();
    settings[QStringLiteral("splitter")] = QString::fromLatin1(m_splitter->saveState().toBase64());
    return settings;
}

void DataPage::setSettings(const QJsonObject& settings) {
    m_place = settings;
    m_grid->setSizeStep(settings[QStringLiteral("size")].toInt(m_grid->sizeStep()));
    m_showCharts->setChecked(settings[QStringLiteral("charts")].toBool(true));
    m_splitter->restoreState(QByteArray::fromBase64(settings[QStringLiteral("splitter")].toString().toLatin1()));
    const QJsonArray layers = settings[QStringLiteral("layers")].toArray();
    for (qsizetype at = 0; at < m_layers.size() && at < layers.size(); ++at)
        m_layers[at]->setChecked(layers[at].toBool(true));
    if (m_source.data())
        comeBack();
}

void DataPage::comeBack() {
    const QJsonObject place = std::exchange(m_place, {});
    const int sets = int(m_source.data()->sets().size());
    m_search->setText(place[QStringLiteral("words")].toString());
    chooseSet(std::clamp(place[QStringLiteral("set")].toInt(), 0, sets - 1));
    const QPoint kind(place[QStringLiteral("kind")].toInt(), place[QStringLiteral("label")].toInt());
    m_kind->setCurrentIndex(std::max(0, m_kind->findData(kind)));
    const auto sample = std::int64_t(place[QStringLiteral("sample")].toDouble(-1));
    const bool isThere = sample >= 0 && sample < m_source.count(m_set) &&
                         m_model->nameOf(sample) == place[QStringLiteral("name")].toString();
    if (!isThere)
        return;
    m_grid->showSample(sample);
    if (!place[QStringLiteral("open")].toBool())
        return;
    openSample(sample);
    m_viewer->setDraw(std::int64_t(place[QStringLiteral("draw")].toDouble()));
}

} // namespace trainyard
