#include "app/engine/Machine.h"

#include "core/config/ConfigFile.h"
#include "core/nn/Precision.h"
#include "core/train/ComputePlan.h"

#include <fmt/format.h>
#include <opencv2/core/version.hpp>
#include <torch/cuda.h>
#include <torch/version.h>

namespace trainyard {

namespace {
std::int64_t cudaDevices() {
    return torch::cuda::is_available() ? std::int64_t(torch::cuda::device_count()) : 0;
}

std::string threadCount(std::int64_t threads) {
    return fmt::format("{} {}", threads, threads == 1 ? "thread" : "threads");
}
} // namespace

std::string ResolvedDevice::text() const {
    std::string names;
    for (const std::string& device : devices)
        names += (names.empty() ? "" : " + ") + (device == "cpu" ? std::string("CPU") : device);
    return fmt::format("{}, {}, {}", names, threadCount(threads), precision);
}

Result<ResolvedDevice> resolveDevice(const RunConfig& config) {
    const auto plan = planCompute(config);
    if (!plan)
        return plan.error();
    ResolvedDevice resolved;
    for (const c10::Device& device : plan->devices)
        resolved.devices.push_back(device.str());
    if (config.train.device == "auto" && config.train.devices.empty())
        resolved.reasons.emplace_back(plan->devices.front().is_cpu() ? "The CPU, because no GPU is usable."
                                                                     : "The first GPU, because there is one.");
    resolved.precision = plan->isBf16 ? "bf16" : "fp32";
    if (config.train.precision == "auto")
        resolved.reasons.push_back(resolved.precision + ": " +
                                   (plan->devices.front().is_cpu() ? defaultPrecision(cpuFeatures()).reason
                                                                   : "Other precisions are for the asking on a GPU."));
    resolved.threads = plan->threads;
    if (config.train.threads <= 0)
        resolved.reasons.push_back(
            resolved.devices.size() == 1
                ? fmt::format("{}: every core that this process may use.", threadCount(plan->threads))
                : fmt::format("{} a replica: {} cores over {} replicas.", threadCount(plan->threads), usableCores(),
                              resolved.devices.size()));
    return resolved;
}

RunConfig withDevice(RunConfig config, const ResolvedDevice& device) {
    config.train.device = device.devices.front();
    config.train.devices = device.devices.size() > 1 ? device.devices : std::vector<std::string>{};
    config.train.precision = device.precision;
    config.train.threads = device.threads;
    return config;
}

std::string cpuKind() {
    const CpuFeatures features = cpuFeatures();
    const char* units = features.hasBf16Matrix ? "AMX"
                        : features.hasBf16Dot  ? "AVX-512 BF16"
                        : features.hasAvx512   ? "AVX-512"
                                               : "";
    return (features.model.empty() ? "unknown CPU" : features.model) + (*units ? std::string(", ") + units : "");
}

std::string libraryVersions() {
    return fmt::format("LibTorch {}.{}.{}, OpenCV {}", TORCH_VERSION_MAJOR, TORCH_VERSION_MINOR, TORCH_VERSION_PATCH,
                       CV_VERSION);
}

std::vector<MachineFact> machineFacts() {
    std::vector<MachineFact> facts;
    facts.push_back({"program", "trainyard " TRAINYARD_VERSION, ""});
    facts.push_back({"libraries", libraryVersions(), ""});
    facts.push_back({"cpu", cpuKind(), fmt::format("{} cores may be used", usableCores())});
    facts.push_back({"gpus", std::to_string(cudaDevices()),
                     torch::cuda::is_available() ? "" : "this LibTorch finds no CUDA device"});
    if (const auto device = resolveDevice(RunConfig{}))
        for (std::size_t i = 0; i < device->reasons.size(); ++i)
            facts.push_back({i == 0 ? "training uses" : "", i == 0 ? device->text() : "", device->reasons[i]});
    facts.push_back({"resources", resourceFolder().string(), fmt::format("{} presets", presets().size())});
    return facts;
}

} // namespace trainyard
