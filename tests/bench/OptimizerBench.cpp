#include "core/solve/GradientPipeline.h"
#include "core/solve/Optimizer.h"
#include "tests/bench/Bench.h"
#include "tests/bench/ModelSizes.h"

#include <fmt/core.h>

#include <cmath>

namespace trainyard::bench {
namespace {

/// What torch.optim does without a fused kernel: LibTorch's operators, parameter after parameter.
void stepByOperators(const std::string& optimizer, std::vector<Parameter>& parameters,
                     std::vector<std::vector<at::Tensor>>& state, double rate, int step) {
    at::NoGradGuard noGrad;
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        auto& weight = parameters[i].value;
        const auto decayed = weight.grad().add(weight, 1e-4);
        auto& own = state[i];
        if (optimizer == "sgd") {
            weight.sub_(own[0].mul_(0.9).add_(decayed), rate);
        } else if (optimizer == "adam") {
            own[0].mul_(0.9).add_(decayed, 0.1);
            own[1].mul_(0.999).addcmul_(decayed, decayed, 0.001);
            const auto scale = own[1].sqrt().div_(std::sqrt(1 - std::pow(0.999, step))).add_(1e-8);
            weight.addcdiv_(own[0], scale, -rate / (1 - std::pow(0.9, step)));
        } else {
            own[0].mul_(0.95).addcmul_(decayed, decayed, 0.05);
            const auto delta = own[1].add(1e-8).sqrt_().div_(own[0].add(1e-8).sqrt_()).mul_(decayed);
            own[1].mul_(0.95).addcmul_(delta, delta, 0.05);
            weight.add_(delta, -rate);
        }
    }
}

std::vector<std::vector<at::Tensor>> freshState(const std::vector<Parameter>& parameters) {
    std::vector<std::vector<at::Tensor>> state;
    for (const Parameter& parameter : parameters)
        state.push_back({at::zeros_like(parameter.value.detach()), at::zeros_like(parameter.value.detach())});
    return state;
}

SolveConfig configOf(const std::string& optimizer) {
    SolveConfig config;
    config.optimizer = optimizer;
    config.weightDecay = config.normWeightDecay = config.biasWeightDecay = 1e-4;
    return config;
}

Comparison compareOptimizer(const std::string& optimizer, int millions) {
    auto theirs = std::make_shared<std::vector<Parameter>>(parametersOfMillions(millions));
    auto state = std::make_shared<std::vector<std::vector<at::Tensor>>>(freshState(*theirs));
    const auto ours = std::shared_ptr<Optimizer>(makeOptimizer(configOf(optimizer), parametersOfMillions(millions)));
    auto step = std::make_shared<int>(0);
    return {fmt::format("optimizer: {}, {} M parameters", optimizer, millions),
            {{"LibTorch's operators", [=] { stepByOperators(optimizer, *theirs, *state, 1e-4, ++*step); }},
             {"fused", [=] { ours->step(1e-4); }},
             {"fused, with the norms of the updates", [=] {
                  std::vector<double> norms;
                  ours->step(1e-4, &norms);
              }}}};
}

/// Norm, check, and clipping that always bites.
Comparison comparePipeline(int millions) {
    const auto parameters = parametersOfMillions(millions);
    SolveConfig config;
    config.clipNorm = 1e-3;
    return {fmt::format("gradient pipeline: {} M parameters", millions),
            {{"LibTorch's operators",
              [=] {
                  at::NoGradGuard noGrad;
                  std::vector<at::Tensor> norms;
                  for (const Parameter& parameter : parameters)
                      norms.push_back(parameter.value.grad().norm());
                  const double norm = at::stack(norms).norm().item<double>();
                  for (const Parameter& parameter : parameters)
                      parameter.value.grad().mul_(config.clipNorm / (norm + 1e-6));
              }},
             {"fused", [=] { runGradientPipeline(parameters, config); }}}};
}

std::vector<Comparison> compare() {
    std::vector<Comparison> comparisons;
    for (const int millions : {11, 45})
        for (const char* optimizer : {"sgd", "adam", "adadelta"})
            comparisons.push_back(compareOptimizer(optimizer, millions));
    comparisons.push_back(comparePipeline(11));
    comparisons.push_back(comparePipeline(45));
    return comparisons;
}

std::string check() {
    for (const char* optimizer : {"sgd", "adam", "adadelta"}) {
        auto theirs = parametersOfMillions(1);
        const auto ours = parametersOfMillions(1);
        auto state = freshState(theirs);
        const auto fused = makeOptimizer(configOf(optimizer), ours);
        for (int step = 1; step <= 5; ++step) {
            stepByOperators(optimizer, theirs, state, 0.01, step);
            fused->step(0.01);
        }
        for (std::size_t i = 0; i < ours.size(); ++i)
            if (!at::allclose(ours[i].value, theirs[i].value, 1e-5, 1e-6))
                return fmt::format("{} moves {} elsewhere than LibTorch's operators.", optimizer, ours[i].name);
    }
    return {};
}

const Register kOptimizer("optimizer", compare, check);

} // namespace
} // namespace trainyard::bench
