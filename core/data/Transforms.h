#pragma once

#include "core/base/Random.h"
#include "core/config/RunConfig.h"
#include "core/data/Dataset.h"

#include <memory>
#include <string>
#include <vector>

namespace trainyard {

/// One step between a decoded sample and the network's input: image, boxes, polygons, masks and keypoints move
/// together. Immutable; any thread.
class Transform {
public:
    virtual ~Transform() = default;
    virtual std::string name() const = 0;
    virtual void apply(Sample& sample, Random& random) const = 0;
};

/// Transforms in order.
class TransformChain {
public:
    void add(std::unique_ptr<Transform> transform) { m_transforms.push_back(std::move(transform)); }
    void apply(Sample& sample, Random& random) const {
        for (const auto& transform : m_transforms)
            transform->apply(sample, random);
    }
    const std::vector<std::unique_ptr<Transform>>& transforms() const { return m_transforms; }

private:
    std::vector<std::unique_ptr<Transform>> m_transforms;
};

/// The chain that a configuration asks for. Training adds the random steps; the last step always brings the image to
/// the network's size and fills `info.scaleX/Y, offsetX/Y`: network = file * scale + offset (negative scale: mirrored).
/// Of a word's random crops and turns only the final scale is told.
TransformChain makeTransforms(const RunConfig& config, TaskKind task, bool isForTraining);

} // namespace trainyard
