#include "core/nn/Initialiser.h"

#include "core/base/Random.h"

#include <ATen/CPUGeneratorImpl.h>
#include <torch/nn/module.h>

#include <cmath>

namespace trainyard {
namespace {

/// FNV-1a, so that the same name gives the same number everywhere.
std::uint64_t numberOf(std::string_view name) {
    std::uint64_t hash = 0xcbf29ce484222325ULL;
    for (const char c : name)
        hash = (hash ^ std::uint8_t(c)) * 0x100000001b3ULL;
    return hash;
}

double valuesAnOutput(const at::Tensor& weight) {
    return double(weight.numel() / weight.size(0));
}
double valuesAnInput(const at::Tensor& weight) {
    return double(weight.numel() / weight.size(1));
}

} // namespace

at::Generator makeGenerator(std::uint64_t seed) {
    return at::make_generator<at::CPUGeneratorImpl>(seed);
}

at::Generator Initialiser::generatorFor(std::string_view name) const {
    return makeGenerator(deriveSeed(m_seed, numberOf(name)));
}

void Initialiser::normal(const at::Tensor& tensor, std::string_view name, double deviation) const {
    const torch::NoGradGuard noGradients;
    tensor.normal_(0, deviation, generatorFor(name));
}

void Initialiser::uniform(const at::Tensor& tensor, std::string_view name, double bound) const {
    const torch::NoGradGuard noGradients;
    tensor.uniform_(-bound, bound, generatorFor(name));
}

void Initialiser::kaimingNormal(const at::Tensor& weight, std::string_view name) const {
    normal(weight, name, std::sqrt(2.0 / valuesAnInput(weight)));
}

void Initialiser::kaimingUniform(const at::Tensor& weight, std::string_view name) const {
    uniform(weight, name, std::sqrt(3.0 / valuesAnOutput(weight)));
}

void fillWith(const at::Tensor& tensor, double value) {
    const torch::NoGradGuard noGradients;
    tensor.fill_(value);
}

} // namespace trainyard
