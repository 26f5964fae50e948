#include "core/parallel/Communicator.h"
#include "tests/bench/Bench.h"
#include "tests/bench/ModelSizes.h"

#include <ATen/Parallel.h>
#include <fmt/core.h>

#include <stdexcept>
#include <thread>

namespace trainyard::bench {
namespace {

using Communicators = std::shared_ptr<std::vector<std::unique_ptr<Communicator>>>;

Communicators joined(int count) {
    auto communicators = makeLocalCommunicators(count, "cpu");
    if (!communicators)
        throw std::runtime_error(communicators.error().sentence());
    return std::make_shared<std::vector<std::unique_ptr<Communicator>>>(std::move(*communicators));
}

std::vector<at::Tensor> gradientsOf(const std::vector<Parameter>& parameters, double factor) {
    std::vector<at::Tensor> gradients;
    for (const Parameter& parameter : parameters)
        gradients.push_back(parameter.value.grad() * factor);
    return gradients;
}

void averageEverywhere(const Communicators& communicators, std::vector<std::vector<at::Tensor>>& gradients) {
    std::vector<std::thread> threads;
    for (std::size_t rank = 0; rank < communicators->size(); ++rank)
        threads.emplace_back([&, rank] {
            at::set_num_threads(1);
            (*communicators)[rank]->averageInPlace(gradients[rank]);
        });
    for (std::thread& thread : threads)
        thread.join();
}

Comparison compareReplicas(int millions) {
    const auto communicators = joined(2);
    const auto parameters = parametersOfMillions(millions);
    auto gradients = std::make_shared<std::vector<std::vector<at::Tensor>>>();
    for (const double factor : {1.0, 2.0})
        gradients->push_back(gradientsOf(parameters, factor));
    return {fmt::format("replicas: two on this machine, gradients of {} M parameters", millions),
            {{"a copy of them", [=] { gradientsOf(parameters, 1.0); }},
             {"averaged", [=] { averageEverywhere(communicators, *gradients); }}}};
}

std::vector<Comparison> compare() {
    return {compareReplicas(11), compareReplicas(45)};
}

/// Two ranks with one and three times the gradient: the mean is twice.
std::string check() {
    const auto parameters = parametersOfMillions(2);
    std::vector<std::vector<at::Tensor>> gradients = {gradientsOf(parameters, 1), gradientsOf(parameters, 3)};
    averageEverywhere(joined(2), gradients);
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        const auto mean = parameters[i].value.grad() * 2;
        if (!at::allclose(gradients[0][i], mean, 1e-6, 1e-9) || !at::equal(gradients[0][i], gradients[1][i]))
            return "The mean over two replicas is wrong for " + parameters[i].name + ".";
    }
    return {};
}

const Register kReplicas("replicas", compare, check);

} // namespace
} // namespace trainyard::bench
