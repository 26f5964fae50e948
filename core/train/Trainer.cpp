#include "core/train/Trainer.h"

#include "core/train/ComputePlan.h"
#include "core/train/ModelWeights.h"
#include "core/train/TrainingLoop.h"

#include <ATen/Context.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <torch/version.h>

#include <exception>

namespace trainyard {
namespace {

/// LibTorch adds the stack of its own calls below the first line.
std::string firstLine(const std::exception& failure) {
    const std::string what = failure.what();
    return what.substr(0, what.find('\n'));
}

std::string planText(const ComputePlan& plan) {
    std::string devices;
    for (const c10::Device& device : plan.devices)
        devices += (devices.empty() ? "" : " + ") + device.str();
    return fmt::format("{}, {} thread{} each, {}", devices, plan.threads, plan.threads == 1 ? "" : "s",
                       plan.isBf16 ? "bf16" : "fp32");
}

std::map<std::string, std::string> factsOf(const TrainerParts& parts, const ComputePlan& plan) {
    std::map<std::string, std::string> facts = {{"format", "1"},
                                                {"config", parts.resolvedConfig},
                                                {"seed", std::to_string(parts.config.seed)},
                                                {"torch_version", TORCH_VERSION},
                                                {"compute", planText(plan)}};
    facts.insert(parts.notes.begin(), parts.notes.end());
    return facts;
}

} // namespace

struct Trainer::State {
    TrainerParts parts;
    CheckpointDisk ownDisk;
    RunVoice voice;
    ComputePlan plan;
    std::unique_ptr<ReplicaTeam> team;
    RunProgress progress;

    explicit State(TrainerParts given) : parts(std::move(given)), voice(parts.sink, parts.config.solve.iterations) {}
    CheckpointDisk& disk() { return parts.disk ? *parts.disk : ownDisk; }

