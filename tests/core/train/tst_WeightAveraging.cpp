#include "core/train/CheckpointFile.h"
#include "core/train/ModelWeights.h"
#include "tests/core/train/ToyTraining.h"
#include "tests/support/TestData.h"

#include <ATen/ATen.h>

using namespace trainyard;
using namespace trainyard::testing;

namespace {

at::Tensor named(const NamedTensors& tensors, const std::string& name) {
    for (const auto& [own, tensor] : tensors)
        if (own == name)
            return tensor;
    return {};
}

TrainingState stateAt(const ToyRun& run, std::int64_t iteration) {
    auto state = readCheckpoint(run.checkpoint(iteration));
    if (!state)
        throw std::runtime_error(state.error().sentence());
    return std::move(*state);
}

} // namespace

class tst_WeightAveraging : public QObject {
    Q_OBJECT
private Q_SLOTS:
    // The recurrence a = 0.9 a + 0.1 w from the checkpoints of every iteration but the first; both copies are in each.
    void bothCopiesAreInTheCheckpoint() {
        ScratchFolder folder;
        ToyRun run(folder.path());
        run.parts.config.solve.averageDecay = 0.9;
        run.parts.config.train.checkpointEvery = 1;
        run.parts.config.train.keepLast = 100;
        QCOMPARE(run.run().status, RunStatus::Finished);
        at::Tensor average = named(stateAt(run, 2).average, "head.weight").to(at::kDouble);
        for (std::int64_t iteration = 3; iteration <= 12; ++iteration) {
            const TrainingState state = stateAt(run, iteration);
            const at::Tensor weight = named(state.model, "head.weight");
            average = 0.9 * average + 0.1 * weight.to(at::kDouble);
            const at::Tensor stored = named(state.average, "head.weight");
            QVERIFY(at::allclose(stored.to(at::kDouble), average, 1e-5, 1e-7));
            QVERIFY(!at::equal(stored, weight));
        }
        ToyRun without(folder / "without");
        std::filesystem::create_directory(folder / "without");
        (void)without.run();
        QVERIFY(stateAt(without, 12).average.empty());
    }

    void goesOnExactlyAfterAResume() {
        ScratchFolder one, two;
        ToyRun whole(one.path());
        whole.parts.config.solve.averageDecay = 0.9;
        whole.parts.config.solve.averageRamp = true;
        (void)whole.run();
        ToyRun first(two.path());
        first.parts.config = whole.parts.config;
        first.sink.afterStep = [&](std::int64_t iteration) {
            if (iteration == 7)
                first.mailbox.put({Command::Kind::Stop});
        };
        (void)first.run();
        ToyRun second(two.path());
        second.parts.config = whole.parts.config;
        second.parts.resumeFrom = first.checkpoint(7);
        (void)second.run();
        const auto expected = stateAt(whole, 12).average, found = stateAt(second, 12).average;
        QCOMPARE(found.size(), expected.size());
        for (std::size_t i = 0; i < found.size(); ++i)
            QVERIFY(at::equal(found[i].second, expected[i].second));
    }

    void anEvaluationSaysWhichWeightsItUsed_data() {
        QTest::addColumn<QString>("weights");
        QTest::newRow("raw") << "raw";
        QTest::newRow("averaged") << "averaged";
    }
    void anEvaluationSaysWhichWeightsItUsed() {
        QFETCH(QString, weights);
        ScratchFolder folder;
        ToyRun run(folder.path());
        run.parts.config.solve.averageDecay = 0.9;
        run.parts.config.evaluate.weights = weights.toStdString();
        (void)run.run();
        QCOMPARE(run.sink.evaluations.back().weights, weights.toStdString());
        const std::string told = run.sink.events(EventKind::Evaluated).back().text;
        QVERIFY2(told.find("(" + weights.toStdString() + " weights)") != std::string::npos, told.c_str());
        const TrainingState state = stateAt(run, 12);
        QVERIFY(at::equal(run.evaluator.weights.back(),
                          named(weights == "raw" ? state.model : state.average, "head.weight")));
    }

    // Evaluating the averages leaves training as it is.
    void anEvaluationOfAveragesDisturbsNothing() {
        ScratchFolder folder;
        ToyRun run(folder.path());
        run.parts.config.solve.averageDecay = 0.9;
        run.parts.config.evaluate.weights = "averaged";
        run.parts.config.train.evaluateEvery = 1;
        (void)run.run();
        QCOMPARE(run.sink.losses(), undisturbedLosses());
    }

    void aModelTakesAverages() {
        ScratchFolder folder;
        ToyRun run(folder.path());
        run.parts.config.solve.averageDecay = 0.9;
        (void)run.run();
        const TrainingState state = stateAt(run, 12);
        const auto model = makeToyModel({}, 5);
        VERIFY_RESULT(restoreModel(*model, state.model));
        VERIFY_RESULT(takeAverages(*model, state.average));
        QVERIFY(at::equal(model->named_parameters()["head.weight"], named(state.average, "head.weight")));
        const auto none = takeAverages(*model, {});
        QVERIFY(!none);
        QCOMPARE(exitCode(none.error().kind), 2);
        QVERIFY(!takeAverages(*model, {{"head.weight", at::ones({2})}}));
    }
};

QTEST_GUILESS_MAIN(tst_WeightAveraging)
#include "tst_WeightAveraging.moc"
