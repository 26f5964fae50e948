#pragma once

/// Where regions of interest look, along one axis. The one place that both the CPU's and the GPU's code read, so that
/// they cannot differ; neither knows LibTorch.

#include <cmath>

#if defined(__CUDACC__)
#define TRAINYARD_HOST_DEVICE __host__ __device__
#else
#define TRAINYARD_HOST_DEVICE
#endif

namespace trainyard::roi {

inline constexpr int kMostSamples = 4096; ///< of a bin along an axis; more than any image of ours is wide

/// Two neighbouring cells and how much each counts at a place between them; none outside the map.
template <class Real>
struct Neighbours {
    int low = 0, high = 0;
    Real lowShare = 0, highShare = 0;

    /// A place up to one cell outside a map of `length` cells still sees its border.
    TRAINYARD_HOST_DEVICE Neighbours(Real place, int length) {
        if (!(place >= Real(-1) && place <= Real(length)))
            return;
        if (place < Real(0))
            place = Real(0);
        low = int(place);
        if (low >= length - 1) {
            low = high = length - 1;
            lowShare = Real(1);
            return;
        }
        high = low + 1;
        highShare = place - Real(low);
        lowShare = Real(1) - highShare;
    }
};

/// RoIAlign along one axis. Source: He et al. 2017, "Mask R-CNN"; `isAligned` is the later shift by half a pixel.
template <class Real>
struct AlignAxis {
    Real start, bin;
    int samples; ///< a bin

    TRAINYARD_HOST_DEVICE AlignAxis(Real low, Real high, Real scale, bool isAligned, int bins, int wantedSamples) {
        const Real shift = isAligned ? Real(0.5) : Real(0);
        start = low * scale - shift;
        Real size = high * scale - shift - start;
        if (!isAligned && size < Real(1))
            size = Real(1);
        bin = size / Real(bins);
        const Real natural = std::ceil(size / Real(bins));
        samples = wantedSamples > 0              ? wantedSamples
                  : !(natural > Real(0))         ? 0
                  : natural > Real(kMostSamples) ? kMostSamples
                                                 : int(natural);
    }
    TRAINYARD_HOST_DEVICE Real place(int index, int sample) const {
        return start + Real(index) * bin + (Real(sample) + Real(0.5)) * bin / Real(samples);
    }
};

/// The cells [begin, end) of each bin along one axis, for the poolings.
template <class Real>
struct PoolAxis {
    int whole = 0; ///< cells before the region
    Real rest = 0; ///< what is not whole of them
    Real bin = 0;
    int last = 0; ///< cells are cut off here

    TRAINYARD_HOST_DEVICE int begin(int index) const { return cut(std::floor(Real(index) * bin + rest)); }
    TRAINYARD_HOST_DEVICE int end(int index) const { return cut(std::ceil(Real(index + 1) * bin + rest)); }

    /// RoIPool: corners are rounded and belong to the region. Source: Girshick 2015, "Fast R-CNN".
    TRAINYARD_HOST_DEVICE static PoolAxis roundedCorners(Real low, Real high, Real scale, int bins, int length) {
        return between(std::round(low * scale), std::round(high * scale) + Real(1), bins, length);
    }
    /// Position-sensitive pooling as torchvision does it: the right corner is left out, and so is the map's last cell.
    TRAINYARD_HOST_DEVICE static PoolAxis halfOpen(Real low, Real high, Real scale, int bins, int length) {
        return between(std::round(low * scale), std::round(high * scale), bins, length - 1);
    }
    /// Position-sensitive pooling as R-FCN and Detectron do it: corners are rounded before they are scaled.
    TRAINYARD_HOST_DEVICE static PoolAxis scaledAfterRounding(Real low, Real high, Real scale, int bins, int length) {
        PoolAxis axis;
        axis.rest = std::round(low) * scale;
        const Real size = (std::round(high) + Real(1)) * scale - axis.rest;
        axis.bin = (size > Real(0.1) ? size : Real(0.1)) / Real(bins);
        axis.last = length;
        return axis;
    }

private:
    TRAINYARD_HOST_DEVICE static PoolAxis between(Real begin, Real end, int bins, int last) {
        constexpr Real kFar = Real(1 << 28); // beyond any map, and still a whole number
        PoolAxis axis;
        axis.whole = begin > kFar ? int(kFar) : begin < -kFar ? -int(kFar) : int(begin);
        axis.bin = (end - begin > Real(1) ? end - begin : Real(1)) / Real(bins);
        axis.last = last;
        return axis;
    }
    TRAINYARD_HOST_DEVICE int cut(Real cell) const {
        const Real place = cell + Real(whole);
        return place < Real(0) ? 0 : place > Real(last) ? last : int(place);
    }
};

} // namespace trainyard::roi
