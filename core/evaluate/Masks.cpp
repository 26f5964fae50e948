#include "core/evaluate/Masks.h"

#include <algorithm>
#include <numeric>

namespace trainyard::masks {
namespace {

/// Walks two masks run by run: `visit(length, isSetInA, isSetInB)`.
template <class Visit>
void walk(const RunLengthMask& a, const RunLengthMask& b, Visit visit) {
    std::size_t i = 0, j = 0;
    std::uint32_t leftA = 0, leftB = 0;
    bool setA = true, setB = true; // the first count switches to zeros
    while (true) {
        while (leftA == 0 && i < a.counts.size()) {
            leftA = a.counts[i++];
            setA = !setA;
        }
        while (leftB == 0 && j < b.counts.size()) {
            leftB = b.counts[j++];
            setB = !setB;
        }
        const auto length = std::min(leftA, leftB);
        if (length == 0)
            return;
        visit(length, setA, setB);
        leftA -= length;
        leftB -= length;
    }
}

RunLengthMask united(const RunLengthMask& a, const RunLengthMask& b) {
    RunLengthMask result{a.width, a.height, {0}};
    bool isSet = false;
    walk(a, b, [&](std::uint32_t length, bool setA, bool setB) {
        if ((setA || setB) != isSet) {
            isSet = !isSet;
            result.counts.push_back(0);
        }
        result.counts.back() += length;
    });
    return result;
}

} // namespace

std::int64_t intersection(const RunLengthMask& a, const RunLengthMask& b) {
    std::int64_t pixels = 0;
    if (a.width == b.width && a.height == b.height)
        walk(a, b, [&](std::uint32_t length, bool setA, bool setB) { pixels += setA && setB ? length : 0; });
    return pixels;
}

RunLengthMask unionOf(const std::vector<RunLengthMask>& masks) {
    return masks.empty() ? RunLengthMask() : std::accumulate(masks.begin() + 1, masks.end(), masks.front(), united);
}

} // namespace trainyard::masks
