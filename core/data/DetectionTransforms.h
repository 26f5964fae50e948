#pragma once

#include "core/data/Transforms.h"

namespace trainyard {

/// Mirrors left and right with the given chance. Keypoints that come in pairs (COCO's 17 of a person) change places.
class HorizontalFlip final : public Transform {
public:
    explicit HorizontalFlip(double chance) : m_chance(chance) {}
    std::string name() const override { return "horizontal flip"; }
    void apply(Sample& sample, Random& random) const override;

private:
    double m_chance;
};

/// Takes a window of the picture, with its aspect: smaller than it for scales above 1, larger (padded) below, at a
/// random place. The last step then brings it to the network's size, so that objects appear scaled and moved.
class RandomWindow final : public Transform {
public:
    RandomWindow(double smallestScale, double largestScale) : m_smallest(smallestScale), m_largest(largestScale) {}
    std::string name() const override { return "random scale and place"; }
    void apply(Sample& sample, Random& random) const override;

private:
    double m_smallest, m_largest;
};

/// Scales the picture to fit a square, keeps its aspect, and pads right and below. A box is a whole number of network
/// pixels only by chance; `info` has the exact way back.
class FitSquare final : public Transform {
public:
    explicit FitSquare(int side) : m_side(side) {}
    std::string name() const override { return "fit into the network's square"; }
    void apply(Sample& sample, Random& random) const override;

private:
    int m_side;
};

} // namespace trainyard
