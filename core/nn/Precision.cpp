#include "core/nn/Precision.h"

#include <fstream>
#include <sstream>

namespace trainyard {
namespace {

/// What follows the colon of the first line that starts with `key`.
std::string valueOf(const std::string& cpuInfo, const std::string& key) {
    std::istringstream lines(cpuInfo);
    for (std::string line; std::getline(lines, line);) {
        const auto colon = line.find(':');
        if (line.rfind(key, 0) == 0 && colon != std::string::npos)
            return line.substr(line.find_first_not_of(" \t", colon + 1) == std::string::npos
                                   ? line.size()
                                   : line.find_first_not_of(" \t", colon + 1));
    }
    return {};
}

} // namespace

CpuFeatures parseCpuInfo(const std::string& cpuInfo) {
    CpuFeatures features;
    features.model = valueOf(cpuInfo, "model name");
    std::istringstream flags(valueOf(cpuInfo, "flags"));
    for (std::string flag; flags >> flag;) {
        features.hasAvx512 |= flag == "avx512f";
        features.hasBf16Dot |= flag == "avx512_bf16";
        features.hasBf16Matrix |= flag == "amx_bf16";
    }
    return features;
}

CpuFeatures cpuFeatures() {
    std::ifstream file("/proc/cpuinfo");
    std::string first; // one processor's lines say it all
    for (std::string line; std::getline(file, line) && !line.empty();)
        first += line + "\n";
    return parseCpuInfo(first);
}

PrecisionChoice defaultPrecision(const CpuFeatures& features) {
    if (features.hasBf16Matrix)
        return {Precision::BFloat16, "The CPU has bfloat16 matrix units (AMX)."};
    if (features.hasBf16Dot)
        return {Precision::BFloat16, "The CPU has bfloat16 dot products (AVX-512 BF16)."};
    return {Precision::Float32, "The CPU has no bfloat16 arithmetic, where bfloat16 would only cost time."};
}

} // namespace trainyard
