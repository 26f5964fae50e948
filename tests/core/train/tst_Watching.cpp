#include "tests/core/train/ToyTraining.h"
#include "tests/support/TestData.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>
#include <set>

using namespace trainyard;
using namespace trainyard::testing;

namespace {

const OperatorCall* callNamed(const GraphReport& graph, const std::string& name) {
    const auto found =
        std::find_if(graph.calls.begin(), graph.calls.end(), [&](const auto& call) { return call.name == name; });
    return found == graph.calls.end() ? nullptr : &*found;
}

std::string noteWith(const RecordingSink& sink, const std::string& start) {
    for (const RunEvent& event : sink.all)
        if (event.text.starts_with(start))
            return event.text;
    return "";
}

} // namespace

/// What a run tells of itself beside its losses.
class tst_Watching : public QObject {
    Q_OBJECT
private Q_SLOTS:
    // A convolution of [8, 1, 8, 8] by [4, 1, 3, 3] gives [8, 4, 6, 6]; ReLU, mean, dense layer and loss follow.
    void listsTheOperatorsOfTheFirstIteration() {
        ScratchFolder folder;
        ToyRun run(folder.path());
        (void)run.run();
        QCOMPARE(run.sink.graphs.size(), std::size_t(1));
        const GraphReport& graph = run.sink.graphs[0];
        QCOMPARE(graph.iteration, std::int64_t(1));
        const OperatorCall* convolution = callNamed(graph, "aten::conv2d");
        QVERIFY(convolution && convolution->inputs.size() == 3);
        QCOMPARE(convolution->inputs[0].shape, (std::vector<std::int64_t>{8, 1, 8, 8}));
        QCOMPARE(convolution->inputs[1].parameter, std::string("conv.weight"));
        QCOMPARE(convolution->inputs[2].parameter, std::string("conv.bias"));
        QCOMPARE(convolution->outputs[0].shape, (std::vector<std::int64_t>{8, 4, 6, 6}));
        QCOMPARE(convolution->outputs[0].type, std::string("float32"));
        const OperatorCall* relu = callNamed(graph, "aten::relu");
        QVERIFY(relu);
        QCOMPARE(&graph.calls[std::size_t(relu->inputs[0].call)], convolution); // that is where it comes from
        QVERIFY(!callNamed(graph, "aten::convolution")); // within the other
        const OperatorCall* dense = callNamed(graph, "aten::addmm");
        QVERIFY(dense);
        QCOMPARE(dense->inputs[0].parameter, std::string("head.bias"));
    }

    void watchingDisturbsNothing() {
        ScratchFolder folder;
        ToyRun run(folder.path());
        run.parts.config.train.graphFiles = false;
        (void)run.run();
        QVERIFY(run.sink.graphs.empty() && run.sink.initial.empty());
        ScratchFolder other;
        ToyRun watched(other.path());
        watched.parts.config.train.profileAt = 3;
        watched.parts.config.train.eventFiles = true;
        (void)watched.run();
        QCOMPARE(watched.sink.losses(), run.sink.losses());
    }

    void tellsHowParametersBegan() {
        ScratchFolder folder;
        ToyRun run(folder.path());
        run.parts.config.solve.freeze = {"^conv"};
        (void)run.run();
        QCOMPARE(run.sink.initial.size(), std::size_t(1));
        const auto& values = run.sink.initial[0].parameters;
        QCOMPARE(values.size(), std::size_t(4));
        QCOMPARE(values[0].name, std::string("conv.weight"));
        QCOMPARE(values[0].shape, (std::vector<std::int64_t>{4, 1, 3, 3}));
        QVERIFY(!values[0].isTrained && values[2].isTrained);
        // LibTorch's own: uniform within 1 / 3 for 9 inputs, so of deviation 0.19 and less than that at the ends
        QVERIFY(values[0].minimum >= -1.0 / 3 && values[0].maximum <= 1.0 / 3);
        QVERIFY(std::abs(values[0].deviation - 1 / std::sqrt(27.0)) < 0.06);
        ToyRun further(folder.path());
        further.parts.config.solve.iterations = 14;
        further.parts.resumeFrom = run.checkpoint(12);
        (void)further.run();
        QVERIFY(further.sink.initial.empty()); // that run began long ago
    }

    void timesTheOperatorsOfOneIteration() {
        ScratchFolder folder;
        ToyRun run(folder.path());
        run.parts.config.train.profileAt = 5;
        (void)run.run();
        QCOMPARE(run.sink.profiles.size(), std::size_t(1));
        const ProfileReport& profile = run.sink.profiles[0];
        QCOMPARE(profile.iteration, std::int64_t(5));
        std::set<std::string> names;
        for (const OperatorSpan& span : profile.spans) {
            names.insert(span.name);
            QVERIFY(span.microseconds >= 0 && span.startMicroseconds >= 0);
        }
        QVERIFY(names.contains("aten::conv2d"));
        QVERIFY(std::any_of(names.begin(), names.end(), [](const auto& name) { // the backward pass too
            return name.find("ackward") != std::string::npos;
        }));
        ToyRun late(folder.path());
        late.parts.config = run.parts.config;
        late.parts.config.solve.iterations = 14;
        late.parts.resumeFrom = run.checkpoint(12);
        (void)late.run();
        QVERIFY(late.sink.profiles.empty()); // a session that begins behind it has none
    }

