#include "core/solve/WeightAverage.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <map>

namespace trainyard {

WeightAverage::WeightAverage(double decay, bool warmsUp, const std::vector<Parameter>& parameters)
    : m_decay(decay), m_warmsUp(warmsUp) {
    for (const Parameter& parameter : parameters)
        if (!parameter.isFrozen)
            m_slots.push_back({parameter.name, parameter.value, parameter.value.detach().clone()});
}

void WeightAverage::follow(std::int64_t updates) {
    const at::NoGradGuard noGradients;
    const double young = double(1 + updates) / double(10 + updates);
    const double decay = m_warmsUp ? std::min(m_decay, young) : m_decay;
    for (Slot& slot : m_slots)
        if (slot.weight.grad().defined())
            slot.average.lerp_(slot.weight.detach(), 1 - decay);
}

NamedTensors WeightAverage::state() const {
    NamedTensors named;
    for (const Slot& slot : m_slots)
        named.emplace_back(slot.name, slot.average);
    return named;
}

Result<void> WeightAverage::setState(const NamedTensors& state) {
    const at::NoGradGuard noGradients;
    const std::map<std::string, at::Tensor> given(state.begin(), state.end());
    for (const Slot& slot : m_slots) {
        const auto found = given.find(slot.name);
        if (found != given.end() && found->second.sizes() == slot.average.sizes())
            continue;
        return Error{ErrorKind::Damaged,
                     found == given.end()
                         ? "The averaged weights lack \"" + slot.name + "\"."
                         : "The averaged weights have another shape for \"" + slot.name + "\" than the model.",
                     {},
                     "Resume with the model that the checkpoint was written with."};
    }
    for (Slot& slot : m_slots)
        slot.average.copy_(given.at(slot.name));
    return {};
}

void WeightAverage::exchange() {
    const at::NoGradGuard noGradients;
    for (Slot& slot : m_slots) {
        const at::Tensor weight = slot.weight.detach();
        const at::Tensor kept = weight.clone();
        weight.copy_(slot.average);
        slot.average.copy_(kept);
    }
}

} // namespace trainyard
