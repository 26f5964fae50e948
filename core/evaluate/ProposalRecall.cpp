#include "core/evaluate/ProposalRecall.h"

#include "core/evaluate/CocoConversion.h"

#include <algorithm>
#include <string>

namespace trainyard {
namespace {

/// The mean over the thresholds, summed as COCO does.
double meanRecall(const std::array<std::int64_t, kCocoThresholds>& covered, std::int64_t objects) {
    if (objects == 0)
        return -1;
    double sum = 0;
    for (const auto count : covered)
        sum += double(count) / double(objects);
    return sum / double(kCocoThresholds);
}

template <class T>
std::vector<const T*> byClass(const std::vector<T>& objects) {
    std::vector<const T*> pointers;
    for (const T& object : objects)
        pointers.push_back(&object);
    std::stable_sort(pointers.begin(), pointers.end(), [](const T* a, const T* b) { return a->label < b->label; });
    return pointers;
}

} // namespace

void ProposalRecall::add(const SampleInfo& truth, const std::vector<Detection>& proposals) {
    add(toCocoImage(CocoType::Boxes, truth, proposals));
}

void ProposalRecall::add(const CocoImage& image) {
    ++m_images;
    const auto truths = byClass(image.truths); // of equal overlaps the last class wins, as in the COCO API
    const auto judged = judge(CocoType::Boxes, image.id, byClass(image.findings), truths, std::size_t(kLimits.back()));
    for (std::size_t area = 0; area < kCocoAreas; ++area) {
        m_objects[area] += judged.objects[area];
        for (const JudgedFinding& finding : judged.findings)
            for (std::size_t limit = 0; limit < kLimits.size(); ++limit)
                for (std::size_t t = 0; t < kCocoThresholds; ++t) {
                    const unsigned right = finding.matched[area] & ~unsigned(finding.ignored[area]);
                    m_covered[limit][area][t] += finding.rank < kLimits[limit] && (right >> t & 1u) != 0;
                }
    }
}

Metrics ProposalRecall::metrics() const {
    constexpr std::array<const char*, kCocoAreas> kSizes = {"", "s", "m", "l"};
    Metrics metrics;
    for (std::size_t limit = 0; limit < kLimits.size(); ++limit)
        for (std::size_t area = 0; area < kCocoAreas; ++area)
            metrics.emplace_back("proposals/AR" + std::string(kSizes[area]) + std::to_string(kLimits[limit]),
                                 meanRecall(m_covered[limit][area], m_objects[area]));
    return metrics;
}

} // namespace trainyard
