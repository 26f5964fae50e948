#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace trainyard {

/// 8-bit pixels, row by row, `channels` values a pixel (1 grey, 3 red green blue), no padding. A value.
struct Image {
    int width = 0, height = 0, channels = 0;
    std::vector<std::uint8_t> pixels;

    bool isEmpty() const { return pixels.empty(); }
    std::uint8_t* row(int y) { return pixels.data() + std::size_t(y) * std::size_t(width) * std::size_t(channels); }
    const std::uint8_t* row(int y) const {
        return pixels.data() + std::size_t(y) * std::size_t(width) * std::size_t(channels);
    }
};

} // namespace trainyard
