#include "core/interop/DetectronValues.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>

namespace trainyard {

at::Tensor firstConvolution(const at::Tensor& weight, const DetectronFacts& facts, const PixelScale& pixels,
                            at::Tensor& offset) {
    offset = at::zeros({weight.size(0)}, at::kDouble);
    if (weight.dim() != 4 || weight.size(1) != 3)
        return weight;
    const at::Tensor theirs = weight.to(at::kDouble);
    at::Tensor ours = at::empty_like(theirs);
    for (std::int64_t channel = 0; channel < 3; ++channel) {
        const std::int64_t there = pixels.isBgr ? channel : 2 - channel; // blue, green, red
        const at::Tensor plane = theirs.select(1, there);
        ours.select(1, channel).copy_(plane * pixels.deviation[std::size_t(channel)]);
        offset += plane.sum({1, 2}) * (pixels.mean[std::size_t(channel)] - facts.pixelMeans[std::size_t(there)]);
    }
    return ours.to(weight.scalar_type());
}

at::Tensor anchorRows(const at::Tensor& values, const DetectronFacts& facts, const std::vector<double>& ratios) {
    std::vector<std::int64_t> places; // where each of our ratios stands among theirs
    for (const double ratio : ratios) {
        const auto found = std::find_if(facts.anchorRatios.begin(), facts.anchorRatios.end(),
                                        [&](double theirs) { return std::abs(theirs - ratio) < 1e-6; });
        if (found != facts.anchorRatios.end())
            places.push_back(found - facts.anchorRatios.begin());
    }
    const std::int64_t count = std::int64_t(facts.anchorRatios.size()), anchors = count * facts.anchorScales;
    if (places.size() != ratios.size() || std::int64_t(places.size()) != count || facts.anchorScales < 1 ||
        values.dim() < 1 || values.size(0) % anchors != 0)
        return values;
    std::vector<std::int64_t> shape = values.sizes().vec();
    shape.erase(shape.begin());
    shape.insert(shape.begin(), {facts.anchorScales, count, values.size(0) / anchors});
    return values.reshape(shape)
        .index_select(1, at::tensor(places, at::kLong))
        .transpose(0, 1)
        .reshape(values.sizes())
        .contiguous();
}

} // namespace trainyard
