#include "core/data/Transforms.h"

#include "core/config/PictureScaling.h"
#include "core/config/WordInput.h"
#include "core/data/ColourTransforms.h"
#include "core/data/DetectionTransforms.h"
#include "core/data/OpenCvImage.h"
#include "core/data/WordTransforms.h"

namespace trainyard {
namespace {

void addColour(TransformChain& chain, const DataConfig& data) {
    if (data.brightness > 0 || data.contrast > 0 || data.saturation > 0)
        chain.add(std::make_unique<ColourJitter>(data.brightness, data.contrast, data.saturation));
    if (data.blur > 0)
        chain.add(std::make_unique<RandomBlur>(data.blur));
    if (data.noise > 0)
        chain.add(std::make_unique<RandomNoise>(data.noise));
}

TransformChain detectionTransforms(const RunConfig& config, bool isForTraining) {
    TransformChain chain;
    if (isForTraining) {
        addColour(chain, config.data); // before any padding, which stays as it is
        if (config.data.flip > 0)
            chain.add(std::make_unique<HorizontalFlip>(config.data.flip));
        if (config.data.scaleMin != 1 || config.data.scaleMax != 1)
            chain.add(std::make_unique<RandomWindow>(config.data.scaleMin, config.data.scaleMax));
    }
    const PictureScaling scaling = pictureScaling(config, isForTraining);
    if (scaling.square > 0)
        chain.add(std::make_unique<FitSquare>(int(scaling.square)));
    else
        chain.add(std::make_unique<ScaleShorterSide>(scaling.scales, scaling.maxSize));
    return chain;
}

TransformChain wordTransforms(const RunConfig& config, bool isForTraining) {
    TransformChain chain;
    if (isForTraining) {
        if (config.data.crop > 0 || config.data.rotate > 0)
            chain.add(std::make_unique<CropJitter>(config.data.crop, config.data.rotate));
        addColour(chain, config.data);
    }
    const WordInput input = wordInput(config.model);
    chain.add(std::make_unique<ResizeWord>(int(input.width), int(input.height), input.channels == 1 ? 1 : 3));
    return chain;
}

} // namespace

TransformChain makeTransforms(const RunConfig& config, TaskKind task, bool isForTraining) {
    prepareOpenCv();
    return task == TaskKind::Detection ? detectionTransforms(config, isForTraining)
                                       : wordTransforms(config, isForTraining);
}

} // namespace trainyard
