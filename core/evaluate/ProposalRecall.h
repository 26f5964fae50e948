#pragma once

#include "core/evaluate/CocoMatching.h"
#include "core/evaluate/Metrics.h"

#include <array>
#include <cstdint>
#include <vector>

namespace trainyard {

/// How many of the objects a set of proposals covers, whatever their class: average recall over IoU 0.50 to 0.95 with
/// the best 100 and the best 1000 proposals of each image, by object size. The COCO evaluation with `useCats` 0.
/// One thread. Source: Hosang et al. 2016, "What makes for effective detection proposals?"; Lin et al. 2014.
class ProposalRecall {
public:
    void add(const SampleInfo& truth, const std::vector<Detection>& proposals);
    void add(const CocoImage& image);

    std::int64_t images() const { return m_images; }
    /// "proposals/AR100", "/ARs100", "/ARm100", "/ARl100", and the same for 1000; -1 where there is no object.
    Metrics metrics() const;

private:
    static constexpr std::array<int, 2> kLimits = {100, 1000};
    using ByThreshold = std::array<std::int64_t, kCocoThresholds>;
    std::array<std::array<ByThreshold, kCocoAreas>, kLimits.size()> m_covered{};
    std::array<std::int64_t, kCocoAreas> m_objects{};
    std::int64_t m_images = 0;
};

} // namespace trainyard
