#pragma once

#include "core/config/ConfigFile.h"

#include <string>
#include <vector>

namespace trainyard {

/// A key whose value in the Configure page is not the one that a run was made with. A plain value.
struct ResumeChange {
    std::string key, before, after;
    bool applies = false; ///< else it cannot change on resume: a new run is needed for it
};

/// What `wanted` would change of a run that was stored as `stored`. What `auto` chose for the stored one is no change,
/// nor is a path written relative to the working folder.
std::vector<ResumeChange> resumeChanges(const RunConfig& stored, const RunConfig& wanted);

/// "key=value" of those that apply, as a resume takes them.
std::vector<std::string> overridesOf(const std::vector<ResumeChange>& changes);

/// What a person decided.
struct ResumeChoice {
    std::int64_t further = 0;
    std::vector<std::string> overrides;
    bool acceptChanges = false;
};

/// The configuration that a resume would go on with.
RunConfig planned(const RunConfig& stored, const std::vector<ResumeChange>& changes, std::int64_t further);

} // namespace trainyard
