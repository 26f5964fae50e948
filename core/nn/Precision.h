#pragma once

#include <string>

namespace trainyard {

/// What the CPU offers for reduced precision.
struct CpuFeatures {
    std::string model;
    bool hasAvx512 = false;
    bool hasBf16Dot = false;    ///< avx512_bf16
    bool hasBf16Matrix = false; ///< amx_bf16
};

/// Read from text in the layout of /proc/cpuinfo; all false where it names none of them.
CpuFeatures parseCpuInfo(const std::string& cpuInfo);
CpuFeatures cpuFeatures(); ///< of this machine

enum class Precision { Float32, BFloat16 };

struct PrecisionChoice {
    Precision precision = Precision::Float32;
    std::string reason; ///< one sentence, for `doctor` and the log
};

/// What `train.precision: auto` means on this CPU: bfloat16 where the CPU multiplies it in hardware, else float32.
PrecisionChoice defaultPrecision(const CpuFeatures& features);

} // namespace trainyard
