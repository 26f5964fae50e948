#pragma once

#include "core/base/Error.h"
#include "core/config/RunConfig.h"

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace trainyard {

class Model;
class Task;

/// A trained model out of a checkpoint, with all that is needed to use it. Needs no project.
struct LoadedModel {
    RunConfig config;
    std::vector<std::string> classes;
    std::shared_ptr<Model> model; ///< in eval mode
    std::unique_ptr<Task> task;
    std::int64_t iteration = 0;
};

/// `overrides` change its configuration, a score threshold for example; `evaluate.weights` says which weights it has. A
/// Damaged error names a file that is no checkpoint of ours or does not fit its own configuration.
Result<LoadedModel> loadModel(const std::filesystem::path& checkpoint, const std::vector<std::string>& overrides = {});

/// A model of `config` with weights of others, a file or an https address. Its classes are `classes`, or as many without
/// a name as the configuration counts. What the weights lack is a Usage error: a model that is partly untrained says
/// nothing.
Result<LoadedModel> loadForeignModel(const RunConfig& config, const std::string& weights,
                                     const std::vector<std::string>& classes);

} // namespace trainyard
