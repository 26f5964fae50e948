#pragma once

#include "core/data/Transforms.h"

namespace trainyard {

/// Mirrors the picture left and right, and all that is known of it; keypoints change places by the sample's pairs.
/// Twice is as before.
void mirror(Sample& sample);

/// Mirrors with the given chance.
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

/// Scales the picture so that its shorter side is one of `sides`, drawn evenly, or less, so that its longer one is at
/// most `longest`; the aspect stays. Sides are rounded to whole pixels. Source: Detectron's and torchvision's input.
class ScaleShorterSide final : public Transform {
public:
    ScaleShorterSide(std::vector<std::int64_t> sides, std::int64_t longest)
        : m_sides(std::move(sides)), m_longest(longest) {}
    std::string name() const override { return "scale the shorter side"; }
    void apply(Sample& sample, Random& random) const override;

private:
    std::vector<std::int64_t> m_sides;
    std::int64_t m_longest;
};

} // namespace trainyard
