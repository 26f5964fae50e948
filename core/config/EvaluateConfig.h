#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace trainyard {

/// `evaluate.augment.boxes`, `.masks` and `.keypoints`: the further ways in which the network sees an image.
struct ViewsConfig {
    bool flip = false;                ///< mirrored
    std::vector<std::int64_t> scales; ///< other sizes of the network's input: its square's or its shorter side
    std::int64_t maxSize = 4000;      ///< longer side of those at most
    bool scaleFlip = false;           ///< each of those mirrored too
    std::vector<double> aspectRatios; ///< stretched: so many times the width
    bool aspectRatioFlip = false;     ///< each of those mirrored too
    bool isPlain() const { return !flip && scales.empty() && aspectRatios.empty(); }
    bool operator==(const ViewsConfig&) const = default;
};

/// `evaluate.augment`: a network sees each image in several ways, and what it says is combined.
struct AugmentConfig {
    ViewsConfig boxes, masks, keypoints;
    std::string maskAverage = "mean";     ///< mean, max, logit_mean
    std::string keypointAverage = "mean"; ///< mean, max; of heat maps
    bool keypointsBySize = false;         ///< small objects only from enlarged views, large ones from reduced ones
    double smallArea = 32400;             ///< of a small object at most, in pixels of the image file
    bool operator==(const AugmentConfig&) const = default;
};

/// `evaluate`: how a model is scored, and how often it looks at an image.
struct EvaluateConfig {
    std::int64_t batchSize = 0;       ///< 0 is the training batch
    std::int64_t maxSamples = 0;      ///< 0 is all
    std::string voc = "auto";         ///< VOC's average precision beside COCO's: auto (of VOC data), none, area, eleven
    std::string compare = "alphabet"; ///< words: alphabet (every character, case as the alphabet has it), alphanumeric
    std::string lexicon;              ///< words: a file with a word a line, to which readings are corrected
    bool usesLexicons = false;        ///< words: readings are corrected to the sample's own lexicon
    std::int64_t pictures = 8;        ///< samples that an evaluation draws
    std::string picturesOf = "first"; ///< first, wrong
    std::vector<std::string> steps;   ///< words: preprocessing in evaluation
    std::string weights = "raw";      ///< raw, averaged
    AugmentConfig augment;
    std::map<std::string, std::string> expected; ///< metric → "0.364" or "0.364 ± 0.002"
    double expectedRtol = 0.1;                   ///< of a single number: allowed difference by its size
    double expectedAtol = 0.005;                 ///< and beyond that
    double expectedSigmas = 4;                   ///< of a number with a deviation: so many of it
    bool operator==(const EvaluateConfig&) const = default;
};

} // namespace trainyard
