#include "core/train/Replica.h"

#include "core/base/Clock.h"
#include "core/base/Random.h"
#include "core/nn/Autocast.h"
#include "core/nn/Recompute.h"
#include "core/train/GraphWatch.h"

#include <ATen/CPUGeneratorImpl.h>
#include <torch/nn/module.h>

#include <cmath>
#include <optional>

namespace trainyard {
namespace {

at::Generator generatorOf(c10::Device device) {
    return at::globalContext().defaultGenerator(device);
}

/// While it lives, the device's generator has `state`; at the end `state` is where it got to.
class RandomScope {
public:
    RandomScope(std::mutex* door, c10::Device device, at::Tensor& state) : m_state(state) {
        if (!door)
            return;
        m_lock = std::unique_lock(*door);
        m_generator = generatorOf(device);
        m_generator.set_state(state);
    }
    ~RandomScope() {
        if (m_generator.defined())
            m_state = m_generator.get_state();
    }

private:
    at::Tensor& m_state;
    std::unique_lock<std::mutex> m_lock;
    at::Generator m_generator;
};

at::Tensor firstRandomState(std::uint64_t seed, int rank, c10::Device device) {
    at::Generator generator = generatorOf(device).clone();
    generator.set_current_seed(deriveSeed(seed, 0x7265706c, std::uint64_t(rank)));
    return generator.get_state();
}

} // namespace

at::Tensor generatorState(c10::Device device) {
    return generatorOf(device).get_state();
}

Replica::Replica(int rank, c10::Device device, std::shared_ptr<Model> model, const RunConfig& config, bool isBf16,
                 std::unique_ptr<Communicator> communicator)
    : m_rank(rank), m_device(device), m_model(std::move(model)), m_config(config.solve), m_isBf16(isBf16),
      m_isRecomputing(config.train.recompute), m_communicator(std::move(communicator)),
      m_randomState(firstRandomState(config.seed, rank, device)) {
    m_model->to(device);
    m_model->train();
    m_parameters = parametersOf(*m_model, m_config);
    m_optimizer = makeOptimizer(m_config, m_parameters);
}

Replica::PartResult Replica::accumulate(const Batch& part, double share, std::mutex* randomDoor, bool isWatched) {
    PartResult result;
    const double start = steadySeconds();
    const Batch batch = part.to(m_device);
    Model::Losses losses;
    {
        const RandomScope random(randomDoor, m_device, m_randomState);
        const Autocast autocast(m_isBf16);
        const RecomputeScope recompute(m_isRecomputing);
        std::optional<GraphWatch> watch;
        if (isWatched)
            watch.emplace(state());
        losses = m_model->losses(batch);
        if (watch)
            m_watchedCalls = watch->take();
        result.metrics = m_model->metrics();
    }
    torch::Tensor total;
    for (const auto& [name, loss] : losses) {
        total = total.defined() ? total + loss : loss;
        result.losses.emplace_back(name, loss.item<double>());
        result.isFinite = result.isFinite && std::isfinite(result.losses.back().second);
    }
    const double between = steadySeconds();
    result.forwardSeconds = between - start;
    if (!result.isFinite || !total.defined())
        return result;
    (share == 1.0 ? total : total * share).backward();
    result.backwardSeconds = steadySeconds() - between;
    return result;
}

Model::Summary Replica::summarise(const Batch& part) {
    const torch::NoGradGuard noGradients;
    const Autocast autocast(m_isBf16);
    m_model->eval();
    auto summary = m_model->summary(part.to(m_device));
    m_model->train();
    return summary;
}

void Replica::clearGradients() {
    for (const Parameter& parameter : m_parameters)
        parameter.value.mutable_grad().reset();
}

std::vector<bool> Replica::gradientPresence() const {
    std::vector<bool> presence;
    for (const Parameter& parameter : m_parameters)
        presence.push_back(parameter.value.grad().defined());
    return presence;
}

void Replica::fillGradients(const std::vector<bool>& wanted) {
    for (std::size_t i = 0; i < m_parameters.size(); ++i)
        if (wanted[i] && !m_parameters[i].value.grad().defined())
            m_parameters[i].value.mutable_grad() = torch::zeros_like(m_parameters[i].value);
}

void Replica::average() {
    std::vector<at::Tensor> tensors = floatBuffers();
    for (const Parameter& parameter : m_parameters)
        if (parameter.value.grad().defined())
            tensors.push_back(parameter.value.grad());
    const torch::NoGradGuard noGradients;
    m_communicator->averageInPlace(tensors);
}

void Replica::remember() {
    m_rememberedBuffers.clear();
    for (const at::Tensor& buffer : m_model->buffers())
        m_rememberedBuffers.push_back(buffer.clone());
    m_rememberedRandomState = m_randomState.clone();
}

void Replica::restoreBuffers() {
    const torch::NoGradGuard noGradients;
    const std::vector<at::Tensor> buffers = m_model->buffers();
    for (std::size_t i = 0; i < m_rememberedBuffers.size(); ++i)
        buffers[i].copy_(m_rememberedBuffers[i]);
}

void Replica::restoreAll() {
    restoreBuffers();
    setRandomState(m_rememberedRandomState);
}

void Replica::takeFirstValues() {
    std::vector<at::Tensor> tensors;
    for (const auto& [name, tensor] : state())
        tensors.push_back(tensor.detach());
    const torch::NoGradGuard noGradients;
    m_communicator->broadcastFromFirst(tensors);
}

NamedTensors Replica::state() const {
    NamedTensors tensors;
    for (const auto& parameter : m_model->named_parameters())
        tensors.emplace_back(parameter.key(), parameter.value());
    for (const auto& buffer : m_model->named_buffers())
        tensors.emplace_back(buffer.key(), buffer.value());
    return tensors;
}

std::vector<std::string> Replica::nonFiniteWeights() const {
    std::vector<std::string> names;
    for (const Parameter& parameter : m_parameters)
        if (!torch::isfinite(parameter.value.detach()).all().item<bool>())
            names.push_back(parameter.name);
    return names;
}

std::vector<at::Tensor> Replica::floatBuffers() const {
    std::vector<at::Tensor> buffers;
    for (const at::Tensor& buffer : m_model->buffers())
        if (buffer.is_floating_point())
            buffers.push_back(buffer);
    return buffers;
}

} // namespace trainyard
