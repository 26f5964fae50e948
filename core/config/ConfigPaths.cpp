#include "core/config/ConfigPaths.h"

namespace trainyard {

std::vector<std::string*> pathsOf(RunConfig& config) {
    std::vector<std::string*> paths = {&config.data.rendered.words, &config.data.rendered.backgrounds,
                                       &config.model.weights, &config.evaluate.lexicon};
    for (auto* entries : {&config.data.train, &config.data.validation})
        for (DatasetConfig& entry : *entries)
            paths.insert(paths.end(), {&entry.path, &entry.annotations, &entry.proposals});
    return paths;
}

} // namespace trainyard
