#pragma once

#include "core/base/Clock.h"
#include "core/telemetry/RunSink.h"

#include <string>

namespace trainyard {

/// Says what happens to a run, with the iteration and the time, to its sink. Trainer's thread.
class RunVoice {
public:
    RunVoice(RunSink* sink, std::int64_t iterations) : m_sink(sink ? sink : &m_nobody), m_iterations(iterations) {}

    RunSink& sink() { return *m_sink; }
    void reach(std::int64_t iteration) { m_iteration = iteration; }
    void event(EventKind kind, const std::string& text) {
        m_sink->onEvent({kind, m_iteration, wallMicroseconds(), text});
    }
    void phase(Phase phase, const std::string& text) {
        m_sink->onPhase({phase, text, 0, 0, m_iteration, m_iterations});
    }

private:
    RunSink m_nobody;
    RunSink* m_sink;
    std::int64_t m_iterations;
    std::int64_t m_iteration = 0;
};

} // namespace trainyard
