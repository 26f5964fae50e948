#pragma once

#include "core/telemetry/StepReport.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace trainyard {

/// A small picture that a model made of its input.
struct NamedPicture {
    std::string name; ///< "RectifiedImage1/0"
    int width = 0, height = 0;
    int channels = 3;                 ///< 1 grey, 3 RGB
    std::vector<std::uint8_t> pixels; ///< row by row, channels together
};

/// What a model shows of itself, on the summary cadence: pictures, and the distributions of values inside it.
struct PictureReport {
    std::int64_t iteration = 0;
    std::vector<NamedPicture> pictures;
    std::vector<std::pair<std::string, TensorStatistics>> values;
};

} // namespace trainyard
