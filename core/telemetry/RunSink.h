#pragma once

#include "core/telemetry/OperatorReport.h"
#include "core/telemetry/PictureReport.h"
#include "core/telemetry/StepReport.h"

#include <vector>

namespace trainyard {

/// Whoever wants to know what an engine does: the recorder, the console, JSON lines, a window. Called on the engine
/// thread, in order, and must return at once: no disk, no screen, no lock held for long.
class RunSink {
public:
    virtual ~RunSink() = default;
    virtual void onPhase(const PhaseReport&) {}
    virtual void onStep(const StepReport&) {}
    virtual void onStatistics(const StatisticsReport&) {}
    virtual void onEvaluation(const EvaluationReport&) {}
    virtual void onCheckpoint(const CheckpointReport&) {}
    virtual void onEvent(const RunEvent&) {}
    virtual void onInitialValues(const InitialReport&) {}
    virtual void onGraph(const GraphReport&) {}
    virtual void onProfile(const ProfileReport&) {}
    virtual void onPictures(const PictureReport&) {}
};

/// Passes everything on to each of its sinks, in the order they were added. They must outlive it.
class SinkFan final : public RunSink {
public:
    void add(RunSink& sink) { m_sinks.push_back(&sink); }
    void onPhase(const PhaseReport& report) override {
        for (auto* s : m_sinks)
            s->onPhase(report);
    }
    void onStep(const StepReport& report) override {
        for (auto* s : m_sinks)
            s->onStep(report);
    }
    void onStatistics(const StatisticsReport& report) override {
        for (auto* s : m_sinks)
            s->onStatistics(report);
    }
    void onEvaluation(const EvaluationReport& report) override {
        for (auto* s : m_sinks)
            s->onEvaluation(report);
    }
    void onCheckpoint(const CheckpointReport& report) override {
        for (auto* s : m_sinks)
            s->onCheckpoint(report);
    }
    void onEvent(const RunEvent& event) override {
        for (auto* s : m_sinks)
            s->onEvent(event);
    }
    void onInitialValues(const InitialReport& report) override {
        for (auto* s : m_sinks)
            s->onInitialValues(report);
    }
    void onGraph(const GraphReport& report) override {
        for (auto* s : m_sinks)
            s->onGraph(report);
    }
    void onProfile(const ProfileReport& report) override {
        for (auto* s : m_sinks)
            s->onProfile(report);
    }
    void onPictures(const PictureReport& report) override {
        for (auto* s : m_sinks)
            s->onPictures(report);
    }

private:
    std::vector<RunSink*> m_sinks;
};

} // namespace trainyard
