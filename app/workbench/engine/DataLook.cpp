#include "app/workbench/engine/DataLook.h"

#include "app/engine/DataPaths.h"
#include "app/engine/RunData.h"

#include <algorithm>

namespace trainyard {
namespace {

constexpr std::int64_t kBetweenQuestions = 4096; ///< samples counted between two looks at the cancel flag

Result<DataFindings::Set> count(const Dataset& dataset, bool isForTraining, const LookControl& control) {
    DataFindings::Set set{isForTraining, dataset.name(), dataset.format(), dataset.size(), 0, 0};
    for (std::int64_t i = 0; dataset.task() == TaskKind::Detection && i < dataset.size(); ++i) {
        if (i % kBetweenQuestions == 0 && control.isCancelled && control.isCancelled())
            return Error{ErrorKind::Interrupted, "Stopped while the data was being read.", "", ""};
        set.objects += std::int64_t(dataset.info(i).objects.size());
    }
    set.problems = std::count_if(dataset.problems().begin(), dataset.problems().end(), [](const DataProblem& problem) {
        return problem.severity != DataProblem::Severity::Note;
    });
    return set;
}

} // namespace

Result<DataFindings> findInData(const RunConfig& config, const std::filesystem::path& project,
                                const LookControl& control) {
    const auto roots = dataRootsIn(project);
    if (!roots)
        return roots.error();
    const auto placed = withPlaces(config, *roots);
    if (!placed)
        return placed.error();
    if (const auto checked = checkDatasets(*placed); !checked)
        return checked.error();
    const auto data = openRunData(*placed, control.progress, control.isCancelled);
    if (!data)
        return data.error();
    DataFindings findings;
    for (const auto* datasets : {&data->train, &data->validation})
        for (const auto& dataset : *datasets) {
            auto set = count(*dataset, datasets == &data->train, control);
            if (!set)
                return set.error();
            findings.sets.push_back(std::move(*set));
        }
    findings.classes = data->classes;
    findings.problems = summarisedProblems(*data);
    return findings;
}

} // namespace trainyard
