#pragma once

#include "core/base/Error.h"
#include "core/config/RunConfig.h"

#include <string>
#include <vector>

namespace trainyard {

/// What a run computes on, and why. A value.
struct ResolvedDevice {
    std::vector<std::string> devices; ///< one a replica: "cpu", "cuda:0"
    std::string precision;            ///< "fp32", "bf16"
    std::int64_t threads = 1;         ///< compute threads of a replica
    std::vector<std::string> reasons; ///< a sentence for each choice

    /// "CPU, 2 threads, bf16", for the status bar and the run's provenance.
    std::string text() const;
};

/// Settles every `auto` of `train.device`, `train.devices`, `train.precision` and `train.threads` on this machine. A
/// Usage error names a device that is not here.
Result<ResolvedDevice> resolveDevice(const RunConfig& config);

/// `config` with the choices written in, as a run stores it: precision and thread count decide the last digits, so a
/// resumed run must not choose anew.
RunConfig withDevice(RunConfig config, const ResolvedDevice& device);

/// "Intel Xeon …, AMX": another kind computes other last digits.
std::string cpuKind();
/// "LibTorch 1.13.1, OpenCV 4.6.0"
std::string libraryVersions();

/// Something about this machine that decides how training goes.
struct MachineFact {
    std::string name, value, why;
};
/// What `trainyard doctor` tells: devices, libraries, threads, precision, resources.
std::vector<MachineFact> machineFacts();

} // namespace trainyard
