// What the engine's module says of a configuration before it trains.
#include "app/workbench/engine/DataLook.h"
#include "app/workbench/engine/ModelScale.h"
#include "core/base/AtomicFile.h"
#include "core/config/ConfigFile.h"
#include "tests/support/TestData.h"

#include <QtTest>

using namespace trainyard;

class tst_WindowEngine : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void countsWhatACrnnLearns() {
        RunConfig config;
        config.model.type = "crnn";
        config.model.crnn.stemChannels = 24;
        config.model.crnn.hidden = 96;
        config.model.crnn.layers = 1;
        config.train.precision = "fp32";
        config.solve.optimizer = "adam";
        config.data.batchSize = 2;
        const auto weight = weighModel(config, {});
        VERIFY_RESULT(weight);
        // By hand. Kernels 3x3 without offsets, the last 2x3: 24·(1 + 48) + 96·(48 + 96) + 192·(96 + 192), times 9, and
        // 192·192·6; scale and offset of each channel; both directions of an LSTM of 4·96·(192 + 96) and two offsets of
        // 4·96; 37 outputs of 192 and their offsets.
        const std::int64_t kernels = 9 * (24 * (1 + 48) + 96 * (48 + 96) + 192 * (96 + 192)) + 192 * 192 * 6;
        const std::int64_t norms = 2 * (24 + 48 + 96 + 96 + 192 + 192 + 192);
        const std::int64_t lstm = 2 * (4 * 96 * (192 + 96) + 2 * 4 * 96);
        const std::int64_t head = 37 * 192 + 37;
        QCOMPARE(weight->parameters, kernels + norms + lstm + head);
        // three numbers each (itself and Adam's two), a running mean and deviation a channel, seven 8-byte counters
        QVERIFY(weight->checkpointBytes >= 12 * weight->parameters + 4 * norms);
        QVERIFY(weight->checkpointBytes <= 12 * weight->parameters + 4 * norms + 7 * 8);
        QVERIFY(weight->memoryBytes > 16 * weight->parameters);
    }

    void aLargerBatchNeedsMore() {
        RunConfig config;
        config.model.type = "crnn";
        config.model.crnn.stemChannels = 16;
        config.model.crnn.hidden = 32;
        config.train.precision = "fp32";
        config.data.batchSize = 8;
        const auto small = weighModel(config, {});
        config.data.batchSize = 4008;
        const auto large = weighModel(config, {});
        VERIFY_RESULT(small);
        VERIFY_RESULT(large);
        // the first convolution alone keeps 16 channels of 32 by 100 numbers a sample
        QVERIFY(large->memoryBytes - small->memoryBytes > 4000 * (16 * 32 * 100 * 4));
    }

    void aDetectorsHeadGrowsWithItsClasses() {
        RunConfig config;
        config.model.type = "retinanet";
        config.model.retinanet.inputSize = 128;
        const auto one = weighModel(config, {"a"});
        const auto three = weighModel(config, {"a", "b", "c"});
        VERIFY_RESULT(one);
        VERIFY_RESULT(three);
        // nine anchors a place; each class a 3x3 kernel over 256 channels and an offset
        QCOMPARE(three->parameters - one->parameters, std::int64_t(2 * 9 * (256 * 9 + 1)));
    }

    void findsWhatATrainingWouldFind() {
        NEED_SHARED_DATA(cells, "bccd_voc");
        RunConfig config;
        config.model.type = "retinanet";
        config.data.train = {{"auto", cells.string(), "", "", 0}};
        config.data.validation = {{"auto", cells.string(), "test", "", 0}};
        testing::ScratchFolder project;
        const auto found = findInData(config, project.path(), {});
        VERIFY_RESULT(found);
        QCOMPARE(found->sets.size(), std::size_t(2));
        QVERIFY(found->sets[0].isForTraining && !found->sets[1].isForTraining);
        QCOMPARE(found->classes.size(), std::size_t(3));
        QVERIFY(found->sets[0].samples > found->sets[1].samples);
        QVERIFY(found->sets[0].objects > found->sets[0].samples); // cells stand close together
        LookControl cancelled;
        cancelled.isCancelled = [] { return true; };
        const auto stopped = findInData(config, project.path(), cancelled);
        QVERIFY(!stopped);
        QCOMPARE(stopped.error().kind, ErrorKind::Interrupted);
    }

    void saysWhatCannotBeFound() {
        RunConfig config;
        config.data.train = {{"auto", "/there/is/none", "", "", 0}};
        testing::ScratchFolder project;
        const auto found = findInData(config, project.path(), {});
        QVERIFY(!found);
        QCOMPARE(found.error().kind, ErrorKind::Data);
        QVERIFY(found.error().where.find("/there/is/none") != std::string::npos);
    }
};

QTEST_GUILESS_MAIN(tst_WindowEngine)
#include "tst_WindowEngine.moc"
