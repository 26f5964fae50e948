#include "app/workbench/engine/OpenedSets.h"

#include "app/engine/DataPaths.h"
#include "app/engine/RunData.h"
#include "app/workbench/engine/Engine.h"
#include "core/base/Random.h"
#include "core/config/WordInput.h"
#include "core/data/Tiles.h"
#include "core/data/Transforms.h"

#include <fmt/format.h>

#include <algorithm>
#include <exception>

namespace trainyard {
namespace {

/// One dataset with what is asked of it again and again.
struct LookedAt {
    std::shared_ptr<const Dataset> dataset;
    std::string fingerprint;
    std::filesystem::path folder;
    std::uint64_t number = 0; ///< among the training or the validation sets, as the loader counts them
};

class OpenedSets final : public OpenedData {
public:
    OpenedSets(RunConfig config, const RunData& data)
        : m_config(std::move(config)), m_forTraining(makeTransforms(m_config, taskOf(m_config.model), true)),
          m_forValidation(makeTransforms(m_config, taskOf(m_config.model), false)) {
        const bool isSplit = m_config.data.validation.empty(); // what validates was set aside of the training sets
        for (std::size_t i = 0; i < data.train.size(); ++i)
            add(data.train[i], true, m_config.data.train.at(i).path, i);
        std::size_t entry = 0;
        for (std::size_t i = 0; i < data.validation.size(); ++i) {
            while (isSplit && data.train.at(entry)->size() == Dataset::kEndless)
                ++entry; // nothing is set aside of endless sets
            add(data.validation[i], false,
                (isSplit ? m_config.data.train.at(entry) : m_config.data.validation.at(i)).path, i);
            ++entry;
        }
    }

    const std::vector<OpenedSet>& sets() const override { return m_sets; }

    SampleInfo info(std::size_t set, std::int64_t sample) const override { return at(set).dataset->info(sample); }

    Result<Sample> picture(std::size_t set, std::int64_t sample) const override {
        return guarded(set, sample, [&] { return at(set).dataset->sample(sample); });
    }

    std::string pictureKey(std::size_t set, std::int64_t sample) const override {
        const std::string id = info(set, sample).id;
        std::error_code code; // no file of its own: the fingerprint stands for it
        const auto file = at(set).folder / id;
        const auto changed = std::filesystem::last_write_time(file, code);
        const auto stamp = code ? std::int64_t(0) : std::int64_t(changed.time_since_epoch().count());
        return fmt::format("{}\n{}\n{}\n{}", at(set).folder.string(), at(set).fingerprint, id, stamp);
    }

    Result<SeenSample> seen(std::size_t set, std::int64_t sample, std::int64_t draw) const override {
        const bool isForTraining = m_sets.at(set).isForTraining;
        const TransformChain& chain = isForTraining ? m_forTraining : m_forValidation;
        return guarded(set, sample, [&]() -> Result<SeenSample> {
            auto whole = at(set).dataset->sample(sample);
            if (!whole)
                return whole.error();
            SeenSample seen;
            const auto tiles = m_sets.at(set).task == TaskKind::Detection
                                   ? tilesOf(whole->image.width, whole->image.height, m_config.data.tiles)
                                   : std::vector<Tile>();
            seen.pieces = std::max(1, int(tiles.size()));
            seen.piece = int(draw % seen.pieces);
            seen.sample = seen.pieces > 1 ? cutTile(*whole, tiles[std::size_t(seen.piece)]) : std::move(*whole);
            Random random(deriveSeed(m_config.seed, std::uint64_t(draw / seen.pieces), std::uint64_t(sample),
                                     at(set).number)); // as SampleReader draws
            chain.apply(seen.sample, random);
            for (const auto& step : chain.transforms())
                seen.steps.push_back(step->name());
            return seen;
        });
    }

    Inspection inspect(std::size_t set, const InspectionOptions& options) const override {
        return inspectDataset(*at(set).dataset, options);
    }

private:
    const LookedAt& at(std::size_t set) const { return m_looked.at(set); }

    void add(const std::shared_ptr<const Dataset>& dataset, bool isForTraining, const std::string& path,
             std::size_t number) {
        m_looked.push_back({dataset, dataset->fingerprint(), path, number});
        m_sets.push_back({isForTraining, dataset->name(), dataset->format(), path, dataset->task(), dataset->size(),
                          dataset->classes(), dataset->problems()});
    }

    /// What an image library throws is an Error here.
    template <class Deed>
    auto guarded(std::size_t set, std::int64_t sample, Deed deed) const -> decltype(deed()) {
        try {
            return deed();
        } catch (const std::exception& failure) {
            return Error{ErrorKind::Data, std::string("The image cannot be used: ") + failure.what() + ".",
                         info(set, sample).id, "Repair or remove it."};
        }
    }

    RunConfig m_config;
    TransformChain m_forTraining, m_forValidation;
    std::vector<LookedAt> m_looked;
    std::vector<OpenedSet> m_sets;
};

} // namespace

Result<std::shared_ptr<const OpenedData>> openSets(const RunConfig& config, const std::filesystem::path& project,
                                                   const LookControl& control) {
    DataRoots roots;
    if (!project.empty()) {
        const auto found = dataRootsIn(project);
        if (!found)
            return found.error();
        roots = *found;
    }
    auto placed = withPlaces(config, roots);
    if (!placed)
        return placed.error();
    if (const auto checked = checkDatasets(*placed); !checked)
        return checked.error();
    const auto data = openRunData(*placed, control.progress, control.isCancelled);
    if (!data)
        return data.error();
    addCharacters(placed->model, data->newCharacters);
    return std::make_shared<const OpenedSets>(std::move(*placed), *data);
}

} // namespace trainyard
