#include "core/config/RunConfig.h"
#include "core/config/Translation.h"

#include <algorithm>

namespace trainyard {

const std::vector<ModelType>& modelTypes() {
    static const std::vector<ModelType> types = {
        {"aster", TaskKind::Recognition,
         TR_LATER("ModelType", "Reads a word however it is bent: a rectifier, convolutions, attention both ways.")},
        {"crnn", TaskKind::Recognition,
         TR_LATER("ModelType", "Reads a word: convolutions, two bidirectional LSTMs, CTC.")},
        {"retinanet", TaskKind::Detection,
         TR_LATER("ModelType", "Finds objects: ResNet with a feature pyramid, dense anchors, focal loss.")},
    };
    return types;
}

TaskKind taskOf(const ModelConfig& model) {
    const auto& types = modelTypes();
    const auto found =
        std::find_if(types.begin(), types.end(), [&](const ModelType& type) { return type.name == model.type; });
    return found == types.end() ? TaskKind::Detection : found->task;
}

} // namespace trainyard
