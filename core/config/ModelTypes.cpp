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
        {"fast_rcnn", TaskKind::Detection,
         TR_LATER("ModelType", "Finds objects among regions that come with the data.")},
        {"faster_rcnn", TaskKind::Detection,
         TR_LATER("ModelType", "Finds objects: one network proposes regions, another says what they show.")},
        {"keypoint_rcnn", TaskKind::Detection, TR_LATER("ModelType", "Finds objects and their keypoints.")},
        {"mask_keypoint_rcnn", TaskKind::Detection,
         TR_LATER("ModelType", "Finds objects, their outlines and their keypoints.")},
        {"mask_rcnn", TaskKind::Detection, TR_LATER("ModelType", "Finds objects and their outlines.")},
        {"retinanet", TaskKind::Detection,
         TR_LATER("ModelType", "Finds objects: ResNet with a feature pyramid, dense anchors, focal loss.")},
        {"rfcn", TaskKind::Detection,
         TR_LATER("ModelType", "Finds objects: maps of the parts of each class vote on every region.")},
        {"rpn", TaskKind::Detection, TR_LATER("ModelType", "Proposes regions where there may be objects.")},
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
