#include "core/train/TrainingLoop.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace trainyard {

namespace {

constexpr double kNotedRatio = 1.1; ///< a learning rate that changes by more is told

/// While it lives, the averaged weights are the model's.
class AveragesInPlace {
public:
    explicit AveragesInPlace(WeightAverage* average) : m_average(average) { exchange(); }
    ~AveragesInPlace() { exchange(); }
    AveragesInPlace(const AveragesInPlace&) = delete;
    AveragesInPlace& operator=(const AveragesInPlace&) = delete;

private:
    void exchange() {
        if (m_average)
            m_average->exchange();
    }
    WeightAverage* m_average; ///< null: nothing is done
};

} // namespace

TrainingLoop::TrainingLoop(const TrainerParts& parts, CheckpointDisk& disk, ReplicaTeam& team, WeightAverage* average,
                           CheckpointKeeper& keeper, RunVoice& voice, RunProgress& progress)
    : m_parts(parts), m_disk(disk), m_team(team), m_average(average), m_keeper(keeper), m_voice(voice),
      m_progress(progress), m_policy(makePolicy(parts.config.solve)),
      m_steps(parts.config, team, *parts.batches, [this] { return isStopWanted(); }) {}

RunOutcome TrainingLoop::run() {
    m_steps.seek(m_progress.iteration);
    m_savedMicroseconds = m_disk.wallMicroseconds();
    m_voice.phase(Phase::Running, "training");
    while (!isDone()) {
        obeyCommands();
        if (m_isStopping || m_failure)
            break;
        if (auto error = iterate())
            return finish(std::move(error));
    }
    return finish(std::exchange(m_failure, std::nullopt));
}

std::optional<Error> TrainingLoop::iterate() {
    if (auto error = step())
        return error;
    if (m_isStopping)
        return std::nullopt;
    m_keeper.hear();
    if (isEvaluationDue())
        if (auto error = evaluate())
            return error;
    saveWhereDue();
    m_keeper.hear();
    if (m_keeper.hasFailed())
        pauseForDisk();
    return std::nullopt;
}

std::optional<Error> TrainingLoop::step() {
    m_metric.reset();
    m_isBest = false;
    const double rate = m_policy->rateAt(m_progress.iteration) * m_progress.rateFactor;
    noteRate(rate);
    auto result = m_steps.run(m_progress.iteration + 1, rate);
    if (!result) {
        if (result.error().kind != ErrorKind::Interrupted)
            return result.error();
        m_isStopping = true; // told to stop while it waited for a batch
        return std::nullopt;
    }
    if (result->finding)
        if (auto error = meetNonFinite(*result->finding))
            return error;
    ++m_progress.iteration;
    m_progress.elapsedSeconds += result->report.seconds.total;
    if (m_average && !result->finding)
        m_average->follow(m_progress.iteration);
    m_voice.reach(m_progress.iteration);
    report(*result);
    return std::nullopt;
}

void TrainingLoop::report(const StepResult& result) {
    RunSink& sink = m_voice.sink();
    if (result.graph)
        sink.onGraph(*result.graph);
    sink.onStep(result.report);
    if (result.statistics)
        sink.onStatistics(*result.statistics);
    if (result.pictures)
        sink.onPictures(*result.pictures);
    if (result.profile)
        sink.onProfile(*result.profile);
    if (result.hasUnorderedRandomness)
        m_voice.event(EventKind::Warning, "The model began to draw random numbers in several replicas at once: this "
                                          "iteration cannot be repeated exactly, later ones can.");
}

/// Says the first rate of a session, and those that differ much from the one before.
void TrainingLoop::noteRate(double rate) {
    const double before = std::exchange(m_rate, rate);
    if (before == rate || rateRatio(before, rate) <= kNotedRatio)
        return;
    const SolveConfig& solve = m_parts.config.solve;
    std::string text = before == 0 ? fmt::format("The learning rate is {:.6g}.", rate)
                                   : fmt::format("The learning rate changes from {:.6g} to {:.6g}.", before, rate);
    constexpr double kNothing = 1e-7;
    if (solve.rateInMomentum && solve.momentum > 0 && solve.momentumRescale > 0 && before > kNothing &&
        rateRatio(before, rate) > solve.momentumRescale)
        text += fmt::format(" The momentum is scaled with it, by {:.6g}.", rate / before);
    m_voice.event(EventKind::Note, text);
}

std::optional<Error> TrainingLoop::meetNonFinite(const NonFiniteFinding& finding) {
    m_voice.event(EventKind::NonFinite, finding.sentence());
    if (auto saved = finding.save(m_parts.config, m_parts.runFolder); !saved)
        m_voice.event(EventKind::Warning, "The batch could not be stored for inspection. " + saved.error().sentence());
    if (m_parts.config.train.onNonFinite != "skip")
        return finding.error(m_parts.config, m_parts.runFolder);
    ++m_progress.skipped;
    return std::nullopt;
}

void TrainingLoop::saveWhereDue() {
    const std::int64_t every = m_parts.config.train.checkpointEvery;
    // One update is not worth a file, as in Detectron.
    const bool isDue = every > 0 && m_progress.iteration > 1 && m_progress.iteration % every == 0;
    if (isDue || isDone() || m_isBest || isTimeToSave())
        save();
}

