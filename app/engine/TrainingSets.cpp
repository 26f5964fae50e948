#include "app/engine/TrainingSets.h"

#include "core/data/ConcatenatedDataset.h"
#include "core/data/FlippedCopies.h"
#include "core/data/RepeatFactors.h"
#include "core/data/Split.h"
#include "core/data/Tiles.h"

namespace trainyard {

std::vector<std::shared_ptr<const Dataset>> trainingSets(std::vector<std::shared_ptr<const Dataset>> datasets,
                                                         const RunConfig& config) {
    const DataConfig& data = config.data;
    if (taskOf(config.model) != TaskKind::Detection)
        return datasets;
    for (auto& dataset : datasets) {
        if (data.tiles.size > 0)
            dataset = std::make_shared<TiledDataset>(dataset, data.tiles);
        if (data.repeatThreshold > 0)
            dataset = std::make_shared<DatasetView>(
                dataset, repeatedIndices(repeatFactors(*dataset, data.repeatThreshold), config.seed));
        if (data.flippedCopies)
            dataset = std::make_shared<FlippedCopies>(dataset);
    }
    if (data.combine == "concatenate" && datasets.size() > 1)
        datasets = {std::make_shared<ConcatenatedDataset>(std::move(datasets))};
    return datasets;
}

} // namespace trainyard
