#pragma once

#include <cstddef>
#include <vector>

namespace trainyard {

/// Which keypoint stands in each place once the picture is mirrored: left and right change places among COCO's 17 of a
/// person (nose, then pairs); of any other number each stays where it is.
inline std::vector<std::size_t> mirroredKeypoints(std::size_t count) {
    std::vector<std::size_t> places(count);
    for (std::size_t i = 0; i < count; ++i)
        places[i] = count != 17 || i == 0 ? i : i % 2 == 1 ? i + 1 : i - 1;
    return places;
}

} // namespace trainyard
