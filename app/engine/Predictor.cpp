#include "app/engine/Predictor.h"

#include "app/engine/Task.h"
#include "core/config/WordInput.h"
#include "core/data/Tiles.h"
#include "core/loader/Collation.h"
#include "core/models/Model.h"
#include "core/nn/Autocast.h"

namespace trainyard {

Predictor::Predictor(LoadedModel loaded, ViewedModel viewed)
    : m_loaded(std::move(loaded)), m_viewed(std::move(viewed)) {}

Result<Predictor> Predictor::make(LoadedModel loaded) {
    auto viewed = ViewedModel::make(*loaded.model, loaded.config);
    if (!viewed)
        return viewed.error();
    return Predictor(std::move(loaded), std::move(*viewed));
}

Result<ImagePrediction> Predictor::predict(const std::string& file) {
    const TaskKind kind = m_loaded.task->kind();
    const int channels = kind == TaskKind::Detection ? 3 : int(wordInput(m_loaded.config.model).channels);
    auto image = readImage(file, channels, m_loaded.config.data.maxPixels);
    if (!image)
        return image.error();
    Sample sample;
    sample.image = *image;
    sample.info.id = file;
    sample.info.width = image->width;
    sample.info.height = image->height;
    if (kind == TaskKind::Recognition)
        return ImagePrediction{std::move(*image), predictSample(sample)};
    std::vector<std::vector<Detection>> found;
    for (const Tile& tile : tilesOf(image->width, image->height, m_loaded.config.data.tiles))
        found.push_back(predictSample(cutTile(sample, tile)).detections);
    Prediction prediction;
    prediction.detections =
        found.size() == 1 ? std::move(found.front()) : mergeTiles(found, m_loaded.config.data.tiles.mergeOverlap);
    return ImagePrediction{std::move(*image), std::move(prediction)};
}

Prediction Predictor::predictSample(const Sample& sample) {
    std::vector<Batch> batches;
    for (const PlannedView& view : m_viewed.views()) {
        std::vector<Sample> seen = {sample};
        Random random(m_loaded.config.seed); // nothing is drawn: these transforms only fit the image in
        view.transforms->apply(seen.front(), random);
        batches.push_back(Collation(m_loaded.config, m_loaded.task->kind()).collate(std::move(seen), 1).front());
    }
    const torch::NoGradGuard noGradients;
    const Autocast autocast(m_loaded.config.train.precision == "bf16");
    return std::move(m_viewed.predict(batches).front());
}

} // namespace trainyard
