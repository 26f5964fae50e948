#pragma once

#include "core/evaluate/CocoObject.h"

#include <array>
#include <cstdint>
#include <vector>

namespace trainyard {

constexpr std::size_t kCocoThresholds = 10; ///< IoU 0.50, 0.55, …, 0.95
constexpr std::size_t kCocoAreas = 4;       ///< all, small, medium, large
enum CocoArea : std::size_t { kAllAreas, kSmall, kMedium, kLarge };

double cocoThreshold(std::size_t index);

/// A finding after it has been held against the truths of its image. Bit t of a mask stands for threshold t.
struct JudgedFinding {
    double score = 0;
    std::int64_t imageId = 0;
    int rank = 0; ///< in its image and class, best first from 0
    std::array<std::uint16_t, kCocoAreas> matched{};
    std::array<std::uint16_t, kCocoAreas> ignored{};
};

/// One class in one image.
struct JudgedImage {
    std::vector<JudgedFinding> findings;            ///< best first
    std::array<std::int64_t, kCocoAreas> objects{}; ///< truths that count
};

/// Gives each finding the truth it overlaps most, best finding first, as COCO's evaluation does: at each threshold by
/// itself, ignored truths (crowds, other areas) only where no other fits, at most `mostFindings` of them.
JudgedImage judge(CocoType type, std::int64_t imageId, std::vector<const CocoFinding*> findings,
                  const std::vector<const CocoTruth*>& truths, std::size_t mostFindings);

} // namespace trainyard
