#include "core/train/ComputePlan.h"

#include "core/nn/Precision.h"

#include <fmt/format.h>
#include <torch/cuda.h>

#include <algorithm>
#include <sched.h>

namespace trainyard {
namespace {

Result<c10::Device> deviceNamed(const std::string& name) {
    const bool hasGpu = torch::cuda::is_available();
    if (name == "auto")
        return hasGpu ? c10::Device(c10::kCUDA, 0) : c10::Device(c10::kCPU);
    if (name == "cpu")
        return c10::Device(c10::kCPU);
    try {
        const c10::Device device(name);
        if (device.is_cuda() && hasGpu && device.index() < int(torch::cuda::device_count()))
            return device;
    } catch (const c10::Error&) {
        // no device's name: the sentence below says so
    }
    return Error{ErrorKind::Usage, fmt::format("The device \"{}\" is not here.", name), "train.device",
                 "Use train.device=auto or cpu."};
}

} // namespace

int usableCores() {
    cpu_set_t cores;
    CPU_ZERO(&cores);
    return ::sched_getaffinity(0, sizeof(cores), &cores) == 0 ? std::max(1, CPU_COUNT(&cores)) : 1;
}

Result<ComputePlan> planCompute(const RunConfig& config) {
    ComputePlan plan;
    const std::vector<std::string> one = {config.train.device};
    for (const std::string& name : config.train.devices.empty() ? one : config.train.devices) {
        auto device = deviceNamed(name);
        if (!device)
            return device.error();
        plan.devices.push_back(*device);
    }
    const bool isOnCpu = plan.devices.front().is_cpu();
    plan.isBf16 =
        config.train.precision == "bf16" || (config.train.precision == "auto" && isOnCpu &&
                                             defaultPrecision(cpuFeatures()).precision == Precision::BFloat16);
    const int replicas = int(plan.devices.size());
    plan.threads = config.train.threads > 0 ? int(config.train.threads) : std::max(1, usableCores() / replicas);
    return plan;
}

} // namespace trainyard
