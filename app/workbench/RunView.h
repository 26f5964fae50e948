#pragma once

#include "app/workbench/ProjectStore.h"
#include "app/workbench/engine/Engine.h"

#include <QString>

#include <optional>

namespace trainyard {

/// What the window says of one run: the project's record, or what the engine knows better while it trains it. The
/// single place where this is decided; a plain value.
struct RunView {
    std::int64_t run = 0;
    QString name; ///< "crnn-words #12"
    RunStatus status = RunStatus::Queued;
    bool isOurs = false;     ///< this window's engine has it
    bool isFollowed = false; ///< another process trains it
    std::int64_t iteration = 0, iterations = 0;
    double secondsLeft = -1;
    QString phase; ///< "scanning data 1 200 of 3 400", while nothing iterates
    QString error;

    bool isActive() const;
    bool canResume() const; ///< has ended early, or its owner died
    /// "12 400 / 60 000 · 41 min left", or the phase.
    QString progressText() const;
    double progress() const; ///< 0 to 1, negative while unknown
};

QString runTitle(const RunRecord& run);
std::optional<RunView> viewOf(const ProjectSnapshot* project, std::int64_t run, const EngineState& engine);

} // namespace trainyard
