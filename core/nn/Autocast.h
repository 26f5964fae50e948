#pragma once

#include "core/nn/TorchCompat.h"

namespace trainyard {

/// Turns CPU autocast to bfloat16 on or off for a scope and puts it back afterwards. Around the forward pass only.
/// Thread-local. Weights cast meanwhile are forgotten at the end of a scope that turned it on.
class Autocast {
public:
    explicit Autocast(bool isOn) : m_wasOn(compat::isCpuAutocastOn()), m_isOn(isOn) { compat::setCpuAutocast(isOn); }
    ~Autocast() {
        if (m_isOn && !m_wasOn)
            at::autocast::clear_cache();
        compat::setCpuAutocast(m_wasOn);
    }
    Autocast(const Autocast&) = delete;
    Autocast& operator=(const Autocast&) = delete;

private:
    bool m_wasOn;
    bool m_isOn;
};

} // namespace trainyard
