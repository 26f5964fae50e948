#include "app/engine/TrainingSession.h"

#include "app/engine/LoaderWarnings.h"
#include "app/engine/Machine.h"
#include "app/engine/ModelNotes.h"
#include "app/engine/OpenedRun.h"
#include "app/engine/ProjectCheckpointCatalog.h"
#include "app/engine/RecorderNews.h"
#include "app/engine/ResumePoint.h"
#include "app/engine/RunData.h"
#include "app/engine/RunEnvironment.h"
#include "app/engine/RunRequest.h"
#include "app/engine/Task.h"
#include "app/engine/TaskEvaluator.h"
#include "app/engine/TrainingSets.h"
#include "app/engine/WeightSource.h"
#include "core/base/Clock.h"
#include "core/config/WordInput.h"
#include "core/evaluate/ExpectedResults.h"
#include "core/loader/BatchQueue.h"
#include "core/outputs/RunOutputs.h"
#include "core/project/RunRecorder.h"
#include "core/train/Trainer.h"

#include <fmt/format.h>

namespace trainyard {

namespace {
Result<std::unique_ptr<BatchQueue>> makeBatches(const RunConfig& config, const RunData& data, LoaderWarning warn) {
    BatchQueueParts parts;
    parts.config = config;
    parts.task = taskOf(config.model);
    parts.datasets = trainingSets(data.train, config);
    if (parts.datasets.size() < data.train.size()) // they are one now
        parts.config.data.train = {DatasetConfig{}};
    parts.transforms = std::make_shared<TransformChain>(makeTransforms(config, parts.task, true));
    parts.replicas = std::max(1, int(config.train.devices.size()));
    parts.warn = std::move(warn);
    return BatchQueue::create(std::move(parts));
}

class Session final : public TrainingSession {
public:
    Session(TrainingRequest request, OpenedRun opened)
        : m_request(std::move(request)), m_opened(std::move(opened)),
          m_folder(m_opened.project->folder() / m_opened.record.folder) {}

    std::int64_t run() const override { return m_opened.record.id; }
    std::filesystem::path runFolder() const override { return m_folder; }
    std::filesystem::path configFile() const override { return m_folder / "config.yaml"; }
    CommandMailbox& mailbox() override { return m_mailbox; }
    SessionOutcome train(RunSink& sink) override;

private:
    Result<RunOutcome> prepareAndTrain(RunSink& sink);
    Result<void> acceptEnvironment(const DataRecord& before, const RunEnvironment& environment,
                                   std::vector<RunEvent>& events);
    Result<void> storeChanges(std::vector<RunEvent>& events);
    Result<void> addNewCharacters(const std::string& characters, std::vector<RunEvent>& events);
    Result<RunOutcome> trainFrom(const ResumePoint& point, const RunData& data, const std::vector<RunEvent>& events,
                                 RunSink& sink);
    RunEvent event(EventKind kind, std::int64_t iteration, const std::string& text) const {
        return {kind, iteration, wallMicroseconds(), text};
    }
    bool couldNotStart(const SessionOutcome& outcome) const;
    bool isContinuation() const { return m_request.run.has_value(); }

