#pragma once

#include "core/data/Image.h"

#include <cstdint>
#include <string>

namespace trainyard {

/// What a picture looks like, in 64 bits: pictures that were only scaled, compressed or brightened differ in few.
struct PictureHash {
    std::string sample; ///< its id
    std::uint64_t bits = 0;
};

/// Whether each of 8 × 8 fields is brighter than the one to its right: the "difference hash" (Krawetz 2013).
std::uint64_t pictureHash(const Image& image);

} // namespace trainyard
