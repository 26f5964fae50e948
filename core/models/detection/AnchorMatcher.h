#pragma once

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <span>
#include <vector>

namespace trainyard {

/// Which ground truth each anchor is to find. Works box by box over columns of anchors, so memory does not grow with
/// their product. One thread at a time.
/// Source: torchvision's RetinaNet matcher, low-quality matches included; crowds as in COCO's own practice.
class AnchorMatcher {
public:
    static constexpr std::int64_t kBelow = -1;   ///< background
    static constexpr std::int64_t kBetween = -2; ///< neither: ignored

    struct Thresholds {
        double foreground = 0.5; ///< an overlap of at least this is a match
        double background = 0.4; ///< less than this is background
        double crowdShare = 0.5; ///< unmatched anchors with this share inside a crowd are ignored
    };

    /// `anchors` is float [R, 4] on the CPU.
    AnchorMatcher(const at::Tensor& anchors, const Thresholds& thresholds);

    /// For each anchor a row of `boxes`, kBelow or kBetween. `boxes` is M × 4 floats, `isCrowd` M flags; a crowd is
    /// never matched. Each box with any overlap also takes the anchors that overlap it most, for their own best box.
    std::vector<std::int64_t> match(std::span<const float> boxes, std::span<const bool> isCrowd);

    /// Each anchor's largest overlap with a box of the last match; below 0 where there was no box.
    std::span<const float> bestOverlaps() const { return m_best; }

private:
    void fillOverlaps(const float* box);
    void takeBest(std::int32_t row);
    void collectBestOf();
    void ignoreInsideCrowd(const float* box, std::vector<std::int64_t>& matches);

    Thresholds m_thresholds;
    std::vector<float> m_x1, m_y1, m_x2, m_y2, m_area; ///< anchors by column
    std::vector<float> m_overlap;                      ///< of the box at hand with every anchor
    std::vector<float> m_best;                         ///< best overlap of every anchor so far
    std::vector<std::int32_t> m_bestRow;               ///< and whose it is
    std::vector<std::int64_t> m_forced;                ///< anchors that some box overlaps most
};

} // namespace trainyard
