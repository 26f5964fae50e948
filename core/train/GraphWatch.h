#pragma once

#include "core/solve/Parameter.h"
#include "core/telemetry/OperatorReport.h"

#include <unordered_map>
#include <vector>

namespace trainyard {

/// Notes the operators that its thread executes while it lives, with the shapes of their tensors and where these come
/// from; operators that others call within are left out. One at a time a thread. What it saw of tensors it keeps alive.
class GraphWatch {
public:
    explicit GraphWatch(const NamedTensors& known); ///< parameters and buffers, by name
    ~GraphWatch();
    GraphWatch(const GraphWatch&) = delete;
    GraphWatch& operator=(const GraphWatch&) = delete;

    std::vector<OperatorCall> take() { return std::move(m_calls); }

    // for LibTorch's callbacks
    void begin(const char* name, const std::vector<at::Tensor>& inputs);
    void end(const std::vector<at::Tensor>& outputs);

private:
    std::unordered_map<const void*, std::string> m_names;
    std::unordered_map<const void*, std::int64_t> m_makers; ///< the call whose output a tensor is
    std::vector<at::Tensor> m_kept;                         ///< so that no other tensor takes their place
    std::vector<OperatorCall> m_calls;
    int m_depth = 0;
    std::uint64_t m_callback = 0;
};

} // namespace trainyard
