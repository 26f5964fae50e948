#pragma once

#include "core/telemetry/OperatorReport.h"

#include <cstdint>
#include <mutex>
#include <vector>

namespace trainyard {

/// Times every operator that any thread executes while it lives, of a GPU the time to launch it. LibTorch's own
/// callbacks, for Debian's LibTorch is built without Kineto. One at a time in a process.
class OperatorProfile {
public:
    OperatorProfile();
    ~OperatorProfile();
    OperatorProfile(const OperatorProfile&) = delete;
    OperatorProfile& operator=(const OperatorProfile&) = delete;

    std::vector<OperatorSpan> take(); ///< in the order in which they began

    // for LibTorch's callbacks, on any thread
    void add(OperatorSpan span);
    double start() const { return m_start; } ///< steady seconds

private:
    double m_start;
    std::uint64_t m_callback = 0;
    std::mutex m_mutex;
    std::vector<OperatorSpan> m_spans;
};

} // namespace trainyard
