#pragma once

#include "app/workbench/ProjectStore.h"

#include <QString>

#include <vector>

namespace trainyard {

/// One line of the log. A plain value.
struct LogEntry {
    enum class Kind { Note, Checkpoint, Evaluation, Warning, Error };
    std::int64_t wallMicroseconds = 0;
    std::int64_t run = 0; ///< 0: said by the program, not by a run
    std::int64_t iteration = 0;
    Kind kind = Kind::Note;
    QString text;
    bool operator==(const LogEntry&) const = default;
};

/// "checkpoint", "warning", …: a word for the column and for the filter.
QString kindText(LogEntry::Kind kind);

/// What the terminal would have said of the shown run, from the project: whoever trains it, and last year's runs too.
/// Oldest first.
std::vector<LogEntry> entriesOf(const ProjectSnapshot& project);

} // namespace trainyard
