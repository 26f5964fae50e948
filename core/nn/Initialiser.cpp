#include "core/nn/Initialiser.h"

#include "core/base/Random.h"

#include <ATen/CPUGeneratorImpl.h>
#include <torch/nn/module.h>

#include <fmt/format.h>

#include <cmath>
#include <numbers>
#include <utility>

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
    InitialiserNotes::note(tensor, fmt::format("normal, deviation {:.4g}", deviation));
}

void Initialiser::uniform(const at::Tensor& tensor, std::string_view name, double bound) const {
    const torch::NoGradGuard noGradients;
    tensor.uniform_(-bound, bound, generatorFor(name));
    InitialiserNotes::note(tensor, fmt::format("uniform, bound {:.4g}", bound));
}

void Initialiser::kaimingNormal(const at::Tensor& weight, std::string_view name) const {
    const double deviation = std::sqrt(2.0 / valuesAnInput(weight));
    normal(weight, name, deviation);
    InitialiserNotes::note(weight, fmt::format("kaiming normal, deviation {:.4g}", deviation));
}

void Initialiser::kaimingUniform(const at::Tensor& weight, std::string_view name) const {
    const double bound = std::sqrt(3.0 / valuesAnOutput(weight));
    uniform(weight, name, bound);
    InitialiserNotes::note(weight, fmt::format("kaiming uniform, bound {:.4g}", bound));
}

void Initialiser::varianceScaling(const at::Tensor& weight, std::string_view name, double factor) const {
    const torch::NoGradGuard noGradients;
    const double deviation = std::sqrt(1.3 * factor / valuesAnOutput(weight));
    const double cut = std::erf(std::numbers::sqrt2); // the share of a normal distribution within two deviations
    weight.uniform_(-cut, cut, generatorFor(name)).erfinv_().mul_(std::numbers::sqrt2 * deviation);
    InitialiserNotes::note(weight, fmt::format("variance scaling, deviation {:.4g}", deviation));
}

void Initialiser::glorotUniform(const at::Tensor& weight, std::string_view name) const {
    const double outputs = double(weight.size(0)), inputs = weight.dim() == 1 ? outputs : valuesAnOutput(weight);
    const double bound = std::sqrt(6 / (inputs + outputs));
    uniform(weight, name, bound);
    InitialiserNotes::note(weight, fmt::format("glorot uniform, bound {:.4g}", bound));
}

void Initialiser::orthogonal(const std::vector<at::Tensor>& parts, std::string_view name) const {
    const torch::NoGradGuard noGradients;
    const at::Tensor whole = at::empty_like(at::cat(parts, 1), at::kDouble);
    whole.normal_(0, 1, generatorFor(name));
    const bool isTall = whole.size(0) >= whole.size(1);
    const auto [q, r] = at::linalg_qr(isTall ? whole : whole.t());
    const at::Tensor unique = q * r.diagonal().sign(); // else the values would depend on how QR goes about it
    std::int64_t from = 0;
    for (const at::Tensor& part : parts) {
        part.copy_((isTall ? unique : unique.t()).slice(1, from, from + part.size(1)));
        from += part.size(1);
        InitialiserNotes::note(part, "orthogonal");
    }
}

void fillWith(const at::Tensor& tensor, double value) {
    const torch::NoGradGuard noGradients;
    tensor.fill_(value);
    InitialiserNotes::note(tensor, fmt::format("constant {:g}", value));
}

namespace {
thread_local InitialiserNotes* t_notes = nullptr;
}

InitialiserNotes::InitialiserNotes() : m_outer(std::exchange(t_notes, this)) {}

InitialiserNotes::~InitialiserNotes() {
    t_notes = m_outer;
}

std::string InitialiserNotes::of(const at::Tensor& tensor) const {
    const auto found = m_texts.find(tensor.unsafeGetTensorImpl());
    return found == m_texts.end() ? std::string() : found->second;
}

void InitialiserNotes::note(const at::Tensor& tensor, const std::string& text) {
    if (t_notes)
        t_notes->m_texts[tensor.unsafeGetTensorImpl()] = text;
}

} // namespace trainyard
