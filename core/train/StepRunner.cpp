#include "core/train/StepRunner.h"

#include "core/base/Clock.h"
#include "core/solve/ParameterStatistics.h"
#include "core/train/ModelSummary.h"
#include "core/train/OperatorProfile.h"

#include <ATen/ATen.h>
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <unistd.h>

namespace trainyard {
namespace {

/// Adds the seconds of its scope to `target`.
class Stopwatch {
public:
    explicit Stopwatch(double& target) : m_target(target), m_start(steadySeconds()) {}
    ~Stopwatch() { m_target += steadySeconds() - m_start; }

private:
    double& m_target;
    double m_start;
};

void addTo(std::vector<std::pair<std::string, double>>& values, const std::string& name, double value) {
    auto known = std::find_if(values.begin(), values.end(), [&](const auto& entry) { return entry.first == name; });
    if (known == values.end())
        known = values.insert(values.end(), {name, 0.0});
    known->second += value;
}

std::int64_t residentBytes() {
    std::ifstream file("/proc/self/statm");
    std::int64_t pages = 0, resident = 0;
    file >> pages >> resident;
    return resident * ::sysconf(_SC_PAGESIZE);
}

} // namespace

Result<StepResult> StepRunner::run(std::int64_t iteration, double rate) {
    if (iteration != m_config.train.profileAt)
        return runUpdate(iteration, rate);
    OperatorProfile profile;
    auto result = runUpdate(iteration, rate);
    if (result)
        result->profile = ProfileReport{iteration, profile.take()};
    return result;
}

Result<StepResult> StepRunner::runUpdate(std::int64_t iteration, double rate) {
    StepResult result;
    StepReport& report = result.report;
    report.iteration = iteration;
    report.learningRate = rate;
    const double start = steadySeconds();
    m_stepBatches.clear();
    const bool isSkippable = m_config.train.onNonFinite == "skip", isInParts = m_config.solve.accumulate > 1;
    m_team.forEach([&](Replica& replica) {
        replica.clearGradients();
        if (isSkippable || isInParts)
            replica.remember();
    });
    if (auto done = accumulateGradients(result); !done) {
        if (isInParts) // a checkpoint of this moment must not know of the parts that were done
            m_team.forEach([](Replica& replica) { replica.restoreAll(); });
        return done.error();
    }
    if (!result.finding && average(result))
        update(rate, result);
    if (result.finding) {
        reportFinding(result, rate);
        if (isSkippable)
            m_team.forEach([](Replica& replica) { replica.restoreBuffers(); });
    }
    report.memoryBytes = residentBytes();
    report.seconds.total = steadySeconds() - start;
    m_stepBatches.clear();
    return result;
}

Result<void> StepRunner::accumulateGradients(StepResult& result) {
    StepReport& report = result.report;
    for (std::int64_t i = 0; i < m_config.solve.accumulate && !result.finding; ++i) {
        auto batch = m_batches.next(m_isCancelled);
        if (!batch)
            return batch.error();
        if (int(batch->parts.size()) != m_team.size())
            return Error{ErrorKind::Unexpected,
                         fmt::format("The loader cut a batch into {} parts for {} replicas.", batch->parts.size(),
                                     m_team.size()),
                         "", ""};
        if (i == 0)
            report.epoch = batch->epoch;
        report.seconds.dataWait += batch->waitSeconds;
        report.queueFill = batch->queueFill;
        report.queueCapacity = batch->queueCapacity;
        for (const Batch& part : batch->parts)
            report.samples += part.size();
        m_stepBatches.push_back(std::move(*batch));
        runPart(m_stepBatches.back(), result);
    }
    return {};
}

/// With one replica its random state always goes through the generator. With more, the first step takes turns at the
/// forward pass to see whether the model draws at all; a model that does keeps taking turns, for exact resumes.
void StepRunner::runPart(const StepBatch& batch, StepResult& result) {
    const bool takesTurns = m_team.size() == 1 || m_isFirstStep || m_drawsRandomly;
    const c10::Device device = m_team.first().device();
    const at::Tensor before = m_team.first().randomState();
    const at::Tensor sharedBefore = takesTurns ? at::Tensor() : generatorState(device);
    std::vector<Replica::PartResult> parts(std::size_t(m_team.size()));
    const double share = 1.0 / double(m_config.solve.accumulate);
    const bool isWatched = m_isFirstStep && m_config.train.graphFiles;
    m_team.forEach([&](Replica& replica) {
        const auto rank = std::size_t(replica.rank());
        parts[rank] =
            replica.accumulate(batch.parts[rank], share, takesTurns ? &m_randomDoor : nullptr, isWatched && rank == 0);
    });
    if (isWatched)
        result.graph = GraphReport{result.report.iteration, m_team.first().takeWatchedCalls()};
    if (takesTurns) {
        m_drawsRandomly = m_drawsRandomly || !before.equal(m_team.first().randomState());
    } else if (!sharedBefore.equal(generatorState(device))) {
        m_drawsRandomly = true;
        result.hasUnorderedRandomness = true;
    }
    m_isFirstStep = false;
    mergeLosses(parts, result);
}

void StepRunner::mergeLosses(const std::vector<Replica::PartResult>& parts, StepResult& result) {
    StepReport& report = result.report;
    const double share = 1.0 / double(m_config.solve.accumulate * std::int64_t(parts.size()));
    for (const Replica::PartResult& part : parts) {
        for (const auto& [name, loss] : part.losses) {
            addTo(report.losses, name, loss * share);
            report.loss += loss * share;
        }
        for (const auto& [name, value] : part.metrics)
            addTo(report.metrics, name, value * share);
        if (!part.isFinite && !result.finding)
            result.finding.emplace();
    }
    report.seconds.forward += parts.front().forwardSeconds;
    report.seconds.backward += parts.front().backwardSeconds;
}

/// False when the gradients are not finite; then nothing was updated.
bool StepRunner::average(StepResult& result) {
    if (m_team.size() > 1) {
        const Stopwatch stopwatch(result.report.seconds.communication);
        std::vector<bool> wanted = m_team.first().gradientPresence();
        for (int rank = 1; rank < m_team.size(); ++rank) {
            const std::vector<bool> presence = m_team[rank].gradientPresence();
            for (std::size_t i = 0; i < wanted.size(); ++i)
                wanted[i] = wanted[i] || presence[i];
        }
        m_team.forEach([&](Replica& replica) {
            replica.fillGradients(wanted);
            replica.average();
        });
    }
    const Stopwatch stopwatch(result.report.seconds.update);
    std::vector<GradientReport> reports(std::size_t(m_team.size()));
    m_team.forEach([&](Replica& replica) { reports[std::size_t(replica.rank())] = replica.prepareGradients(); });
    result.report.gradientNorm = reports.front().norm;
    if (reports.front().isFinite)
        return true;
    result.finding.emplace().badGradients = reports.front().nonFinite;
    return false;
}

void StepRunner::update(double rate, StepResult& result) {
    const std::int64_t every = m_config.train.summariseEvery;
    const bool isSummarised = every > 0 && (result.report.iteration == 1 || result.report.iteration % every == 0);
    std::vector<double> norms;
    {
        const Stopwatch stopwatch(result.report.seconds.update);
        m_team.forEach(
            [&](Replica& replica) { replica.update(rate, isSummarised && replica.rank() == 0 ? &norms : nullptr); });
    }
    if (isSummarised) {
        const Stopwatch stopwatch(result.report.seconds.statistics);
        summarise(result, norms);
    }
}

void StepRunner::summarise(StepResult& result, const std::vector<double>& updateNorms) {
    const auto& parameters = m_team.first().parameters();
    result.statistics = statisticsOf(parameters, result.report.iteration, updateNorms);
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        const double norm = result.statistics->parameters[i].weight.norm;
        if (!parameters[i].isFrozen)
            result.statistics->regularisation += 0.5 * decayOf(parameters[i], m_config.solve) * norm * norm;
    }
    if (!m_config.train.eventFiles)
        return;
    countNegatives(*result.statistics, parameters);
    auto pictures = pictureReportOf(m_team.first().summarise(m_stepBatches.front().parts.front()));
    pictures.iteration = result.report.iteration;
    if (!pictures.pictures.empty() || !pictures.values.empty())
        result.pictures = std::move(pictures);
}

void StepRunner::reportFinding(StepResult& result, double rate) {
    NonFiniteFinding& finding = *result.finding;
    finding.iteration = result.report.iteration;
    finding.learningRate = rate;
    finding.losses = result.report.losses;
    for (const auto& [name, loss] : finding.losses)
        if (!std::isfinite(loss))
            finding.badLosses.push_back(name);
    finding.badWeights = m_team.first().nonFiniteWeights();
    finding.batches = std::move(m_stepBatches);
}

} // namespace trainyard
