#include "app/engine/TileCollector.h"

#include "core/data/Tiles.h"

namespace trainyard {

bool TileCollector::isSameImage(const SampleInfo& tile) const {
    return tile.dataset == m_sample.dataset && tile.imageId == m_sample.imageId && tile.id == m_sample.id;
}

void TileCollector::add(const SampleInfo& tile, const Prediction& prediction) {
    if (!isSameImage(tile))
        finish();
    m_sample = tile;
    m_tiles.push_back(prediction.detections);
}

void TileCollector::finish() {
    if (m_tiles.empty())
        return;
    Prediction whole;
    whole.detections = mergeTiles(m_tiles, m_mergeOverlap);
    m_tiles.clear();
    ++m_images;
    m_handOn(m_sample, whole);
}

} // namespace trainyard
