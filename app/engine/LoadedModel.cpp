#include "app/engine/LoadedModel.h"

#include "app/engine/Machine.h"
#include "app/engine/ModelNotes.h"
#include "app/engine/Task.h"
#include "app/engine/WeightSource.h"
#include "core/base/Text.h"
#include "core/config/ConfigFile.h"
#include "core/models/Model.h"
#include "core/nn/Threads.h"
#include "core/train/CheckpointFile.h"
#include "core/train/ModelWeights.h"

#include <fmt/format.h>

namespace trainyard {

namespace {
/// The network and the task of `loaded`'s configuration and classes; in eval mode.
Result<void> makeFor(LoadedModel& loaded) {
    const auto device = resolveDevice(loaded.config);
    if (!device)
        return device.error();
    configureThreads(int(device->threads));
    auto model = makeModel(loaded.config, {loaded.classes, loaded.config.seed});
    if (!model)
        return model.error();
    (*model)->eval();
    loaded.model = std::move(*model);
    loaded.task = Task::make(loaded.config, loaded.classes);
    return {};
}
} // namespace

Result<LoadedModel> loadModel(const std::filesystem::path& checkpoint, const std::vector<std::string>& overrides) {
    const auto state = readCheckpoint(checkpoint);
    if (!state)
        return state.error();
    const auto text = state->text.find("config");
    if (text == state->text.end())
        return Error{ErrorKind::Damaged, "The file holds no configuration, so it is no checkpoint of this program.",
                     checkpoint.string(), "Name one that trainyard checkpoints list shows."};
    auto parsed = parseConfig(text->second, checkpoint.string());
    applyOverrides(parsed, overrides);
    if (!parsed.isGood())
        return parsed.error();
    LoadedModel loaded;
    loaded.config = parsed.config;
    loaded.classes = classesOf(state->text);
    loaded.iteration = state->iteration;
    if (const auto made = makeFor(loaded); !made)
        return made.error();
    auto restored = restoreModel(*loaded.model, state->model);
    if (restored && loaded.config.evaluate.weights == "averaged")
        restored = takeAverages(*loaded.model, state->average);
    if (!restored) {
        Error error = restored.error();
        error.where = checkpoint.string();
        return error;
    }
    return loaded;
}

Result<LoadedModel> loadForeignModel(const RunConfig& config, const std::string& weights,
                                     const std::vector<std::string>& classes) {
    LoadedModel loaded;
    loaded.config = config;
    loaded.classes = classes;
    const auto file = weightSource(weights);
    if (!file)
        return file.error();
    if (const auto made = makeFor(loaded); !made)
        return made.error();
    auto report = loadWeights(*loaded.model, config, *file, false);
    const std::vector<double> plain = {1, 1, 1, 1};
    if (report && report->report.lacksBoxWeights && loaded.config.model.rcnn.box.boxWeights != plain) {
        loaded.config.model.rcnn.box.boxWeights = plain; // as Detectron reads its own files of before these weights
        if (const auto made = makeFor(loaded); !made)
            return made.error();
        report = loadWeights(*loaded.model, loaded.config, *file, false);
    }
    if (!report)
        return report.error();
    std::vector<std::string> untrained = report->report.missing;
    untrained.insert(untrained.end(), report->report.startedAnew.begin(), report->report.startedAnew.end());
    if (!untrained.empty())
        return Error{ErrorKind::Usage,
                     fmt::format("The weights are not all that the model needs: {}.", text::joined(untrained)), weights,
                     "Set the model's keys, its classes too, to what the weights were made with."};
    return loaded;
}

} // namespace trainyard
