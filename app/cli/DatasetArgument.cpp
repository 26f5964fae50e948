#include "app/cli/DatasetArgument.h"

#include "app/engine/DataPaths.h"
#include "core/data/Dataset.h"

namespace trainyard::cli {

Result<DatasetConfig> datasetArgument(const Shared& shared, const std::string& argument) {
    DatasetConfig entry = parseDatasetArgument(argument);
    if (!DataRoots::nameIn(entry.path))
        return entry;
    const auto roots = dataRootsIn(shared.projectFolder());
    if (!roots)
        return roots.error();
    return withPlaces(std::move(entry), *roots);
}

Result<std::vector<DatasetConfig>> datasetArguments(const Shared& shared, const std::vector<std::string>& arguments) {
    std::vector<DatasetConfig> entries;
    for (const std::string& argument : arguments) {
        auto entry = datasetArgument(shared, argument);
        if (!entry)
            return entry.error();
        entries.push_back(std::move(*entry));
    }
    return entries;
}

} // namespace trainyard::cli
