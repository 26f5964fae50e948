#pragma once

#include "app/workbench/engine/OpenedData.h"

#include "core/config/RunConfig.h"

#include <filesystem>
#include <memory>

namespace trainyard {

struct LookControl;

/// Opens what a training of `config` in `project` would train and validate on: the same splits and classes. Decodes
/// nothing. Any thread; Interrupted when cancelled, a Data error names what cannot be opened.
Result<std::shared_ptr<const OpenedData>> openSets(const RunConfig& config, const std::filesystem::path& project,
                                                   const LookControl& control);

} // namespace trainyard
