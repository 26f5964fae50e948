#pragma once

#include "core/base/Error.h"
#include "core/interop/WeightFile.h"

#include <array>
#include <string>
#include <utility>
#include <vector>

namespace trainyard {

/// What came of matching a file's tensors with a model's, by names.
struct WeightReport {
    WeightFormat format = WeightFormat::TorchZip;
    std::vector<std::string> matched;                         ///< under the same name
    std::vector<std::pair<std::string, std::string>> renamed; ///< ours, the file's
    std::vector<std::string> derived;     ///< follow from others: statistics beside a fixed scale and offset
    std::vector<std::string> missing;     ///< not in the file: they keep their initial values
    std::vector<std::string> startedAnew; ///< class-dependent ones of another shape: they keep their initial values
    std::vector<std::string> unexpected;  ///< in the file only
    std::int64_t optimiserState = 0;      ///< tensors of an optimiser, which are left out
    bool lacksBoxWeights = false; ///< a Detectron file whose box offsets are scaled as no configuration says any more
    std::vector<std::string> remarks; ///< sentences: what is not quite what it was

    std::int64_t loaded() const { return std::int64_t(matched.size() + renamed.size()); }
};

/// How a network wants its pixels: (value of 0 to 255 - mean) / deviation, channels in this order.
struct PixelScale {
    bool isBgr = false;
    std::array<double, 3> mean = {123.675, 116.28, 103.53}; ///< in the network's order
    std::array<double, 3> deviation = {58.395, 57.12, 57.375};
};

/// What matching must know of the model beside its tensors.
struct MatchOptions {
    std::vector<std::string> classDependent; ///< prefixes, as Model::classDependent
    PixelScale pixels;
    std::vector<double> anchorRatios; ///< of a RetinaNet: its anchors go by ratio, then scale; empty in others
};

struct WeightMatch {
    std::vector<std::pair<at::Tensor, at::Tensor>> copies; ///< target, source of the same shape
    WeightReport report;
    WeightList preserved; ///< of a Detectron file or one of our checkpoints: what the model has no place for
};

/// Finds for each of `targets` (a model's parameters and buffers) the tensor of the file that belongs to it; nothing is
/// changed yet. Names are ours, torchvision's or Detectron's (WeightNames.h). A Detectron file's first convolution is
/// changed to the model's pixels, its RetinaNet outputs to the model's order of anchors. A shape that differs where it
/// does not depend on the classes is a Usage error that names both; so is a file of which nothing fits.
Result<WeightMatch> matchWeights(const WeightList& targets, const WeightFile& file, const MatchOptions& options);

} // namespace trainyard
