#include "core/evaluate/CocoMatching.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace trainyard {
namespace {

struct AreaRange {
    double least, most;
};
constexpr std::array<AreaRange, kCocoAreas> kRanges = {
    {{0, 1e10}, {0, 32.0 * 32.0}, {32.0 * 32.0, 96.0 * 96.0}, {96.0 * 96.0, 1e10}}};

bool isOutside(double area, const AreaRange& range) {
    return area < range.least || area > range.most;
}

bool isAlwaysIgnored(CocoType type, const CocoTruth& truth) {
    if (truth.isCrowd || type != CocoType::Keypoints)
        return truth.isCrowd;
    for (std::size_t k = 2; k < truth.keypoints.size(); k += 3)
        if (truth.keypoints[k] > 0)
            return false;
    return true; // a person without a labelled keypoint
}

/// One area range of one image: which truths count, in the order in which they are tried.
struct Candidates {
    std::vector<std::size_t> order; ///< those that count first
    std::vector<bool> isIgnored;    ///< by place in `order`
};

Candidates candidatesOf(CocoType type, const std::vector<const CocoTruth*>& truths, const AreaRange& range) {
    std::vector<bool> ignored;
    for (const auto* truth : truths)
        ignored.push_back(isAlwaysIgnored(type, *truth) || isOutside(truth->area, range));
    Candidates candidates;
    candidates.order.resize(truths.size());
    std::iota(candidates.order.begin(), candidates.order.end(), std::size_t(0));
    std::stable_sort(candidates.order.begin(), candidates.order.end(),
                     [&](std::size_t a, std::size_t b) { return !ignored[a] && ignored[b]; });
    for (const auto index : candidates.order)
        candidates.isIgnored.push_back(ignored[index]);
    return candidates;
}

constexpr std::size_t kNone = ~std::size_t(0);

/// The place in `candidates` of the truth that a finding with these `overlaps` takes.
std::size_t bestFor(const std::vector<double>& overlaps, const Candidates& candidates,
                    const std::vector<const CocoTruth*>& truths, const std::vector<bool>& isTaken, double threshold) {
    std::size_t best = kNone;
    double least = std::min(threshold, 1 - 1e-10);
    for (std::size_t place = 0; place < candidates.order.size(); ++place) {
        const auto index = candidates.order[place];
        if (isTaken[place] && !truths[index]->isCrowd)
            continue;
        if (best != kNone && !candidates.isIgnored[best] && candidates.isIgnored[place])
            break; // one that counts is better than any that does not
        if (overlaps[index] < least)
            continue;
        least = overlaps[index];
        best = place;
    }
    return best;
}

/// A score that is no number comes last, so that there is an order.
double orderOf(const CocoFinding& finding) {
    return std::isnan(finding.score) ? -std::numeric_limits<double>::infinity() : finding.score;
}

} // namespace

double cocoThreshold(std::size_t index) {
    return index + 1 == kCocoThresholds ? 0.95 : 0.5 + double(index) * ((0.95 - 0.5) / double(kCocoThresholds - 1));
}

JudgedImage judge(CocoType type, std::int64_t imageId, std::vector<const CocoFinding*> findings,
                  const std::vector<const CocoTruth*>& truths, std::size_t mostFindings) {
    std::stable_sort(findings.begin(), findings.end(),
                     [](const auto* a, const auto* b) { return orderOf(*a) > orderOf(*b); });
    findings.resize(std::min(findings.size(), mostFindings));
    const auto rows = overlaps(type, findings, truths);
    JudgedImage judged;
    for (const auto* finding : findings)
        judged.findings.push_back({orderOf(*finding), imageId, int(judged.findings.size()), {}, {}});
    for (std::size_t area = 0; area < kCocoAreas; ++area) {
        const auto candidates = candidatesOf(type, truths, kRanges[area]);
        judged.objects[area] = std::count(candidates.isIgnored.begin(), candidates.isIgnored.end(), false);
        for (std::size_t t = 0; t < kCocoThresholds; ++t) {
            std::vector<bool> isTaken(truths.size(), false);
            for (std::size_t i = 0; i < findings.size(); ++i) {
                const auto place = bestFor(rows[i], candidates, truths, isTaken, cocoThreshold(t));
                const auto bit = std::uint16_t(1u << t);
                if (place != kNone) {
                    isTaken[place] = true;
                    judged.findings[i].matched[area] |= bit;
                }
                if (place != kNone ? candidates.isIgnored[place] : isOutside(findings[i]->area, kRanges[area]))
                    judged.findings[i].ignored[area] |= bit;
            }
        }
    }
    return judged;
}

} // namespace trainyard
