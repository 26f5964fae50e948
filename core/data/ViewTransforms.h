#pragma once

#include "core/data/Transforms.h"

namespace trainyard {

// How a network is shown an image a second time, to combine what it says of both. They come first in a chain.

/// Mirrors the picture and tells nobody: by `info` it is of the mirrored image file (a tile, its place there), and so
/// is what is found in it.
class MirroredView final : public Transform {
public:
    std::string name() const override { return "mirrored view"; }
    void apply(Sample& sample, Random& random) const override;
};

/// So many times as wide at the same height; `info` has the way back.
class StretchedView final : public Transform {
public:
    explicit StretchedView(double ratio) : m_ratio(ratio) {}
    std::string name() const override { return "stretched view"; }
    void apply(Sample& sample, Random& random) const override;

private:
    double m_ratio;
};

} // namespace trainyard
