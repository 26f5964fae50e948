#pragma once

#include "core/base/Cancellation.h"
#include "core/data/Dataset.h"
#include "core/data/PictureHash.h"

#include <functional>
#include <map>

namespace trainyard {

struct InspectionOptions {
    bool decodesImages = false;       ///< opens every image, to find the damaged ones and all sizes
    int threads = 1;                  ///< that decode
    std::int64_t endlessCount = 1000; ///< samples to look at where there is no end
    CancellationToken cancellation;
    std::function<void(std::int64_t done, std::int64_t total)>
        progress; ///< called on the caller's thread; may be empty
};

/// How many values fell into each bin; bin i reaches from edges[i] to edges[i + 1].
struct Distribution {
    std::vector<double> edges;
    std::vector<std::int64_t> counts;
    double smallest = 0, largest = 0, mean = 0;
    std::int64_t total = 0;
};

struct ClassCount {
    std::string name;
    std::int64_t objects = 0, images = 0;
};

/// What is in a dataset and what is wrong with it. A value.
struct Inspection {
    std::string name, format, fingerprint;
    TaskKind task = TaskKind::Detection;
    std::int64_t samples = 0;
    bool isEndless = false, wasCancelled = false;
    // detection
    std::vector<ClassCount> classes;
    std::int64_t objects = 0, crowds = 0, difficult = 0, withPolygons = 0, withMasks = 0, withKeypoints = 0;
    std::int64_t imagesWithoutObjects = 0;
    Distribution boxSizes;   ///< square root of the area, pixels of the file
    Distribution boxAspects; ///< height by width
    // recognition
    std::map<std::string, std::int64_t> characters; ///< how often each occurs
    Distribution lengths;                           ///< characters a transcript
    // images whose size is known
    Distribution widths, heights, imageAspects; ///< aspect: width by height
    std::vector<DataProblem> problems;          ///< found while opening, then while decoding
    std::int64_t decoded = 0, damaged = 0;
    std::vector<PictureHash> pictures; ///< of the images that were decoded

    /// Problems that make an image unusable: missing and damaged ones.
    std::int64_t errors() const;
};

/// Pictures of `b` that look like one of `a`, perhaps the same saved twice: at most 3 of the 64 bits of their hashes
/// differ.
std::vector<DataProblem> similarPictures(const Inspection& a, const Inspection& b);

/// Looks at all of `dataset`. Stops early, with what it has, when cancelled.
Inspection inspectDataset(const Dataset& dataset, const InspectionOptions& options = {});

} // namespace trainyard
