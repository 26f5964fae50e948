#pragma once

#include "core/base/Cancellation.h"
#include "core/data/Dataset.h"

#include <filesystem>

namespace trainyard {

struct ConversionOptions {
    std::string format;                ///< one that can be written
    std::string labels = "labels.tsv"; ///< the label file of folder+labels; its extension says how it is written
    bool overwrites = false;           ///< an earlier dataset of this format at the target is replaced
    bool stopsOnDamage = false;        ///< else damaged images are left out and named
    std::int64_t count = 0;            ///< words of an endless dataset; of others at most so many where it is not 0
    CancellationToken cancellation;
    std::function<void(std::int64_t done, std::int64_t total)> progress; ///< may be empty
};

struct Conversion {
    std::int64_t written = 0;
    std::vector<DataProblem> problems; ///< the words that were left out
};

/// Writes the words of `source`, which was opened verbatim from `sourcePath` (empty where it has no files), to
/// `target`: images as they are, unless they were cut out or drawn. The target appears under its name when it is
/// complete, or not at all; an earlier one stays until then, and nothing is ever written to or beside the source's
/// files.
Result<Conversion> convertWords(const Dataset& source, const std::filesystem::path& sourcePath,
                                const std::filesystem::path& target, const ConversionOptions& options);

} // namespace trainyard
