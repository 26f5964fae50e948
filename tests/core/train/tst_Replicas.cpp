#include "core/train/ReplicaTeam.h"
#include "tests/core/train/ToyTraining.h"
#include "tests/support/TestData.h"

#include <ATen/ATen.h>

#include <cmath>
#include <limits>

using namespace trainyard;
using namespace trainyard::testing;

class tst_Replicas : public QObject {
    Q_OBJECT
private Q_SLOTS:
    /// Twelve updates of two replicas and of one, with half the batch each: the same weights to rounding.
    void twoGiveTheUpdateOfOne() {
        ScratchFolder one, two;
        ToyRun single(one.path()), pair(two.path(), {}, 2);
        QCOMPARE(single.run().status, RunStatus::Finished);
        QCOMPARE(pair.run().status, RunStatus::Finished);
        const auto expected = readCheckpoint(single.checkpoint(12)), got = readCheckpoint(pair.checkpoint(12));
        VERIFY_RESULT(expected);
        VERIFY_RESULT(got);
        // A bias gradient sums every pixel of the batch, here in another order: float32 keeps five digits of such a
        // sum after twelve updates, measured by the tensor's scale. A sum in place of a mean is off in the first.
        for (std::size_t i = 0; i < expected->model.size(); ++i) {
            const auto& [name, whole] = expected->model[i];
            const double scale = whole.abs().max().item<double>();
            QVERIFY2((whole - got->model[i].second).abs().max().item<double>() < 1e-5 * scale, name.c_str());
        }
        for (std::size_t i = 0; i < 12; ++i) {
            const double a = single.sink.steps[i].loss, b = pair.sink.steps[i].loss;
            QVERIFY(std::abs(a - b) < 1e-6 * a);
            QCOMPARE(pair.sink.steps[i].samples, std::int64_t(8));
        }
        QVERIFY(pair.sink.steps[0].seconds.communication > 0);
        QCOMPARE(got->random.size(), std::size_t(2));
        QVERIFY(!got->random[0].second.equal(got->random[1].second));
    }

    void averageTheirRunningStatistics() {
        ScratchFolder folder;
        ToyRun run(folder.path(), {.hasBatchNorm = true}, 2);
        run.parts.config.solve.iterations = 1;
        run.parts.config.solve.baseLr = 1e-30;
        QCOMPARE(run.run().status, RunStatus::Finished);
        // by hand: 0.9 * 0 + 0.1 * mean over both halves of what the convolution gives, which is the mean of the whole
        ToyBatches source;
        const Batch whole = source.next()->parts[0];
        const auto state = readCheckpoint(run.checkpoint(1));
        NamedTensors named = state->model;
        const auto tensor = [&](const std::string& name) {
            for (const auto& [key, value] : named)
                if (key == name)
                    return value;
            return at::Tensor();
        };
        const at::Tensor mean =
            at::conv2d(whole.images, tensor("conv.weight"), tensor("conv.bias")).mean({0, 2, 3}) * 0.1;
        QVERIFY(at::allclose(tensor("norm.running_mean"), mean, 1e-5, 1e-7));
        QCOMPARE(tensor("norm.num_batches_tracked").item<std::int64_t>(), std::int64_t(1));
    }

    /// Dropout draws from the one generator that all threads share, and yet two runs agree to the bit.
    void drawReproducibly() {
        ScratchFolder one, two;
        ToyRun first(one.path(), {.dropout = 0.5}, 2), second(two.path(), {.dropout = 0.5}, 2);
        (void)first.run();
        (void)second.run();
        QCOMPARE(first.sink.losses(), second.sink.losses());
        QVERIFY(first.sink.events(EventKind::Warning).empty());
    }

    void stopTogetherAtANonFiniteLossOfOne() {
        ScratchFolder folder;
        ToyRun run(folder.path(), {}, 2);
        run.batches.spoil = [](StepBatch& batch) {
            if (batch.step == 3)
                batch.parts[1].images.fill_(std::numeric_limits<double>::infinity());
        };
        const RunOutcome outcome = run.run();
        QCOMPARE(outcome.status, RunStatus::Failed);
        QCOMPARE(outcome.error->kind, ErrorKind::NonFinite);
        QCOMPARE(outcome.iteration, std::int64_t(3));
    }

    /// One replica's part of the data lacks its labels.
    void endTogetherWhereThePartOfOneIsOfNoUse() {
        ScratchFolder folder;
        ToyRun run(folder.path(), {}, 2);
        run.batches.spoil = [](StepBatch& batch) {
            if (batch.step == 3)
                batch.parts[1].targets.clear();
        };
        const RunOutcome outcome = run.run();
        QCOMPARE(outcome.status, RunStatus::Failed);
        QCOMPARE(outcome.iteration, std::int64_t(3));
    }

