#pragma once

#include "core/data/Dataset.h"

#include <cstdint>
#include <vector>

namespace trainyard {

/// How often each image should be shown for every time a common one is: max(1, sqrt(threshold / f)) for its rarest
/// class, f being the share of images that have the class (crowds do not count); 1 without objects.
/// Source: Gupta et al. 2019, "LVIS: A Dataset for Large Vocabulary Instance Segmentation", section B.2.
std::vector<double> repeatFactors(const Dataset& dataset, double threshold);

/// Each index as often as its factor says, in order; what is left over of whole numbers is dealt out evenly, from a
/// start that `seed` decides, so that every total is within one of what the factors add up to.
std::vector<std::int64_t> repeatedIndices(const std::vector<double>& factors, std::uint64_t seed);

} // namespace trainyard
