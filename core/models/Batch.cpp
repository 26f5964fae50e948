#include "core/models/Batch.h"

#include <torch/nn/module.h>

namespace trainyard {

Batch Batch::to(const at::Device& device) const {
    Batch moved{images.to(device), {}, samples, shapes};
    for (const auto& [name, target] : targets)
        moved.targets.emplace(name, target.to(device));
    return moved;
}

} // namespace trainyard