    void endTogetherWhereTheDataFails() {
        ScratchFolder folder;
        ToyRun run(folder.path(), {}, 2);
        run.batches.failsAt = 3;
        const RunOutcome outcome = run.run();
        QCOMPARE(outcome.status, RunStatus::Failed);
        QCOMPARE(outcome.error->kind, ErrorKind::Data);
        QVERIFY(std::filesystem::exists(run.checkpoint(3)));
    }

    /// Writing throws, on a thread of its own, as often as it is tried: the run pauses, is stopped and ends.
    void endTogetherWhereWritingThrows() {
        ScratchFolder folder;
        ToyRun run(folder.path(), {}, 2);
        run.disk.throwsLeft = 1000;
        run.disk.free = 0;
        run.sink.afterEvent = [&](const RunEvent& event) {
            if (event.kind == EventKind::Paused)
                run.mailbox.put({Command::Kind::Stop});
        };
        const RunOutcome outcome = run.run();
        QCOMPARE(outcome.status, RunStatus::Failed);
        QCOMPARE(outcome.error->what, std::string("Writing the checkpoint failed: the disk is on fire."));
    }

    /// The loss of one replica alone is no number, over a batch in parts: nobody waits in the average.
    void stopTogetherAtANonFiniteLossWhileAccumulating() {
        ScratchFolder folder;
        ToyRun run(folder.path(), {}, 2);
        run.parts.config.solve.accumulate = 2;
        run.batches.spoil = [](StepBatch& batch) {
            if (batch.step == 7)
                batch.parts[0].images.fill_(std::numeric_limits<double>::quiet_NaN());
        };
        const RunOutcome outcome = run.run();
        QCOMPARE(outcome.error->kind, ErrorKind::NonFinite);
        QCOMPARE(outcome.iteration, std::int64_t(3));
    }

    void endTogetherWhereOneThrows_data() {
        QTest::addColumn<int>("rank");
        QTest::newRow("the first") << 0;
        QTest::newRow("the second") << 1;
    }
    void endTogetherWhereOneThrows() {
        QFETCH(int, rank);
        ScratchFolder folder;
        ToyRun run(folder.path(), {}, 2);
        run.batches.spoil = [&](StepBatch& batch) {
            if (batch.step == 3)
                batch.parts[std::size_t(rank)].images = at::zeros({4, 2, 8, 8});
        };
        const RunOutcome outcome = run.run();
        QCOMPARE(outcome.status, RunStatus::Failed);
        QVERIFY2(outcome.error->what.find("channels") != std::string::npos,
                 outcome.error->what.c_str()); // the cause itself
    }

    /// One rank fails while the other waits for it in the average: the wait ends with the cause.
    void awaitNobodyWhoHasLeft_data() {
        QTest::addColumn<bool>("isStranger");
        QTest::addColumn<QString>("said");
        QTest::newRow("an exception") << false << "the device is lost";
        QTest::newRow("something else that is thrown") << true << "a replica failed without saying why";
    }
    void awaitNobodyWhoHasLeft() {
        QFETCH(bool, isStranger);
        QFETCH(QString, said);
        auto communicators = makeLocalCommunicators(2, "cpu");
        VERIFY_RESULT(communicators);
        RunConfig config;
        config.solve.optimizer = "sgd";
        std::vector<std::unique_ptr<Replica>> replicas;
        for (int rank = 0; rank < 2; ++rank)
            replicas.push_back(std::make_unique<Replica>(rank, c10::Device(c10::kCPU), makeToyModel({}), config, false,
                                                         std::move((*communicators)[std::size_t(rank)])));
        ReplicaTeam team(std::move(replicas), 1);
        std::string what;
        try {
            team.forEach([&](Replica& replica) {
                if (replica.rank() == 1 && isStranger)
                    throw 1;
                if (replica.rank() == 1)
                    throw std::runtime_error("the device is lost");
                replica.takeFirstValues();
            });
        } catch (const std::exception& failure) {
            what = failure.what();
        }
        QVERIFY2(what.find(said.toStdString()) != std::string::npos, what.c_str());
    }

    void refuseABatchInOtherParts() {
        ScratchFolder folder;
        ToyRun run(folder.path(), {}, 1);
        run.parts.config.train.devices = {"cpu", "cpu"};
        const RunOutcome outcome = run.run();
        QCOMPARE(outcome.status, RunStatus::Failed);
        QCOMPARE(outcome.error->what, std::string("The loader cut a batch into 1 parts for 2 replicas."));
    }
};

QTEST_GUILESS_MAIN(tst_Replicas)
#include "tst_Replicas.moc"
