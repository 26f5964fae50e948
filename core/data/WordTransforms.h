#pragma once

#include "core/data/Transforms.h"

namespace trainyard {

/// Moves each corner of a word's crop by up to `corner` of its smaller side (in and out: a jittered crop, a little
/// perspective) and turns it by up to `degrees`. What lies outside repeats the border.
class CropJitter final : public Transform {
public:
    CropJitter(double corner, double degrees) : m_corner(corner), m_degrees(degrees) {}
    std::string name() const override { return "crop, perspective, rotation"; }
    void apply(Sample& sample, Random& random) const override;

private:
    double m_corner, m_degrees;
};

/// Scales a word to the network's size as a whole, its aspect not kept (Shi et al. 2015), grey or colour. Where the
/// width is variable, only to its height: the width follows, in whole steps of four pixels, up to the network's. Tall
/// crops are scaled as they stand: whether they are turned or written downwards is not known.
class ResizeWord final : public Transform {
public:
    ResizeWord(int width, int height, int channels, bool isVariable = false)
        : m_width(width), m_height(height), m_channels(channels), m_isVariable(isVariable) {}
    std::string name() const override { return "scale to the network's size"; }
    void apply(Sample& sample, Random& random) const override;

private:
    int widthFor(int oldWidth, int oldHeight) const;

    int m_width, m_height, m_channels;
    bool m_isVariable;
};

} // namespace trainyard
