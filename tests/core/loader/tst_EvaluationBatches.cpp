#include "core/loader/EvaluationBatches.h"
#include "tests/core/loader/NumberedDataset.h"
#include "tests/support/TestData.h"

#include <ATen/ATen.h>

using namespace trainyard;
using namespace trainyard::testing;

namespace {

EvaluationBatchesParts parts(std::int64_t workers, DatasetList datasets) {
    EvaluationBatchesParts parts;
    parts.config.data.workers = workers;
    parts.config.evaluate.batchSize = 4;
    parts.datasets = std::move(datasets);
    parts.transforms = std::make_shared<TransformChain>();
    return parts;
}

std::vector<std::string> ids(EvaluationBatches& batches) {
    std::vector<std::string> names;
    for (auto batch = batches.next(); batch && *batch; batch = batches.next())
        for (const SampleInfo& sample : (*batch)->samples)
            names.push_back(sample.id);
    return names;
}

} // namespace

class tst_EvaluationBatches : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void showsEverySampleOnceInOrder_data() {
        QTest::addColumn<int>("workers");
        QTest::newRow("one") << 1;
        QTest::newRow("five") << 5;
    }
    void showsEverySampleOnceInOrder() {
        QFETCH(int, workers);
        EvaluationBatches batches(
            parts(workers, {std::make_shared<NumberedDataset>("a", 6), std::make_shared<NumberedDataset>("b", 3)}));
        QCOMPARE(batches.sampleCount(), std::int64_t(9));
        QCOMPARE(ids(batches), (std::vector<std::string>{"a0", "a1", "a2", "a3", "a4", "a5", "b0", "b1", "b2"}));
        QVERIFY(!*batches.next()); // and stays at the end
    }

    void spreadsALimitOverTheData() {
        auto limited = parts(1, {std::make_shared<NumberedDataset>("a", 10)});
        limited.config.evaluate.maxSamples = 4;
        EvaluationBatches batches(std::move(limited));
        QCOMPARE(ids(batches), (std::vector<std::string>{"a0", "a2", "a5", "a7"}));
    }

    void takesACountOfAnEndlessSet() {
        auto endless = parts(1, {std::make_shared<NumberedDataset>("a", Dataset::kEndless)});
        endless.config.data.rendered.validationCount = 3;
        EvaluationBatches batches(std::move(endless));
        QCOMPARE(ids(batches), (std::vector<std::string>{"a0", "a1", "a2"}));
    }

    void leavesDamagedImagesOut() {
        auto damaged = parts(2, {std::make_shared<NumberedDataset>("a", 6, std::set<std::int64_t>{0, 1, 2, 3})});
        std::atomic<int> warnings = 0;
        damaged.warn = [&](const std::string&) { ++warnings; };
        EvaluationBatches batches(std::move(damaged));
        QCOMPARE(ids(batches), (std::vector<std::string>{"a4", "a5"})); // past a batch without any
        QCOMPARE(warnings.load(), 4);
    }

    void endsAtADamagedImageWhereToldTo() {
        auto damaged = parts(1, {std::make_shared<NumberedDataset>("a", 6, std::set<std::int64_t>{1})});
        damaged.config.data.onDamaged = "stop";
        EvaluationBatches batches(std::move(damaged));
        const auto batch = batches.next();
        QVERIFY(!batch && batch.error().kind == ErrorKind::Data && batch.error().where == "a1");
    }

    void isStoppedWhileItWaitsForARead() {
        auto dataset = std::make_shared<HangingDataset>("a", 6, 4);
        EvaluationBatches batches(parts(1, {dataset}));
        QCOMPARE((*batches.next())->size(), std::int64_t(4));
        const auto batch = batches.next([] { return true; });
        QVERIFY(!batch && batch.error().kind == ErrorKind::Interrupted);
        dataset->release();
    }

    void endsAtOnceWithoutData() {
        EvaluationBatches batches(parts(2, {}));
        QVERIFY(!*batches.next());
    }
};

QTEST_GUILESS_MAIN(tst_EvaluationBatches)
#include "tst_EvaluationBatches.moc"
