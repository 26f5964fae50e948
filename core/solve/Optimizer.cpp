#include "core/solve/Optimizer.h"

#include "core/solve/LearningRatePolicy.h"
#include "core/solve/MemoryChunks.h"
#include "core/solve/UpdateRule.h"

#include <ATen/ATen.h>

#include <cmath>
#include <map>

namespace trainyard {
namespace {

/// One parameter that is trained, and what the rule remembers of it.
struct Slot {
    Parameter parameter;
    std::size_t index = 0; ///< among all parameters
    double decay = 0;
    std::vector<at::Tensor> state; ///< laid out like the parameter

    bool isPlain() const {
        return isPlainMemory(parameter.value) &&
               std::all_of(state.begin(), state.end(), [](const at::Tensor& t) { return isPlainMemory(t); });
    }
};

/// A slot in this update: plain memory, with the gradient in the parameter's layout.
struct PlainJob {
    const Slot* slot;
    at::Tensor gradient;
    UpdateRule::Terms terms;

    UpdateSpan span(const MemoryChunk& chunk) const {
        UpdateSpan span{slot->parameter.value.data_ptr<float>() + chunk.begin,
                        gradient.data_ptr<float>() + chunk.begin,
                        {},
                        chunk.end - chunk.begin};
        for (std::size_t i = 0; i < slot->state.size(); ++i)
            span.state[i] = slot->state[i].data_ptr<float>() + chunk.begin;
        return span;
    }
};

class RuleOptimizer final : public Optimizer {
public:
    RuleOptimizer(const SolveConfig& config, std::vector<Parameter> parameters)
        : m_rule(makeUpdateRule(config)), m_stateNames(m_rule->stateNames()), m_count(parameters.size()),
          m_steps(at::zeros({std::int64_t(parameters.size())}, at::kLong)),
          m_rescaleRatio(config.rateInMomentum && !m_stateNames.empty() ? config.momentumRescale : 0.0),
          m_lastRate(at::zeros({1}, at::kDouble)) {
        for (std::size_t i = 0; i < parameters.size(); ++i) {
            if (parameters[i].isFrozen)
                continue;
            Slot slot{parameters[i], i, decayOf(parameters[i], config), {}};
            for (std::size_t k = 0; k < m_stateNames.size(); ++k)
                slot.state.push_back(at::full_like(slot.parameter.value.detach(), m_rule->firstValue(k)));
            m_slots.push_back(std::move(slot));
        }
    }

    void step(double rate, std::vector<double>* updateNorms) override {
        at::NoGradGuard noGrad;
        followRate(rate);
        std::vector<double> norms(m_count, 0.0);
        std::vector<PlainJob> jobs;
        auto* steps = m_steps.data_ptr<std::int64_t>();
        for (Slot& slot : m_slots) {
            const at::Tensor gradient = slot.parameter.value.grad();
            if (!gradient.defined())
                continue;
            const UpdateRule::Terms terms{rate, slot.decay, ++steps[slot.index]};
            if (slot.isPlain())
                jobs.push_back({&slot, laidOutLike(gradient, slot.parameter.value), terms});
            else
                norms[slot.index] = updateByOperators(slot, gradient, terms, updateNorms != nullptr);
        }
        updatePlain(jobs, norms);
        if (updateNorms)
            *updateNorms = std::move(norms);
    }

    NamedTensors state() const override {
        NamedTensors named{{"step", m_steps}};
        if (m_rescaleRatio > 0)
            named.emplace_back("rate", m_lastRate);
        for (const Slot& slot : m_slots)
            for (std::size_t i = 0; i < slot.state.size(); ++i)
                named.emplace_back(slot.parameter.name + "." + m_stateNames[i], slot.state[i]);
        return named;
    }

    Result<void> setState(const NamedTensors& state) override {
        at::NoGradGuard noGrad;
        const auto own = this->state();
        const std::map<std::string, at::Tensor> given(state.begin(), state.end());
        for (const auto& [name, tensor] : own) {
            const auto found = given.find(name);
            if (found == given.end())
                return mismatch("The state of the optimiser lacks \"" + name + "\".");
            if (found->second.sizes() != tensor.sizes())
                return mismatch("The state of the optimiser has another shape for \"" + name + "\" than the model.");
        }
        if (given.size() != own.size())
            return mismatch("The state of the optimiser holds " + std::to_string(given.size()) +
                            " tensors where this one has " + std::to_string(own.size()) + ".");
        for (const auto& [name, tensor] : own)
            tensor.copy_(given.at(name));
        return {};
    }

private:
    static Error mismatch(const std::string& what) {
        return {ErrorKind::Damaged,
                what,
                {},
                "Resume with the model and the optimiser that the checkpoint was written with."};
    }

    /// A velocity made of steps at another rate is brought to this one where the two differ enough. The rate is part of
    /// the state, so that a resume on the very iteration of a drop scales as an uninterrupted run does.
    void followRate(double rate) {
        if (m_rescaleRatio <= 0)
            return;
        double& last = *m_lastRate.data_ptr<double>();
        constexpr double kNothing = 1e-7; // below it a rate is taken for none
        if (last > kNothing && rate != last && rateRatio(last, rate) > m_rescaleRatio)
            for (Slot& slot : m_slots)
                slot.state[0].mul_(rate / last);
        last = rate;
    }

    void updatePlain(const std::vector<PlainJob>& jobs, std::vector<double>& norms) const {
        std::vector<std::int64_t> sizes;
        for (const PlainJob& job : jobs) {
            sizes.push_back(job.slot->parameter.value.numel());
            job.slot->parameter.value.unsafeGetTensorImpl()->bump_version(); // changed behind autograd's back
        }
        const auto chunks = cutIntoChunks(sizes);
        std::vector<double> squares(chunks.size());
        forEachChunk(chunks, [&](std::size_t i) {
            const PlainJob& job = jobs[chunks[i].tensor];
            squares[i] = m_rule->updateSpan(job.span(chunks[i]), job.terms);
        });
        for (std::size_t i = 0; i < chunks.size(); ++i)
            norms[jobs[chunks[i].tensor].slot->index] += squares[i];
        for (const PlainJob& job : jobs)
            norms[job.slot->index] = std::sqrt(norms[job.slot->index]);
    }

    double updateByOperators(Slot& slot, const at::Tensor& gradient, const UpdateRule::Terms& terms, bool wantsNorm) {
        const at::Tensor& weight = slot.parameter.value;
        const auto decayed = terms.decay == 0 ? gradient : gradient.add(weight, terms.decay);
        const auto update = m_rule->update(decayed, slot.state, terms);
        weight.detach().sub_(update);
        return wantsNorm ? update.norm().item<double>() : 0.0;
    }

    std::unique_ptr<UpdateRule> m_rule;
    std::vector<std::string> m_stateNames;
    std::size_t m_count;
    std::vector<Slot> m_slots;
    at::Tensor m_steps;
    double m_rescaleRatio; ///< 0: the velocity does not follow the rate
    at::Tensor m_lastRate;
};

} // namespace

std::unique_ptr<Optimizer> makeOptimizer(const SolveConfig& config, std::vector<Parameter> parameters) {
    return std::make_unique<RuleOptimizer>(config, std::move(parameters));
}

} // namespace trainyard