    void showsTheModelsPicturesWithItsStatistics() {
        ScratchFolder folder;
        ToyRun run(folder.path());
        run.parts.config.train.eventFiles = true;
        (void)run.run();
        QCOMPARE(run.sink.pictures.size(), run.sink.statistics.size());
        const PictureReport& report = run.sink.pictures[1];
        QCOMPARE(report.iteration, std::int64_t(6));
        QCOMPARE(report.pictures[0].width, 8);
        QCOMPARE(report.pictures[0].pixels.size(), std::size_t(64));
        QCOMPARE(report.values[0].second.count, std::int64_t(8 * 4 * 6 * 6));
        const TensorStatistics& gradient = run.sink.statistics[0].parameters[0].gradient;
        std::uint64_t below = 0;
        for (const std::uint32_t count : gradient.negatives)
            below += count;
        QVERIFY(below > 0 && below < std::uint64_t(gradient.count)); // 36 gradients are hardly of one sign
    }

    void passesOnTheModelsMetrics() {
        ScratchFolder one, two;
        ToyRun single(one.path()), pair(two.path(), {}, 2);
        (void)single.run();
        (void)pair.run();
        QCOMPARE(single.sink.steps[0].metrics.size(), std::size_t(1));
        QCOMPARE(pair.sink.steps[0].metrics.size(), std::size_t(1)); // the mean of both
        QVERIFY(std::abs(single.sink.steps[0].metrics[0].second - pair.sink.steps[0].metrics[0].second) < 1e-6);
    }

    void tellsWhatPatternsPick() {
        ScratchFolder folder;
        ToyRun run(folder.path());
        run.parts.config.solve.biasMultiplier = 2;
        run.parts.config.solve.freeze = {"conv\\.weight", "nothing"};
        QCOMPARE(run.run().status, RunStatus::Finished);
        QCOMPARE(noteWith(run.sink, "Gradients multiplied"),
                 std::string("Gradients multiplied by 2: conv.bias, head.bias."));
        QCOMPARE(noteWith(run.sink, "Frozen"), std::string("Frozen: conv.weight."));
        QVERIFY(noteWith(run.sink, "The pattern \"nothing\"").size() > 0);
        ToyRun none(folder.path());
        none.parts.config.solve.biasMultiplier = 2;
        none.parts.config.solve.biasPattern = "offset";
        const RunOutcome refused = none.run();
        QCOMPARE(refused.error->kind, ErrorKind::Usage);
        QVERIFY(refused.error->what.find("\"offset\"") != std::string::npos);
    }

    // Detectron's rule: the first rate and every change by more than a tenth are told, a slow warm-up is not.
    void tellsTheRateWhereItJumps() {
        ScratchFolder folder;
        ToyRun run(folder.path());
        run.parts.config.solve.policy = "steps";
        run.parts.config.solve.steps = {8};
        run.parts.config.solve.baseLr = 0.09;
        run.parts.config.solve.warmUp = {6, 0.9, "linear"}; // 1.7 % an iteration
        run.parts.config.solve.rateInMomentum = true;
        (void)run.run();
        std::vector<std::pair<std::int64_t, std::string>> told;
        for (const RunEvent& event : run.sink.events(EventKind::Note))
            if (event.text.starts_with("The learning rate"))
                told.emplace_back(event.iteration, event.text);
        QCOMPARE(told.size(), std::size_t(2));
        QCOMPARE(told[0].second, std::string("The learning rate is 0.081."));
        QCOMPARE(told[1].first, std::int64_t(8)); // before update 9
        QCOMPARE(told[1].second, std::string("The learning rate changes from 0.09 to 0.009. "
                                             "The momentum is scaled with it, by 0.1."));
    }

    // Every 100 s by the clock, of which an update takes 30, and every 5 iterations besides.
    void savesByTheClockToo() {
        ScratchFolder folder;
        ToyRun run(folder.path());
        run.parts.evaluator = nullptr;
        run.parts.config.train.checkpointEverySeconds = 100;
        run.sink.afterStep = [&](std::int64_t) { run.disk.now += 30'000'000; };
        (void)run.run();
        // 4 after 120 s, 5 by iterations, 9 after 120 s more, 10 by iterations, 12 at the end
        QCOMPARE(iterations(run.sink.checkpoints), (std::vector<std::int64_t>{4, 5, 9, 10, 12}));
    }
};

QTEST_GUILESS_MAIN(tst_Watching)
#include "tst_Watching.moc"
