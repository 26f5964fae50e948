#include "HandMadeProject.h"

#include "core/base/AtomicFile.h"
#include "core/base/Clock.h"
#include "core/base/Random.h"
#include "core/project/RunRecorder.h"

#include <QtTest>

#include <cmath>
#include <limits>

namespace trainyard::testing {
namespace {

template <class T>
T take(Result<T> result) {
    if (!result)
        qFatal("%s", result.error().sentence().c_str());
    return std::move(*result);
}

void need(const Result<void>& result) {
    if (!result)
        qFatal("%s", result.error().sentence().c_str());
}

std::int64_t addRun(Project& project, const std::string& name, const std::string& type, const std::string& task,
                    std::int64_t iterations) {
    NewRun run;
    run.name = name;
    run.modelType = type;
    run.task = task;
    run.config = "model:\n  type: " + type + "\nsolve:\n  iterations: " + std::to_string(iterations) + "\n";
    run.seed = 7;
    run.codeVersion = "0.1.0";
    run.libraries = "LibTorch 1.13.1";
    run.device = "CPU, 2 threads, bf16";
    run.dataFingerprint = "0123456789abcdef";
    run.iterations = iterations;
    return take(project.createRun(run)).id;
}

StepReport stepAt(std::int64_t iteration, std::int64_t iterations, double floor, bool isDetection) {
    Random noise(std::uint64_t(iteration) * 31 + std::uint64_t(floor * 1000));
    const double share = double(iteration) / double(iterations);
    StepReport step;
    step.iteration = iteration;
    const double main = floor + 3.2 * std::exp(-6 * share) + 0.25 * noise.normal() * std::exp(-3 * share) + 0.01;
    if (isDetection)
        step.losses = {{"classification", std::abs(main) * 0.6}, {"box", std::abs(main) * 0.4}};
    else
        step.losses = {{"ctc", std::abs(main)}};
    for (const auto& [name, value] : step.losses)
        step.loss += value;
    const double warmUp = std::min(1.0, double(iteration) / 100.0);
    step.learningRate = 0.002 * warmUp * (0.02 + 0.98 * 0.5 * (1 + std::cos(3.141592653589793 * share)));
    step.gradientNorm = 2.5 * std::exp(-2 * share) * (1 + 0.3 * std::abs(noise.normal()));
    step.seconds.dataWait = 0.0004 * (1 + noise.uniform());
    step.seconds.forward = 0.041 + 0.003 * noise.uniform();
    step.seconds.backward = 0.066 + 0.004 * noise.uniform();
    step.seconds.update = 0.0062 + 0.0004 * noise.uniform();
    step.seconds.statistics = 0.0011;
    step.seconds.total = step.seconds.dataWait + step.seconds.forward + step.seconds.backward + step.seconds.update +
                         step.seconds.statistics;
    step.memoryBytes = 1'900'000'000;
    step.samples = 32;
    return step;
}

StatisticsReport statisticsAt(std::int64_t iteration, std::int64_t iterations) {
    StatisticsReport report;
    report.iteration = iteration;
    const double share = double(iteration) / double(iterations);
    for (const char* name : {"features.0.weight", "features.3.weight", "lstm.weight_ih_l0", "head.weight"}) {
        ParameterReport parameter;
        parameter.name = name;
        parameter.weight.norm = 4 + double(report.parameters.size());
        parameter.weight.count = 1000;
        parameter.gradient.norm = 0.4 * std::exp(-2 * share);
        parameter.gradient.count = 1000;
        parameter.updateToWeight = 1e-3 * std::exp(-3 * share) * (1 + 0.5 * double(report.parameters.size()));
        report.parameters.push_back(parameter);
    }
    return report;
}

struct Stretch {
    std::int64_t run, from, to, iterations;
    double floor = 0.05;
    bool isDetection = false;
    std::int64_t nonFiniteAt = -1;
};

void train(const std::filesystem::path& folder, const Stretch& stretch) {
    auto recorder = take(RunRecorder::start(folder, stretch.run, stretch.from));
    for (std::int64_t iteration = stretch.from + 1; iteration <= stretch.to; ++iteration) {
        StepReport step = stepAt(iteration, stretch.iterations, stretch.floor, stretch.isDetection);
        if (iteration == stretch.nonFiniteAt)
            step.loss = std::numeric_limits<double>::quiet_NaN();
        recorder->onStep(step);
        if (iteration % 50 == 0)
            recorder->onStatistics(statisticsAt(iteration, stretch.iterations));
        if (iteration % 250 == 0) {
            const double share = double(iteration) / double(stretch.iterations);
            const std::string metric = stretch.isDetection ? "bbox/AP50" : "word_accuracy";
            std::vector<std::pair<std::string, double>> metrics = {{metric, 0.92 * (1 - std::exp(-4 * share))}};
            if (!stretch.isDetection)
                metrics.emplace_back("total_edit_distance", 200 * std::exp(-4 * share));
            recorder->onEvaluation({iteration, metrics, 3.5, 200, "validation"});
        }
    }
    need(recorder->drain());
}

void addCheckpoint(Project& project, const std::filesystem::path& folder, std::int64_t run, std::int64_t iteration) {
    const auto record = take(project.run(run));
    const std::string path = "checkpoints/" + std::to_string(iteration) + ".pt";
    std::filesystem::create_directories(folder / record.folder / "checkpoints");
    need(writeFile(folder / record.folder / path, std::string(4096, 'x')));
    take(project.addCheckpoint(run, {iteration, path, 4'700'000, wallMicroseconds()}));
}

} // namespace

HandMadeRuns makeProject(const std::filesystem::path& folder, std::int64_t iterations) {
    auto project = take(Project::open(folder, Project::Mode::ReadWrite, true));
    HandMadeRuns runs;
    runs.finished = addRun(*project, "crnn-words", "crnn", "recognition", iterations);
    take(project->beginSession(runs.finished, 0));
    train(folder, {runs.finished, 0, iterations / 2, iterations});
    for (std::int64_t at = iterations / 6; at <= iterations / 2; at += iterations / 6)
        addCheckpoint(*project, folder, runs.finished, at);
    take(project->beginSession(runs.finished, iterations / 3)); // from an older one: a tail stays behind
    train(folder, {runs.finished, iterations / 3, iterations, iterations});
    for (std::int64_t at = iterations / 2; at <= iterations; at += iterations / 6)
        addCheckpoint(*project, folder, runs.finished, at);
    need(project->setMetric(runs.finished, iterations * 5 / 6, 0.887, true));
    need(project->setBest(runs.finished, "word_accuracy", 0.887));
    need(project->markFinal(runs.finished, iterations));
    need(project->setProgress(runs.finished, iterations, 0.0612, 412));
    need(project->addEvent(runs.finished, {EventKind::Finished, iterations, wallMicroseconds(), ""}));
    need(project->setTags(runs.finished, {"baseline"}));
    need(project->setStatus(runs.finished, RunStatus::Finished));

    runs.lost = addRun(*project, "retinanet-cells", "retinanet", "detection", iterations);
    take(project->beginSession(runs.lost, 0));
    train(folder, {runs.lost, 0, iterations * 3 / 5, iterations, 0.3, true});
    addCheckpoint(*project, folder, runs.lost, iterations / 2);
    need(project->setProgress(runs.lost, iterations * 3 / 5, 0.48, 1260));
    need(project->setStatus(runs.lost, RunStatus::Running)); // nobody holds its lock: lost

    runs.stopped = addRun(*project, "crnn-wide", "crnn", "recognition", iterations);
    take(project->beginSession(runs.stopped, 0));
    train(folder, {runs.stopped, 0, iterations * 4 / 5, iterations, 0.12, false, iterations / 4});
    addCheckpoint(*project, folder, runs.stopped, iterations * 4 / 5);
    need(project->setProgress(runs.stopped, iterations * 4 / 5, 0.153, 655));
    need(project->setStatus(runs.stopped, RunStatus::Stopped));
    return runs;
}

} // namespace trainyard::testing
