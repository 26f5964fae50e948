#pragma once

#include "app/workbench/engine/Engine.h"

namespace trainyard {

/// What a training of `config` in `project` would find: the same opening, split and classes as its own. Decodes
/// nothing, writes nothing. Any thread; Interrupted when cancelled, a Data error names what cannot be opened.
Result<DataFindings> findInData(const RunConfig& config, const std::filesystem::path& project,
                                const LookControl& control);

} // namespace trainyard
