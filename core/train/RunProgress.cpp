#include "core/train/RunProgress.h"

#include <fmt/format.h>

#include <charconv>

namespace trainyard {
namespace {

/// False when `text` has the key and what it says is no number.
template <class T>
bool read(const TrainingState& state, const char* key, T& value) {
    const auto found = state.text.find(key);
    if (found == state.text.end())
        return true;
    const std::string& text = found->second;
    const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
    return code == std::errc() && end == text.data() + text.size();
}

} // namespace

void RunProgress::store(TrainingState& state) const {
    state.iteration = iteration;
    state.text["iteration"] = std::to_string(iteration);
    state.text["rate_factor"] = fmt::format("{}", rateFactor); // the shortest text that reads back to the same value
    state.text["elapsed_seconds"] = fmt::format("{}", elapsedSeconds);
    state.text["skipped"] = std::to_string(skipped);
    if (bestMetric) {
        state.text["best_metric"] = fmt::format("{}", *bestMetric);
        state.text["best_iteration"] = std::to_string(bestIteration);
    }
}

Result<RunProgress> RunProgress::restore(const TrainingState& state) {
    RunProgress progress;
    progress.iteration = state.iteration;
    bool isGood = read(state, "rate_factor", progress.rateFactor) &&
                  read(state, "elapsed_seconds", progress.elapsedSeconds) && read(state, "skipped", progress.skipped) &&
                  read(state, "best_iteration", progress.bestIteration);
    if (state.text.contains("best_metric")) {
        progress.bestMetric = 0.0;
        isGood = isGood && read(state, "best_metric", *progress.bestMetric);
    }
    if (!isGood)
        return Error{ErrorKind::Damaged, "The checkpoint's account of the run is damaged.", "",
                     "Resume from the one before it."};
    return progress;
}

} // namespace trainyard
