#pragma once

#include "core/data/Dataset.h"

namespace trainyard {

/// Words drawn with the system's fonts: endless for training, `data.rendered.validation_count` of them for validation,
/// with words of their own and, where given, fonts of their own. Sample `index` is a function of (seed, index) alone.
/// `entry.path`, where given, is the words file.
Result<std::unique_ptr<Dataset>> openRenderedWords(const DatasetConfig& entry, const DatasetContext& context);

} // namespace trainyard
