#pragma once

/// The differences between LibTorch 1.13 (Debian 12) and the current 2.x, and nothing else: every other file is
/// written as if there were one LibTorch.

#include <ATen/autocast_mode.h>
#include <torch/version.h>

#define TRAINYARD_TORCH_AT_LEAST(major, minor)                                                                         \
    (TORCH_VERSION_MAJOR > (major) || (TORCH_VERSION_MAJOR == (major) && TORCH_VERSION_MINOR >= (minor)))

namespace trainyard::compat {

/// Whether CPU autocast is on in this thread.
inline bool isCpuAutocastOn() {
#if TRAINYARD_TORCH_AT_LEAST(2, 4)
    return at::autocast::is_autocast_enabled(at::kCPU);
#else
    return at::autocast::is_cpu_enabled();
#endif
}

/// Turns CPU autocast to bfloat16 on or off in this thread.
inline void setCpuAutocast(bool isOn) {
#if TRAINYARD_TORCH_AT_LEAST(2, 4)
    at::autocast::set_autocast_dtype(at::kCPU, at::kBFloat16);
    at::autocast::set_autocast_enabled(at::kCPU, isOn);
#else
    at::autocast::set_autocast_cpu_dtype(at::kBFloat16);
    at::autocast::set_cpu_enabled(isOn);
#endif
}

} // namespace trainyard::compat
