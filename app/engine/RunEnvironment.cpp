#include "app/engine/RunEnvironment.h"

#include <fmt/format.h>

namespace trainyard {

namespace {
void addWhereChanged(std::vector<std::string>& changes, const char* what, const std::string& before,
                     const std::string& now) {
    if (!before.empty() && before != now)
        changes.push_back(fmt::format("{}: {} instead of {}.", what, now, before));
}
} // namespace

std::vector<std::string> environmentChanges(const RunProvenance& before, const DataRecord& dataBefore,
                                            const RunEnvironment& now) {
    std::vector<std::string> changes = dataChanges(dataBefore, now.data);
    addWhereChanged(changes, "libraries", before.libraries, now.libraries);
    addWhereChanged(changes, "processor", before.device, now.cpu);
    return changes;
}

Error refusedChanges(const std::string& run, const std::vector<std::string>& changes) {
    return {ErrorKind::Usage,
            fmt::format("It would not go on exactly, for something changed. {}", fmt::join(changes, " ")), run,
            "To go on all the same: --accept-changes."};
}

} // namespace trainyard
