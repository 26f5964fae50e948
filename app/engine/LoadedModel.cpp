#include "app/engine/LoadedModel.h"

#include "app/engine/Machine.h"
#include "app/engine/ModelNotes.h"
#include "app/engine/Task.h"
#include "core/config/ConfigFile.h"
#include "core/models/Model.h"
#include "core/nn/Threads.h"
#include "core/train/CheckpointFile.h"
#include "core/train/ModelWeights.h"

namespace trainyard {

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
    const auto device = resolveDevice(loaded.config);
    if (!device)
        return device.error();
    configureThreads(int(device->threads));
    auto model = makeModel(loaded.config, {loaded.classes, loaded.config.seed});
    if (!model)
        return model.error();
    auto restored = restoreModel(**model, state->model);
    if (restored && loaded.config.evaluate.weights == "averaged")
        restored = takeAverages(**model, state->average);
    if (!restored) {
        Error error = restored.error();
        error.where = checkpoint.string();
        return error;
    }
    (*model)->eval();
    loaded.model = std::move(*model);
    loaded.task = Task::make(loaded.config, loaded.classes);
    return loaded;
}

} // namespace trainyard
