#include "core/models/ModelRegistry.h"

#include "core/models/detection/Rcnn.h"
#include "core/models/detection/RetinaNet.h"
#include "core/models/recognition/Aster.h"
#include "core/models/recognition/Crnn.h"
#include "core/nn/MemoryLayout.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace trainyard {

const ModelRegistry& ModelRegistry::standard() {
    static const ModelRegistry registry = [] {
        ModelRegistry models;
        models.add("aster", makeAster);
        models.add("crnn", makeCrnn);
        models.add("retinanet", makeRetinaNet);
        for (const char* type :
             {"fast_rcnn", "faster_rcnn", "keypoint_rcnn", "mask_keypoint_rcnn", "mask_rcnn", "rfcn", "rpn"})
            models.add(type, makeRcnn);
        return models;
    }();
    return registry;
}

std::vector<std::string> ModelRegistry::names() const {
    std::vector<std::string> names;
    for (const auto& [name, factory] : m_factories)
        names.push_back(name);
    return names;
}

Result<std::shared_ptr<Model>> ModelRegistry::make(const RunConfig& config, const ModelContext& context) const {
    const auto found = m_factories.find(config.model.type);
    if (found == m_factories.end())
        return Error{ErrorKind::Usage, fmt::format("There is no model called \"{}\".", config.model.type), "model.type",
                     fmt::format("Choose one of: {}.", fmt::join(names(), ", "))};
    auto model = found->second(config, context);
    if (model)
        toChannelsLast(**model);
    return model;
}

Result<std::shared_ptr<Model>> makeModel(const RunConfig& config, const ModelContext& context) {
    return ModelRegistry::standard().make(config, context);
}

} // namespace trainyard
