#pragma once

#include "core/config/RunConfig.h"
#include "core/project/Project.h"

#include <QString>
#include <QStringList>

#include <memory>
#include <vector>

namespace trainyard {

/// A run that is compared, with all that is stored of it.
struct ComparedRun {
    RunRecord record;
    RunProvenance provenance;
    std::shared_ptr<const RunConfig> config; ///< null while it is being read
};

/// One fact about all compared runs. A value.
struct ComparisonRow {
    QString name, help;
    QStringList values; ///< a run each, in their order
    bool isDifferent = false;
    bool operator==(const ComparisonRow&) const = default;
};

/// Every key of the configuration.
std::vector<ComparisonRow> configurationRows(const std::vector<ComparedRun>& runs);
/// Device, libraries, program, seed, data and what was asked for on the command line.
std::vector<ComparisonRow> environmentRows(const std::vector<ComparedRun>& runs);

} // namespace trainyard