bool TrainingLoop::isTimeToSave() const {
    const double seconds = m_parts.config.train.checkpointEverySeconds;
    return seconds > 0 && double(m_disk.wallMicroseconds() - m_savedMicroseconds) >= seconds * 1e6;
}

void TrainingLoop::save() {
    if (m_keeper.newest() == m_progress.iteration)
        return;
    if (!m_keeper.settle()) // the one before it could not be written: no use in trying the next
        pauseForDisk();
    if (!m_keeper.hasFailed())
        m_keeper.save(m_progress, m_metric, m_isBest, isDone());
    m_savedMicroseconds = m_disk.wallMicroseconds();
}

bool TrainingLoop::isEvaluationDue() const {
    const std::int64_t every = m_parts.config.train.evaluateEvery;
    return m_parts.evaluator && every > 0 && !m_isStopping && (m_progress.iteration % every == 0 || isDone());
}

std::optional<Error> TrainingLoop::evaluate() {
    m_voice.phase(Phase::Evaluating, "evaluating");
    auto report = score();
    m_voice.phase(Phase::Running, "training");
    if (report) {
        judge(*report);
        return std::nullopt;
    }
    if (report.error().kind == ErrorKind::Interrupted)
        return std::nullopt; // a Stop waits and is obeyed next
    return report.error();
}

Result<EvaluationReport> TrainingLoop::score() {
    const bool isAveraged = m_average && m_parts.config.evaluate.weights == "averaged";
    const AveragesInPlace averages(isAveraged ? m_average : nullptr);
    Model& model = m_team.first().model();
    model.eval();
    auto report = m_parts.evaluator->evaluate(model, m_progress.iteration, [this] { return isStopWanted(); });
    model.train();
    if (report)
        report->weights = isAveraged ? "averaged" : "raw";
    return report;
}

void TrainingLoop::judge(const EvaluationReport& report) {
    m_voice.sink().onEvaluation(report);
    const Evaluator& evaluator = *m_parts.evaluator;
    const std::string& wanted = m_parts.config.train.bestMetric;
    const std::string name = wanted.empty() ? evaluator.mainMetric() : wanted;
    // every metric of ours is better when higher, save error rates; the task's main one says so itself
    const bool isMoreBetter = name == evaluator.mainMetric() ? evaluator.isMoreBetter() : !name.ends_with("error_rate");
    const auto found = std::find_if(report.metrics.begin(), report.metrics.end(),
                                    [&](const auto& metric) { return metric.first == name; });
    if (found == report.metrics.end()) {
        m_voice.event(EventKind::Warning, fmt::format("The evaluation has no metric \"{}\".", name));
        return;
    }
    const double value = found->second;
    if (value < 0) { // by the metrics' convention
        m_voice.event(EventKind::Warning, fmt::format("{} has nothing to measure in the validation data.", name));
        return;
    }
    m_voice.event(EventKind::Evaluated, fmt::format("{} {:.4g}{}", name, value,
                                                    m_average ? fmt::format(" ({} weights)", report.weights) : ""));
    m_metric = value;
    m_isBest =
        !m_progress.bestMetric || (isMoreBetter ? value > *m_progress.bestMetric : value < *m_progress.bestMetric);
    if (m_isBest) {
        m_progress.bestMetric = value;
        m_progress.bestIteration = m_progress.iteration;
    }
}

RunOutcome TrainingLoop::finish(std::optional<Error> error) {
    if (error)
        return fail(std::move(*error));
    if (!isDone())
        return stop();
    save();
    auto settled = m_keeper.settle();
    while (!settled && !m_isStopping) {
        pauseForDisk();
        settled = m_keeper.settle(true);
    }
    if (!settled)
        return fail(settled.error());
    m_voice.event(EventKind::Finished, fmt::format("Finished after {} iterations.", m_progress.iteration));
    return {RunStatus::Finished, m_progress.iteration, std::nullopt};
}

RunOutcome TrainingLoop::stop() {
    m_voice.phase(Phase::Stopping, "saving");
    if (m_keeper.newest() != m_progress.iteration || m_keeper.hasFailed())
        m_keeper.save(m_progress, m_metric, m_isBest, false);
    if (auto settled = m_keeper.settle(); !settled)
        return fail(settled.error());
    m_voice.event(EventKind::Stopped, fmt::format("Stopped at iteration {}.", m_progress.iteration));
    return {RunStatus::Stopped, m_progress.iteration, std::nullopt};
}

RunOutcome TrainingLoop::fail(Error error) {
    const bool isStateGood = error.kind == ErrorKind::Data; // what ended the run did not touch the weights
    if (isStateGood && m_progress.iteration > 0 && m_keeper.newest() != m_progress.iteration)
        m_keeper.save(m_progress, std::nullopt, false, false);
    if (auto settled = m_keeper.settle(true); !settled && error.what != settled.error().what)
        m_voice.event(EventKind::Warning, settled.error().sentence());
    if (error.kind != ErrorKind::NonFinite) // that one was told when it was met
        m_voice.event(EventKind::Failed, error.sentence());
    return {RunStatus::Failed, m_progress.iteration, std::move(error)};
}

} // namespace trainyard
