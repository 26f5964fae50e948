#include "core/data/RepeatFactors.h"

#include "core/base/Random.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace trainyard {
namespace {

std::set<int> labelsOf(const SampleInfo& info) {
    std::set<int> labels;
    for (const ObjectAnnotation& object : info.objects)
        if (!object.isCrowd)
            labels.insert(object.label);
    return labels;
}

} // namespace

std::vector<double> repeatFactors(const Dataset& dataset, double threshold) {
    std::vector<std::set<int>> labels;
    std::vector<std::int64_t> images(dataset.classes().size(), 0);
    for (std::int64_t i = 0; i < dataset.size(); ++i) {
        labels.push_back(labelsOf(dataset.info(i)));
        for (const int label : labels.back())
            ++images.at(std::size_t(label));
    }
    std::vector<double> factors;
    for (const std::set<int>& some : labels) {
        double factor = 1;
        for (const int label : some) {
            const double share = double(images[std::size_t(label)]) / double(dataset.size());
            factor = std::max(factor, std::sqrt(threshold / share));
        }
        factors.push_back(factor);
    }
    return factors;
}

std::vector<std::int64_t> repeatedIndices(const std::vector<double>& factors, std::uint64_t seed) {
    std::vector<std::int64_t> indices;
    double sum = Random(deriveSeed(seed, 0x726570656174)).uniform(); // "repeat"
    for (std::size_t i = 0; i < factors.size(); ++i) {
        const double before = std::floor(sum);
        sum += factors[i];
        for (double copy = before; copy < std::floor(sum); ++copy)
            indices.push_back(std::int64_t(i));
    }
    return indices;
}

} // namespace trainyard
