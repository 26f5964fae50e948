#include "core/train/GraphWatch.h"

#include "core/train/WatchedTensors.h"

#include <ATen/record_function.h>

namespace trainyard {
namespace {

thread_local GraphWatch* t_watch = nullptr;

std::unique_ptr<at::ObserverContext> beginWatched(const at::RecordFunction& function) {
    if (t_watch)
        t_watch->begin(function.name(), tensorsIn(function.inputs()));
    return nullptr;
}

void endWatched(const at::RecordFunction& function, at::ObserverContext*) {
    if (t_watch)
        t_watch->end(tensorsIn(function.outputs()));
}

} // namespace

GraphWatch::GraphWatch(const NamedTensors& known) {
    for (const auto& [name, tensor] : known)
        m_names[tensor.unsafeGetTensorImpl()] = name;
    t_watch = this;
    m_callback = at::addThreadLocalCallback(at::RecordFunctionCallback(beginWatched, endWatched)
                                                .needsInputs(true)
                                                .needsOutputs(true)
                                                .scopes({at::RecordScope::FUNCTION}));
}

GraphWatch::~GraphWatch() {
    at::removeCallback(m_callback);
    t_watch = nullptr;
}

void GraphWatch::begin(const char* name, const std::vector<at::Tensor>& inputs) {
    if (m_depth++ > 0)
        return;
    OperatorCall call{name, {}, {}};
    for (const at::Tensor& input : inputs) {
        OperatorTensor tensor{typeText(input), input.sizes().vec(), -1, {}};
        if (const auto known = m_names.find(input.unsafeGetTensorImpl()); known != m_names.end())
            tensor.parameter = known->second;
        else if (const auto maker = m_makers.find(input.unsafeGetTensorImpl()); maker != m_makers.end())
            tensor.call = maker->second;
        call.inputs.push_back(std::move(tensor));
    }
    m_calls.push_back(std::move(call));
}

void GraphWatch::end(const std::vector<at::Tensor>& outputs) {
    if (m_depth == 0 || --m_depth > 0) // an operator may have begun before this watch did
        return;
    const auto number = std::int64_t(m_calls.size()) - 1;
    for (const at::Tensor& output : outputs) {
        m_calls.back().outputs.push_back({typeText(output), output.sizes().vec(), number, {}});
        m_makers[output.unsafeGetTensorImpl()] = number;
        m_kept.push_back(output);
    }
}

} // namespace trainyard
