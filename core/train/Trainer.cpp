#include "core/train/Trainer.h"

#include "core/nn/Initialiser.h"
#include "core/solve/FreezePatterns.h"
#include "core/solve/ParameterStatistics.h"
#include "core/train/ComputePlan.h"
#include "core/train/ModelWeights.h"
#include "core/train/TrainingLoop.h"

#include <ATen/Context.h>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <torch/version.h>

#include <algorithm>
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
    std::unique_ptr<WeightAverage> average; ///< null where none is kept
    InitialReport initial;                  ///< of a run that starts, without statistics yet
    RunProgress progress;

    explicit State(TrainerParts given) : parts(std::move(given)), voice(parts.sink, parts.config.solve.iterations) {}
    CheckpointDisk& disk() { return parts.disk ? *parts.disk : ownDisk; }

    RunOutcome run();
    RunOutcome failed(Error error);
    Result<void> prepare();
    Result<void> makeTeam();
    Result<void> makeAverage(const TrainingState* resumed);
    Result<void> tellWhatParametersAreSubjectTo();
    void noteInitialisers(const InitialiserNotes& notes);
    void tellInitialValues();
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
    CheckpointKeeper keeper(writer, *parts.catalog, *team, average.get(), voice, factsOf(parts, plan));
    if (parts.resumeFrom)
        keeper.setNewest(progress.iteration);
    return TrainingLoop(parts, disk(), *team, average.get(), keeper, voice, progress).run();
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
    if (auto told = tellWhatParametersAreSubjectTo(); !told)
        return told.error();
    if (parts.resumeFrom)
        return resume(*parts.resumeFrom);
    if (!parts.weights && !parts.config.model.weights.empty())
        parts.weights = parts.config.model.weights;
    if (parts.weights)
        if (auto started = startFrom(*parts.weights); !started)
            return started.error();
    tellInitialValues();
    voice.event(EventKind::Started, fmt::format("Started on {}.", planText(plan)));
    return makeAverage(nullptr);
}

Result<void> Trainer::State::makeAverage(const TrainingState* resumed) {
    const SolveConfig& solve = parts.config.solve;
    if (solve.averageDecay <= 0)
        return {};
    average = std::make_unique<WeightAverage>(solve.averageDecay, solve.averageRamp, team->first().parameters());
    return resumed && !resumed->average.empty() ? average->setState(resumed->average) : Result<void>();
}

/// What the patterns of the configuration pick is told by name, once: a pattern that picks too much shows here.
Result<void> Trainer::State::tellWhatParametersAreSubjectTo() {
    const SolveConfig& solve = parts.config.solve;
    std::vector<std::string> names, multiplied, frozen;
    for (const Parameter& parameter : team->first().parameters()) {
        names.push_back(parameter.name);
        if (parameter.isMultiplied && solve.biasMultiplier != 1)
            multiplied.push_back(parameter.name);
        if (parameter.isFrozen && !solve.freeze.empty())
            frozen.push_back(parameter.name);
    }
    if (solve.biasMultiplier != 1 && multiplied.empty())
        return Error{ErrorKind::Usage,
                     fmt::format("No parameter's name matches \"{}\", so solve.bias_multiplier would do nothing.",
                                 solve.biasPattern),
                     "solve.bias_pattern", "Change it, or leave solve.bias_multiplier at 1."};
    if (!multiplied.empty())
        voice.event(EventKind::Note,
                    fmt::format("Gradients multiplied by {}: {}.", solve.biasMultiplier, fmt::join(multiplied, ", ")));
    if (!frozen.empty())
        voice.event(EventKind::Note, fmt::format("Frozen: {}.", fmt::join(frozen, ", ")));
    if (const auto patterns = FreezePatterns::compile(solve.freeze))
        for (const std::string& pattern : patterns->unused(names))
            voice.event(EventKind::Warning,
                        fmt::format("The pattern \"{}\" of solve.freeze matches no parameter.", pattern));
    return {};
}

void Trainer::State::noteInitialisers(const InitialiserNotes& notes) {
    for (const Parameter& parameter : team->first().parameters()) {
        InitialValue value{parameter.name, parameter.value.sizes().vec(), notes.of(parameter.value)};
        value.isTrained = !parameter.isFrozen;
        initial.parameters.push_back(std::move(value));
    }
}

void Trainer::State::tellInitialValues() {
    if (!parts.config.train.graphFiles)
        return;
    const auto& parameters = team->first().parameters();
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        InitialValue& value = initial.parameters[i];
        const TensorStatistics statistics = statisticsOf(parameters[i].value);
        value.mean = statistics.mean;
        value.deviation = statistics.deviation;
        value.minimum = statistics.minimum;
        value.maximum = statistics.maximum;
        if (value.initialiser.empty() && value.minimum == value.maximum)
            value.initialiser = fmt::format("constant {:g}", value.minimum);
    }
    voice.sink().onInitialValues(initial);
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
    const InitialiserNotes notes;
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
    noteInitialisers(notes);
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
    if (auto made = makeAverage(&*state); !made)
        return inFile(made.error());
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
    for (InitialValue& value : initial.parameters)
        if (std::find(report->startedAnew.begin(), report->startedAnew.end(), value.name) == report->startedAnew.end())
            value.initialiser = "weights of " + weights.filename().string();
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
