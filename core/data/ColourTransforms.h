#pragma once

#include "core/data/Transforms.h"

namespace trainyard {

/// Changes brightness, contrast (around the picture's mean) and saturation, each by a random factor within 1 ± its
/// amount. Of a grey picture the saturation stays.
class ColourJitter final : public Transform {
public:
    ColourJitter(double brightness, double contrast, double saturation)
        : m_brightness(brightness), m_contrast(contrast), m_saturation(saturation) {}
    std::string name() const override { return "brightness, contrast, saturation"; }
    void apply(Sample& sample, Random& random) const override;

private:
    double m_brightness, m_contrast, m_saturation;
};

/// A Gaussian blur of up to `largest` pixels.
class RandomBlur final : public Transform {
public:
    explicit RandomBlur(double largest) : m_largest(largest) {}
    std::string name() const override { return "blur"; }
    void apply(Sample& sample, Random& random) const override;

private:
    double m_largest;
};

/// Normal noise on every value, its standard deviation up to `largest` of the full range.
class RandomNoise final : public Transform {
public:
    explicit RandomNoise(double largest) : m_largest(largest) {}
    std::string name() const override { return "noise"; }
    void apply(Sample& sample, Random& random) const override;

private:
    double m_largest;
};

} // namespace trainyard
