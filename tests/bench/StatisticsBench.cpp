#include "core/solve/ParameterStatistics.h"
#include "tests/bench/Bench.h"
#include "tests/bench/ModelSizes.h"

#include <fmt/core.h>

#include <cmath>

namespace trainyard::bench {
namespace {

/// The same numbers by LibTorch's operators, one pass over memory and more for each.
double statisticsByOperators(const at::Tensor& tensor) {
    const auto isFinite = tensor.isfinite();
    double sum = tensor.norm().item<double>() + tensor.min().item<double>() + tensor.max().item<double>();
    sum += tensor.mean().item<double>() + tensor.std().item<double>();
    sum += double(tensor.count_nonzero().item<std::int64_t>() + isFinite.sum().item<std::int64_t>());
    const auto exponents = tensor.abs().log2_().floor_().add_(40).clamp_(0, 63);
    return sum + at::histc(exponents, 64, 0, 63).sum().item<double>();
}

Comparison compareStatistics(int millions) {
    const auto parameters = parametersOfMillions(millions);
    const auto both = [=](const auto& work) {
        at::NoGradGuard noGrad;
        for (const Parameter& parameter : parameters) {
            work(parameter.value);
            work(parameter.value.grad());
        }
    };
    return {fmt::format("statistics: weights and gradients of {} M parameters", millions),
            {{"LibTorch's operators", [=] { both([](const at::Tensor& t) { statisticsByOperators(t); }); }},
             {"LibTorch's norm alone", [=] { both([](const at::Tensor& t) { t.norm().item<double>(); }); }},
             {"fused pass", [=] { statisticsOf(parameters, 0); }}}};
}

std::vector<Comparison> compare() {
    return {compareStatistics(11), compareStatistics(45)};
}

std::string differing(const at::Tensor& values, const TensorStatistics& own) {
    const auto wide = values.detach().to(at::kCPU, at::kDouble);
    const auto isFar = [](double a, double b) { return std::abs(a - b) > 1e-8 * std::max(1.0, std::abs(b)); };
    if (isFar(own.norm, wide.norm().item<double>()) || isFar(own.mean, wide.mean().item<double>()) ||
        isFar(own.deviation, wide.std(false).item<double>()) || isFar(own.minimum, wide.min().item<double>()) ||
        isFar(own.maximum, wide.max().item<double>()))
        return "The fused pass and LibTorch's operators in float64 see different values.";
    return {};
}

/// The loops, and on a machine with a GPU the kernel, against operators.
std::string check() {
    std::vector<at::Device> devices = {at::kCPU};
    if (at::hasCUDA() && at::detail::getCUDAHooks().getNumGPUs() > 0)
        devices.push_back(at::kCUDA);
    for (const at::Device& device : devices)
        for (const Parameter& parameter : parametersOfMillions(2)) {
            const auto values = parameter.value.detach().to(device);
            if (auto trouble = differing(values, statisticsOf(values)); !trouble.empty())
                return trouble + " Device: " + device.str() + ".";
        }
    return {};
}

const Register kStatistics("statistics", compare, check);

} // namespace
} // namespace trainyard::bench
