#pragma once

#include "core/base/Error.h"
#include "core/data/Dataset.h"

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace trainyard {

/// The ids of the samples set aside for validation, for each training set in order.
using StoredSplit = std::vector<std::vector<std::string>>;

/// What a run trained on, so that a resume can say what changed since. Kept as `data.json` in the run's folder.
struct DataRecord {
    struct Set {
        std::string role; ///< "train", "validation"
        std::string name, format, fingerprint;
        std::map<std::string, std::string> samples; ///< id to a hash of its annotations; empty for endless data
        bool operator==(const Set&) const = default;
    };
    std::string fingerprint; ///< of everything
    std::vector<Set> sets;
    StoredSplit split;

    void add(const std::string& role, const Dataset& dataset);
    /// Closes the record: computes `fingerprint`.
    void finish();
};

Result<void> saveDataRecord(const std::filesystem::path& runFolder, const DataRecord& record);
/// An empty record where the run has none yet.
Result<DataRecord> loadDataRecord(const std::filesystem::path& runFolder);

/// What was added, removed or altered, a sentence for each set; empty when nothing was.
std::vector<std::string> dataChanges(const DataRecord& before, const DataRecord& now);

} // namespace trainyard
