#include "core/data/HueSaturation.h"

#include <algorithm>
#include <cmath>

namespace trainyard {
namespace {

/// A colour of the hexagonal cone: hue in sixths of the circle, saturation, value. Source: Smith 1978, "Color Gamut
/// Transform Pairs".
struct Hsv {
    float hue = 0, saturation = 0, value = 0;
};

Hsv fromRgb(const float* rgb) {
    const float most = std::max({rgb[0], rgb[1], rgb[2]}), least = std::min({rgb[0], rgb[1], rgb[2]});
    const float range = most - least;
    if (most <= 0 || range <= 0)
        return {0, 0, most};
    float hue = 0;
    if (most == rgb[0])
        hue = (rgb[1] - rgb[2]) / range;
    else if (most == rgb[1])
        hue = 2 + (rgb[2] - rgb[0]) / range;
    else
        hue = 4 + (rgb[0] - rgb[1]) / range;
    return {hue < 0 ? hue + 6 : hue, range / most, most};
}

void toRgb(const Hsv& colour, float* rgb) {
    const float chroma = colour.saturation * colour.value, least = colour.value - chroma;
    for (int c = 0; c < 3; ++c) { // red is highest at 0, green at 2, blue at 4
        const float away = std::abs(std::fmod(colour.hue - 2 * float(c) + 9, 6.F) - 3);
        rgb[c] = least + chroma * std::clamp(2 - away, 0.F, 1.F);
    }
}

template <class Change>
void changeColours(cv::Mat& numbers, const Change& change) {
    if (numbers.channels() != 3)
        return;
    for (int y = 0; y < numbers.rows; ++y) {
        auto* pixel = numbers.ptr<float>(y);
        for (int x = 0; x < numbers.cols; ++x, pixel += 3) {
            Hsv colour = fromRgb(pixel);
            change(colour);
            toRgb(colour, pixel);
        }
    }
}

} // namespace

void shiftHue(cv::Mat& numbers, double share) {
    const auto turn = float(6 * (share - std::floor(share)));
    changeColours(numbers, [turn](Hsv& colour) { colour.hue = std::fmod(colour.hue + turn, 6.F); });
}

void scaleSaturation(cv::Mat& numbers, double factor) {
    changeColours(numbers, [factor](Hsv& colour) {
        colour.saturation = std::clamp(colour.saturation * float(factor), 0.F, 1.F);
    });
}

} // namespace trainyard
