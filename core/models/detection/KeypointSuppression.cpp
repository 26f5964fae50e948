#include "core/models/detection/KeypointSuppression.h"

#include "core/telemetry/KeypointSigmas.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace trainyard {
namespace {

/// How much the keypoints of `other` are those of `better`, from 0 to 1.
double keypointLikeness(const Detection& better, const Detection& other) {
    const std::size_t count = std::min(better.keypoints.size(), other.keypoints.size());
    if (count == 0)
        return 0;
    const std::vector<double> sigmas = keypointSigmas(count);
    const double area = better.box.area() + std::numeric_limits<double>::epsilon();
    double sum = 0;
    for (std::size_t k = 0; k < count; ++k) {
        const double dx = double(better.keypoints[k].at.x) - double(other.keypoints[k].at.x);
        const double dy = double(better.keypoints[k].at.y) - double(other.keypoints[k].at.y);
        const double variance = 4 * sigmas[k] * sigmas[k];
        sum += std::exp(-(dx * dx + dy * dy) / variance / area / 2);
    }
    return sum / double(count);
}

} // namespace

void suppressAlikeKeypoints(std::vector<Detection>& found, const std::vector<double>& clarity, double mostAlike) {
    if (mostAlike <= 0)
        return;
    std::vector<std::size_t> order(found.size());
    std::iota(order.begin(), order.end(), std::size_t(0));
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) { return clarity[a] > clarity[b]; });
    std::vector<std::size_t> kept;
    for (const std::size_t one : order)
        if (std::none_of(kept.begin(), kept.end(), [&](std::size_t better) {
                return found[better].label == found[one].label &&
                       keypointLikeness(found[better], found[one]) > mostAlike;
            }))
            kept.push_back(one);
    std::sort(kept.begin(), kept.end());
    std::vector<Detection> left;
    for (const std::size_t one : kept)
        left.push_back(std::move(found[one]));
    found = std::move(left);
}

std::vector<double> keypointClarity(const at::Tensor& places) {
    const at::Tensor means = places.select(2, 2).mean(1).to(at::kDouble).contiguous();
    return {means.data_ptr<double>(), means.data_ptr<double>() + means.numel()};
}

} // namespace trainyard
