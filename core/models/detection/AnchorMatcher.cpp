#include "core/models/detection/AnchorMatcher.h"

#include <c10/util/Exception.h>

#include <algorithm>

namespace trainyard {

AnchorMatcher::AnchorMatcher(const at::Tensor& anchors, const Thresholds& thresholds) : m_thresholds(thresholds) {
    TORCH_CHECK(anchors.dim() == 2 && anchors.size(1) == 4, "AnchorMatcher: anchors must be [R, 4]");
    const at::Tensor plain = anchors.contiguous();
    const float* corner = plain.data_ptr<float>();
    for (std::int64_t i = 0; i < anchors.size(0); ++i, corner += 4) {
        m_x1.push_back(corner[0]);
        m_y1.push_back(corner[1]);
        m_x2.push_back(corner[2]);
        m_y2.push_back(corner[3]);
        m_area.push_back((corner[2] - corner[0]) * (corner[3] - corner[1]));
    }
    m_overlap.resize(m_area.size());
}

void AnchorMatcher::fillOverlaps(const float* box) {
    const float left = box[0], top = box[1], right = box[2], bottom = box[3];
    const float area = (right - left) * (bottom - top);
    const float *x1 = m_x1.data(), *y1 = m_y1.data(), *x2 = m_x2.data(), *y2 = m_y2.data(), *areas = m_area.data();
    float* overlap = m_overlap.data();
    for (std::size_t i = 0, count = m_area.size(); i < count; ++i) {
        const float width = std::max(0.F, std::min(right, x2[i]) - std::max(left, x1[i]));
        const float height = std::max(0.F, std::min(bottom, y2[i]) - std::max(top, y1[i]));
        const float shared = width * height;
        overlap[i] = shared / (area + areas[i] - shared);
    }
}

void AnchorMatcher::takeBest(std::int32_t row) {
    const float* overlap = m_overlap.data();
    float* best = m_best.data();
    std::int32_t* bestRow = m_bestRow.data();
    for (std::size_t i = 0, count = m_overlap.size(); i < count; ++i) {
        const bool isBetter = overlap[i] > best[i];
        best[i] = isBetter ? overlap[i] : best[i];
        bestRow[i] = isBetter ? row : bestRow[i];
    }
}

void AnchorMatcher::collectBestOf() {
    float best = 0;
    for (const float overlap : m_overlap)
        best = std::max(best, overlap);
    if (best <= 0) // a box beside every anchor would claim them all
        return;
    for (std::size_t i = 0; i < m_overlap.size(); ++i)
        if (m_overlap[i] == best)
            m_forced.push_back(std::int64_t(i));
}

void AnchorMatcher::ignoreInsideCrowd(const float* box, std::vector<std::int64_t>& matches) {
    for (std::size_t i = 0; i < matches.size(); ++i) {
        const float width = std::max(0.F, std::min(box[2], m_x2[i]) - std::max(box[0], m_x1[i]));
        const float height = std::max(0.F, std::min(box[3], m_y2[i]) - std::max(box[1], m_y1[i]));
        if (matches[i] < 0 && width * height >= float(m_thresholds.crowdShare) * m_area[i])
            matches[i] = kBetween;
    }
}

std::vector<std::int64_t> AnchorMatcher::match(std::span<const float> boxes, std::span<const bool> isCrowd) {
    const std::size_t count = m_area.size();
    m_best.assign(count, -1.F);
    m_bestRow.assign(count, 0);
    m_forced.clear();
    bool hasObject = false;
    for (std::size_t row = 0; row < isCrowd.size(); ++row) {
        if (isCrowd[row])
            continue;
        hasObject = true;
        fillOverlaps(&boxes[4 * row]);
        takeBest(std::int32_t(row));
        collectBestOf();
    }

    std::vector<std::int64_t> matches(count, kBelow);
    for (std::size_t i = 0; hasObject && i < count; ++i) {
        if (m_best[i] >= float(m_thresholds.foreground))
            matches[i] = m_bestRow[i];
        else if (m_best[i] >= float(m_thresholds.background))
            matches[i] = kBetween;
    }
    for (const std::int64_t anchor : m_forced)
        matches[std::size_t(anchor)] = m_bestRow[std::size_t(anchor)];
    for (std::size_t row = 0; row < isCrowd.size(); ++row)
        if (isCrowd[row])
            ignoreInsideCrowd(&boxes[4 * row], matches);
    return matches;
}

} // namespace trainyard