    const TrainingRequest m_request;
    OpenedRun m_opened;
    const std::filesystem::path m_folder;
    CommandMailbox m_mailbox;
    std::optional<std::filesystem::path> m_weights; ///< that a new run starts from, on this machine
    std::optional<Error> m_unmet;                   ///< of a finished run
    bool m_hasBegun = false; ///< nothing stood in the way any more, so the run is not what it was
};

SessionOutcome Session::train(RunSink& sink) {
    SessionOutcome outcome;
    outcome.run = run();
    outcome.iteration = m_opened.record.iteration;
    Result<RunOutcome> ended = Error{};
    try {
        ended = prepareAndTrain(sink);
    } catch (const std::exception& failure) { // what a library threw ends the job here
        const std::string what = failure.what();
        ended = Error{ErrorKind::Unexpected, "Training failed: " + what.substr(0, what.find('\n')) + ".",
                      runLabel(m_opened.record), "Its checkpoints are good: trainyard resume RUN."};
    }
    if (ended) {
        outcome.status = ended->status;
        outcome.iteration = ended->iteration;
        outcome.error = ended->error;
        outcome.unmet = m_unmet;
    } else {
        const bool isStop = ended.error().kind == ErrorKind::Interrupted;
        outcome.status = isStop ? RunStatus::Stopped : RunStatus::Failed;
        if (!isStop)
            outcome.error = ended.error();
    }
    if (couldNotStart(outcome)) {
        m_opened.lock.reset(); // a run in somebody's hands is left alone
        outcome.isDiscarded = m_opened.project->discardRun(run()).has_value(); // else it is recorded as failed
    }
    if (outcome.isDiscarded)
        return outcome;
    outcome.isRefused = isContinuation() && outcome.error && !ended && !m_hasBegun;
    if (outcome.isRefused)
        outcome.status = m_opened.record.status; // what was done stays done
    const RunStatus status = outcome.status;
    const std::string sentence = outcome.isRefused ? m_opened.record.error
                                 : outcome.error   ? outcome.error->sentence()
                                                   : std::string();
    // The run's own row says how it ended even where the recorder could not; when this fails too, it reads as lost.
    if (const auto set = m_opened.project->setStatus(run(), status, sentence); !set && !outcome.error)
        outcome.error = set.error();
    return outcome;
}

/// Whether a new run ended before its first iteration over what it was given. What nobody foresaw is kept for its
/// makers.
bool Session::couldNotStart(const SessionOutcome& outcome) const {
    if (isContinuation() || outcome.status != RunStatus::Failed || outcome.iteration > 0 || !outcome.error)
        return false;
    const ErrorKind kind = outcome.error->kind;
    const auto checkpoints = m_opened.project->checkpoints(run());
    return (kind == ErrorKind::Usage || kind == ErrorKind::Data || kind == ErrorKind::Damaged) && checkpoints &&
           checkpoints->empty();
}

Result<RunOutcome> Session::prepareAndTrain(RunSink& sink) {
    if (const auto set = m_opened.project->setStatus(run(), RunStatus::Preparing); !set)
        return set.error();
    ResumePoint point;
    if (isContinuation()) {
        auto found = findResumePoint(*m_opened.project, m_opened.record, m_request.fromCheckpoint);
        if (!found)
            return found.error();
        point = std::move(*found);
    }
    std::vector<RunEvent> events;
    for (const std::string& warning : point.warnings)
        events.push_back(event(EventKind::Warning, point.iteration, warning));
    if (isContinuation() && !point.file)
        events.push_back(event(EventKind::Note, 0, "The run has no checkpoint yet: it starts anew."));

    const auto progress = [&](const std::string& text, std::int64_t done, std::int64_t total) {
        sink.onPhase({Phase::Preparing, text, done, total, point.iteration, m_opened.config.solve.iterations});
    };
    const auto isCancelled = [this] { return m_mailbox.holdsStop(); };
    if (!point.file && !m_opened.config.model.weights.empty()) { // first, so that a wrong one fails at once
        const auto weights = weightSource(
            m_opened.config.model.weights,
            [&](std::int64_t done, std::int64_t total) { progress("fetching weights", done, total); }, isCancelled);
        if (!weights)
            return weights.error();
        m_weights = *weights;
    }
    const auto before = loadDataRecord(m_folder);
    if (!before)
        return before.error();
    auto data = openRunData(m_opened.config, progress, isCancelled, before->split);
    if (!data)
        return data.error();
    RunEnvironment environment{libraryVersions(), cpuKind(), recordOf(*data)};
    if (const auto accepted = acceptEnvironment(*before, environment, events); !accepted)
        return accepted.error();
    if (const auto added = addNewCharacters(data->newCharacters, events); !added)
        return added.error();
    m_hasBegun = true;
    if (const auto stored = storeChanges(events); !stored)
        return stored.error();
    if (const auto device = resolveDevice(m_request.config); device && !isContinuation())
        for (const std::string& reason : device->reasons) // a resumed run keeps what its first start chose
            events.push_back(event(EventKind::Note, point.iteration, reason));
    events.push_back(event(EventKind::Note, point.iteration, foundText(*data)));
    for (const std::string& problem : summarisedProblems(*data))
        events.push_back(event(EventKind::Warning, point.iteration, problem));
    return trainFrom(point, *data, events, sink);
}

Result<void> Session::acceptEnvironment(const DataRecord& before, const RunEnvironment& environment,
                                        std::vector<RunEvent>& events) {
    const auto provenance = m_opened.project->provenance(run());
    if (!provenance)
        return provenance.error();
    const auto changes = environmentChanges(*provenance, before, environment);
    if (!changes.empty() && !m_request.acceptChanges)
        return refusedChanges(runLabel(m_opened.record), changes);
    for (const std::string& change : changes)
        events.push_back(event(EventKind::ConfigurationChanged, m_opened.record.iteration,
                               change + " The run goes on, but not exactly as it would have."));
    if (!changes.empty() || before.fingerprint != environment.data.fingerprint) {
        if (const auto saved = saveDataRecord(m_folder, environment.data); !saved)
            return saved.error();
        return m_opened.project->setEnvironment(run(), environment.libraries, environment.cpu,
                                                environment.data.fingerprint);
    }
    return {};
}

Result<void> Session::storeChanges(std::vector<RunEvent>& events) {
    if (m_opened.changes.empty())
        return {};
    for (const ConfigDifference& change : m_opened.changes)
        events.push_back(event(EventKind::ConfigurationChanged, m_opened.record.iteration,
                               fmt::format("{}: {} instead of {}.", change.field->key, change.after, change.before)));
    if (const auto set = m_opened.project->setConfig(run(), toYaml(m_opened.stored)); !set)
        return set.error();
    return m_opened.project->setIterations(run(), m_opened.config.solve.iterations);
}

/// What a new run's data has and its alphabet lacks becomes part of the run.
Result<void> Session::addNewCharacters(const std::string& characters, std::vector<RunEvent>& events) {
    if (characters.empty())
        return {};
    const std::string section = wordInput(m_opened.config.model).section;
    if (isContinuation())
        return Error{ErrorKind::Data,
                     fmt::format("The data has characters that the run's alphabet lacks: {}.", characters),
                     runLabel(m_opened.record),
                     "A run keeps its alphabet: set data.on_unknown_character to skip, or start a fine-tune."};
    addCharacters(m_opened.config.model, characters);
    addCharacters(m_opened.stored.model, characters);
    events.push_back(
        event(EventKind::Note, 0, fmt::format("{}.alphabet has new characters of the data: {}", section, characters)));
    return m_opened.project->setConfig(run(), toYaml(m_opened.stored));
}

Result<RunOutcome> Session::trainFrom(const ResumePoint& point, const RunData& data,
                                      const std::vector<RunEvent>& events, RunSink& sink) {
    const RunConfig& config = m_opened.config;
    const auto task = Task::make(config, data.classes);
    const auto metric = bestMetricOf(*task, config);
    if (!metric)
        return metric.error();
    auto catalog = ProjectCheckpointCatalog::open(m_opened.project->folder(), run(), *metric);
    if (!catalog)
        return catalog.error();
    auto recorder = RunRecorder::start(m_opened.project->folder(), run(), point.iteration);
    if (!recorder)
        return recorder.error();
    SinkFan fan;
    LoaderWarnings warnings(fan);
    fan.add(warnings);
    fan.add(**recorder);
    RecorderNews news(**recorder, sink);
    fan.add(news);
    RunOutputs outputs(config, m_folder, point.iteration, fan);
    fan.add(outputs);
    fan.add(sink);
    for (const RunEvent& one : events)
        fan.onEvent(one);

    auto batches = makeBatches(config, data, warnings.box());
    if (!batches)
        return batches.error();
    TaskEvaluator evaluator(*task, config, data.validation, *metric, m_folder / "pictures", warnings.box());
    TrainerParts parts;
    parts.config = config;
    parts.makeModel = [&] { return makeModel(config, {data.classes, config.seed}); };
    parts.batches = batches->get();
    parts.evaluator = data.validation.empty() ? nullptr : &evaluator;
    parts.catalog = catalog->get();
    parts.sink = &fan;
    parts.mailbox = &m_mailbox;
    parts.runFolder = m_folder;
    parts.resumeFrom = point.file;
    parts.weights = m_weights;
    parts.resolvedConfig = toYaml(m_opened.stored);
    parts.notes = notesOf(data.classes);
    RunOutcome outcome = Trainer(std::move(parts)).run();
    (*batches)->stop();
    if (outcome.status == RunStatus::Finished)
        if (const auto unmet = unmetSentence(heldAgainst(config.evaluate, evaluator.newestMetrics()))) {
            m_unmet = Error{ErrorKind::Unexpected, *unmet, "evaluate.expected", ""};
            fan.onEvent(event(EventKind::Warning, outcome.iteration, *unmet));
        }
    warnings.deliver(outcome.iteration); // what was boxed since the last report
    outputs.finish();
    // What the recorder could not write shows as a warning, unless the run failed for a graver reason.
    if (const auto drained = (*recorder)->drain(); !drained)
        sink.onEvent(event(EventKind::Warning, outcome.iteration, drained.error().sentence()));
    news.deliver();
    return outcome;
}
} // namespace

Result<std::unique_ptr<TrainingSession>> TrainingSession::open(TrainingRequest request) {
    auto opened = request.run ? openRunAgain(request) : openNewRun(request);
    if (!opened)
        return opened.error();
    return std::unique_ptr<TrainingSession>(std::make_unique<Session>(std::move(request), std::move(*opened)));
}

} // namespace trainyard
