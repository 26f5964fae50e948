#pragma once

#include "core/telemetry/Annotation.h"

#include <functional>
#include <vector>

namespace trainyard {

/// Puts the predictions of an image's tiles together and hands them on as one. Tiles of an image come one after the
/// other. One thread.
class TileCollector {
public:
    using HandOn = std::function<void(const SampleInfo& sample, const Prediction& prediction)>;
    /// `mergeOverlap` is `data.tiles.merge_overlap`.
    TileCollector(double mergeOverlap, HandOn handOn) : m_mergeOverlap(mergeOverlap), m_handOn(std::move(handOn)) {}

    void add(const SampleInfo& tile, const Prediction& prediction);
    /// The last image has no more tiles.
    void finish();
    /// Images handed on so far.
    std::int64_t images() const { return m_images; }

private:
    bool isSameImage(const SampleInfo& tile) const;

    double m_mergeOverlap;
    HandOn m_handOn;
    SampleInfo m_sample;
    std::vector<std::vector<Detection>> m_tiles;
    std::int64_t m_images = 0;
};

} // namespace trainyard