    RunOutcome run();
    RunOutcome failed(Error error);
    Result<void> prepare();
    Result<void> makeTeam();
    Result<void> resume(const std::filesystem::path& file);
    Result<void> startFrom(const std::filesystem::path& weights);
    void recallBest();
    void warnOfOtherCircumstances(const TrainingState& state);
};

Trainer::Trainer(TrainerParts parts) : m_state(std::make_unique<State>(std::move(parts))) {}
Trainer::~Trainer() = default;

RunOutcome Trainer::run() {
    try {
        return m_state->run();
    } catch (const std::exception& failure) { // a lost device, no memory, a bug: the job ends here
        return m_state->failed({ErrorKind::Unexpected, fmt::format("Training failed: {}.", firstLine(failure)), "",
                                "The last checkpoint is good: trainyard resume RUN."});
    }
}

RunOutcome Trainer::State::failed(Error error) {
    voice.event(EventKind::Failed, error.sentence());
    return {RunStatus::Failed, progress.iteration, std::move(error)};
}

RunOutcome Trainer::State::run() {
    if (auto prepared = prepare(); !prepared)
        return failed(prepared.error());
    const TrainConfig& config = parts.config.train;
    CheckpointWriter writer(*parts.catalog, disk(), parts.runFolder, {config.keepLast, config.keepEveryHours});
    CheckpointKeeper keeper(writer, *parts.catalog, *team, voice, factsOf(parts, plan));
    if (parts.resumeFrom)
        keeper.setNewest(progress.iteration);
    return TrainingLoop(parts, disk(), *team, keeper, voice, progress).run();
}

Result<void> Trainer::State::prepare() {
    removeUnfinishedCheckpoints(parts.runFolder / "checkpoints");
    auto planned = planCompute(parts.config);
    if (!planned)
        return planned.error();
    plan = std::move(*planned);
    at::globalContext().setDeterministicAlgorithms(parts.config.train.deterministic, /*warn_only=*/true);
    voice.phase(Phase::Preparing, "building the model");
    if (auto made = makeTeam(); !made)
        return made.error();
    if (parts.resumeFrom)
        return resume(*parts.resumeFrom);
    if (!parts.weights && !parts.config.model.weights.empty())
        parts.weights = parts.config.model.weights;
    if (parts.weights)
        if (auto started = startFrom(*parts.weights); !started)
            return started.error();
    voice.event(EventKind::Started, fmt::format("Started on {}.", planText(plan)));
    return {};
}

Result<void> Trainer::State::makeTeam() {
    const int count = int(plan.devices.size());
    std::vector<std::unique_ptr<Communicator>> communicators;
    if (count > 1) {
        auto made = makeLocalCommunicators(count, plan.devices.front().is_cuda() ? "cuda" : "cpu");
        if (!made)
            return made.error();
        communicators = std::move(*made);
    } else {
        communicators.push_back(makeSingleCommunicator());
    }
    std::vector<std::unique_ptr<Replica>> replicas;
    for (int rank = 0; rank < count; ++rank) {
        auto model = parts.makeModel();
        if (!model)
            return model.error();
        replicas.push_back(std::make_unique<Replica>(rank, plan.devices[std::size_t(rank)], std::move(*model),
                                                     parts.config, plan.isBf16,
                                                     std::move(communicators[std::size_t(rank)])));
    }
    team = std::make_unique<ReplicaTeam>(std::move(replicas), plan.threads);
    if (count > 1)
        team->forEach([](Replica& replica) { replica.takeFirstValues(); });
    return {};
}

Result<void> Trainer::State::resume(const std::filesystem::path& file) {
    voice.phase(Phase::Preparing, "restoring the checkpoint");
    const auto inFile = [&](Error error) {
        error.where = file.string();
        return error;
    };
    auto state = readCheckpoint(file);
    if (!state)
        return state.error();
    auto restored = RunProgress::restore(*state);
    if (!restored)
        return inFile(restored.error());
    for (int rank = 0; rank < team->size(); ++rank) {
        Replica& replica = (*team)[rank];
        if (auto done = restoreModel(replica.model(), state->model); !done)
            return inFile(done.error());
        if (auto done = replica.optimizer().setState(state->optimizer); !done)
            return inFile(done.error());
        for (const auto& [name, random] : state->random)
            if (name == fmt::format("rank{}", rank))
                replica.setRandomState(random);
    }
    progress = *restored;
    recallBest();
    voice.reach(progress.iteration);
    voice.event(EventKind::Resumed, fmt::format("Resumed from {} on {}.", file.filename().string(), planText(plan)));
    warnOfOtherCircumstances(*state);
    return {};
}

/// A checkpoint may have been evaluated, by command, after it was written.
void Trainer::State::recallBest() {
    const auto entries = parts.catalog->entries();
    if (!entries)
        return; // the catalog's trouble shows with the first checkpoint
    for (const CatalogEntry& entry : *entries)
        if (entry.isBest && entry.metric && entry.report.iteration <= progress.iteration &&
            entry.report.iteration > progress.bestIteration) {
            progress.bestMetric = entry.metric;
            progress.bestIteration = entry.report.iteration;
        }
}

void Trainer::State::warnOfOtherCircumstances(const TrainingState& state) {
    const auto facts = factsOf(parts, plan);
    for (const char* key : {"torch_version", "compute"}) {
        const auto before = state.text.find(key);
        const std::string& now = facts.at(key);
        if (before != state.text.end() && before->second != now)
            voice.event(EventKind::Warning,
                        fmt::format("{} is {} where the checkpoint was made with {}: the losses will not be exactly "
                                    "those of an uninterrupted run.",
                                    key, now, before->second));
    }
}

Result<void> Trainer::State::startFrom(const std::filesystem::path& weights) {
    voice.phase(Phase::Preparing, "loading weights");
    auto report = loadWeights(team->first().model(), weights);
    if (!report)
        return report.error();
    team->forEach([](Replica& replica) { replica.takeFirstValues(); });
    voice.event(EventKind::Note, fmt::format("{} tensors loaded from {}.", report->loaded, weights.string()));
    if (!report->startedAnew.empty())
        voice.event(EventKind::Warning, fmt::format("These start anew, because they depend on the classes: {}.",
                                                    fmt::join(report->startedAnew, ", ")));
    if (!report->unused.empty())
        voice.event(EventKind::Warning, fmt::format("{} tensors of the file have no place in the model, first {}.",
                                                    report->unused.size(), report->unused.front()));
    return {};
}

} // namespace trainyard
