#include "core/train/OperatorProfile.h"

#include "core/base/Clock.h"
#include "core/train/WatchedTensors.h"

#include <ATen/record_function.h>

#include <algorithm>
#include <atomic>

namespace trainyard {
namespace {

std::atomic<OperatorProfile*> s_profile = nullptr;

struct Begun final : at::ObserverContext {
    double start = 0;
    std::string shapes;
};

std::unique_ptr<at::ObserverContext> beginProfiled(const at::RecordFunction& function) {
    auto begun = std::make_unique<Begun>();
    begun->shapes = shapesText(tensorsIn(function.inputs()));
    begun->start = steadySeconds();
    return begun;
}

void endProfiled(const at::RecordFunction& function, at::ObserverContext* context) {
    const double end = steadySeconds();
    OperatorProfile* profile = s_profile;
    const auto* begun = static_cast<const Begun*>(context);
    if (!profile || !begun)
        return;
    profile->add({function.name(), std::int64_t(at::RecordFunction::currentThreadId()),
                  (begun->start - profile->start()) * 1e6, (end - begun->start) * 1e6, begun->shapes});
}

} // namespace

OperatorProfile::OperatorProfile() : m_start(steadySeconds()) {
    s_profile = this;
    m_callback = at::addGlobalCallback(at::RecordFunctionCallback(beginProfiled, endProfiled).needsInputs(true));
}

OperatorProfile::~OperatorProfile() {
    at::removeCallback(m_callback);
    s_profile = nullptr;
}

void OperatorProfile::add(OperatorSpan span) {
    const std::lock_guard lock(m_mutex);
    m_spans.push_back(std::move(span));
}

std::vector<OperatorSpan> OperatorProfile::take() {
    const std::lock_guard lock(m_mutex);
    std::stable_sort(m_spans.begin(), m_spans.end(), [](const OperatorSpan& a, const OperatorSpan& b) {
        return a.startMicroseconds < b.startMicroseconds;
    });
    return std::move(m_spans);
}

} // namespace trainyard
