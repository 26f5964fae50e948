#pragma once

#include <optional>
#include <string>
#include <vector>

namespace trainyard {

/// What the configuration inside a Detectron file says of its weights. Detectron's defaults where it says nothing.
struct DetectronFacts {
    bool hasConfig = false;
    bool hasBoxWeights = false; ///< MODEL.BBOX_REG_WEIGHTS; files without it scaled box offsets by their dataset
    std::vector<double> pixelMeans = {102.9801, 115.9465, 122.7717}; ///< blue, green, red
    std::vector<double> anchorRatios = {0.5, 1.0, 2.0};              ///< RETINANET.ASPECT_RATIOS
    int anchorScales = 3;                                            ///< RETINANET.SCALES_PER_OCTAVE
};

/// `yaml` is the text under "cfg", empty where a file has none; text that is no YAML counts as none.
DetectronFacts detectronFacts(const std::string& yaml);

} // namespace trainyard
