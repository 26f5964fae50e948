#include "core/loader/BatchQueue.h"
#include "tests/core/loader/NumberedDataset.h"
#include "tests/support/TestData.h"

#include <ATen/ATen.h>

#include <mutex>
#include <thread>

using namespace trainyard;
using namespace trainyard::testing;

namespace {

BatchQueueParts twoSets(std::int64_t workers, std::set<std::int64_t> damaged = {}) {
    BatchQueueParts parts;
    parts.config.data.batchSize = 6;
    parts.config.data.workers = workers;
    parts.config.data.train.resize(2);
    parts.config.data.train[0].batchSize = 4;
    parts.datasets = {std::make_shared<NumberedDataset>("a", 11, std::move(damaged)),
                      std::make_shared<NumberedDataset>("b", Dataset::kEndless)};
    parts.transforms = randomChain();
    return parts;
}

std::vector<StepBatch> batches(BatchQueue& queue, int count) {
    std::vector<StepBatch> all;
    for (int i = 0; i < count; ++i)
        all.push_back(std::move(*queue.next()));
    return all;
}

std::vector<std::string> ids(const StepBatch& batch) {
    std::vector<std::string> names;
    for (const Batch& part : batch.parts)
        for (const SampleInfo& sample : part.samples)
            names.push_back(sample.id);
    return names;
}

bool isSame(const StepBatch& a, const StepBatch& b) {
    if (a.step != b.step || a.epoch != b.epoch || a.parts.size() != b.parts.size() || ids(a) != ids(b))
        return false;
    for (std::size_t p = 0; p < a.parts.size(); ++p) {
        if (!a.parts[p].images.equal(b.parts[p].images))
            return false;
        for (const auto& [name, target] : a.parts[p].targets)
            if (!target.equal(b.parts[p].targets.at(name)))
                return false;
    }
    return true;
}

} // namespace

class tst_BatchQueue : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void isTheSameForAnyNumberOfWorkers_data() {
        QTest::addColumn<int>("workers");
        QTest::newRow("three") << 3;
        QTest::newRow("eight") << 8;
    }
    void isTheSameForAnyNumberOfWorkers() {
        QFETCH(int, workers);
        auto one = BatchQueue::create(twoSets(1, {2, 3, 7})), many = BatchQueue::create(twoSets(workers, {2, 3, 7}));
        VERIFY_RESULT(one);
        VERIFY_RESULT(many);
        const auto expected = batches(**one, 40), got = batches(**many, 40); // over 14 epochs of the first set
        for (std::size_t i = 0; i < expected.size(); ++i) {
            QCOMPARE(got[i].step, std::int64_t(i));
            QVERIFY2(isSame(expected[i], got[i]), qPrintable(QString("step %1").arg(i)));
        }
    }

    void seeksToAnyStep() {
        auto queue = BatchQueue::create(twoSets(3));
        VERIFY_RESULT(queue);
        const auto all = batches(**queue, 30);
        for (const std::int64_t step : {17, 3, 29, 0}) {
            (*queue)->seek(step);
            QVERIFY(isSame(*(*queue)->next(), all[std::size_t(step)]));
        }
    }

    void givesEverySetItsShare() {
        auto queue = BatchQueue::create(twoSets(2));
        VERIFY_RESULT(queue);
        QCOMPARE((*queue)->batchSize(), std::int64_t(6));
        for (const StepBatch& batch : batches(**queue, 5)) {
            const auto names = ids(batch);
            QCOMPARE(std::count_if(names.begin(), names.end(), [](const auto& id) { return id[0] == 'a'; }), 4);
        }
    }

    // Two replicas, 4 of the first set and 2 of the second a batch: each gets 2 and 1, the first set's first.
    void everyReplicaGetsItsShareOfEverySet() {
        auto parts = twoSets(1);
        parts.replicas = 2;
        auto queue = BatchQueue::create(std::move(parts));
        const auto batch = *(*queue)->next();
        for (const Batch& part : batch.parts) {
            std::string sets;
            for (const SampleInfo& sample : part.samples)
                sets += sample.id[0];
            QCOMPARE(sets, std::string("aab"));
        }
    }

    void dealsSamplesToReplicas() {
        auto parts = twoSets(1);
        parts.replicas = 2;
        auto whole = BatchQueue::create(twoSets(1)), split = BatchQueue::create(std::move(parts));
        const auto one = *(*whole)->next(), two = *(*split)->next();
        QCOMPARE(two.parts.size(), std::size_t(2));
        QCOMPARE(two.parts[0].images.sizes(), two.parts[1].images.sizes());
        for (int i = 0; i < 6; ++i)
            QVERIFY(one.parts[0].images[i].equal(two.parts[std::size_t(i % 2)].images[i / 2]));
    }

    void replacesDamagedImagesAndTellsOnce() {
        auto parts = twoSets(3, {2, 3, 7});
        std::mutex mutex;
        std::vector<std::string> warnings;
        parts.warn = [&](const std::string& sentence) {
            const std::lock_guard lock(mutex);
            warnings.push_back(sentence);
        };
        auto queue = BatchQueue::create(std::move(parts));
        for (const StepBatch& batch : batches(**queue, 40))
            for (const std::string& id : ids(batch))
                QVERIFY(id != "a2" && id != "a3" && id != "a7");
        const std::lock_guard lock(mutex);
        QCOMPARE(warnings.size(), std::size_t(3)); // though each came up in every epoch
        std::sort(warnings.begin(), warnings.end());
        QCOMPARE(warnings[0], std::string("a2: The image is damaged. Another sample takes its place."));
    }

    void stopsAtADamagedImageWhereToldTo() {
        auto parts = twoSets(2, {5});
        parts.config.data.onDamaged = "stop";
        auto queue = BatchQueue::create(std::move(parts));
        Result<StepBatch> batch = StepBatch{};
        for (int i = 0; i < 3 && batch; ++i) // an epoch
            batch = (*queue)->next();
        QVERIFY(!batch);
        QCOMPARE(batch.error().kind, ErrorKind::Data);
        QCOMPARE(batch.error().where, std::string("a5"));
    }

    void givesUpWhereEverythingIsDamaged() {
        auto parts = twoSets(1, {0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10});
        auto queue = BatchQueue::create(std::move(parts));
        const auto batch = (*queue)->next();
        QVERIFY(!batch);
        QCOMPARE(batch.error().what, std::string("11 samples in a row are damaged."));
    }

    /// `data.prefetch` bounds what is made ahead, whoever is slow: the seeds' queue capacities.
    void neverMakesMoreAheadThanItsCapacity_data() {
        QTest::addColumn<int>("workers");
        QTest::addColumn<int>("capacity");
        QTest::newRow("one thread") << 1 << 2;
        QTest::newRow("four threads") << 4 << 8;
    }
    void neverMakesMoreAheadThanItsCapacity() {
        QFETCH(int, workers);
        QFETCH(int, capacity);
        auto parts = twoSets(workers);
        parts.config.data.prefetch = capacity;
        auto counted = std::make_shared<CountingDataset>("a", 11);
        parts.datasets[0] = counted;
        auto queue = BatchQueue::create(std::move(parts));
        for (int taken = 0; taken < 50; ++taken) {
            counted->mayRead((taken + 1 + capacity) * 4); // a batch has 4 of it; one is being taken
            const auto batch = (*queue)->next();
            VERIFY_RESULT(batch);
            QCOMPARE(batch->queueCapacity, capacity);
            QVERIFY(batch->queueFill <= capacity);
        }
        QVERIFY(!counted->hasReadTooMuch());
    }

    /// Each batch has pictures of one orientation, and an epoch ends where no full one is left.
    void groupsByAspect() {
        BatchQueueParts parts;
        parts.config.data.batchSize = 3;
        parts.config.data.workers = 2;
        parts.config.data.aspectGrouping = true;
        parts.config.data.train.resize(1);
        parts.datasets = {std::make_shared<TurnedDataset>("a", 14)}; // every second one is tall
        parts.transforms = std::make_shared<TransformChain>();
        auto queue = BatchQueue::create(std::move(parts));
        VERIFY_RESULT(queue);
        QCOMPARE((*queue)->stepsPerEpoch(), 4.0); // two of each; one of each is left out
        for (const StepBatch& batch : batches(**queue, 12))
            for (const SampleInfo& sample : batch.parts[0].samples)
                QCOMPARE(sample.height > sample.width, batch.parts[0].images.size(2) > batch.parts[0].images.size(3));
    }

    /// What a crop leaves with too few visible keypoints is replaced like a damaged image, without a word.
    void imagesWithTooFewKeypointsNeverEnter() {
        BatchQueueParts parts;
        parts.config.data.batchSize = 2;
        parts.config.data.minKeypoints = 3;
        parts.config.data.train.resize(1);
        parts.datasets = {std::make_shared<KeypointDataset>("a", 10)}; // image i has i % 5 visible ones
        parts.transforms = std::make_shared<TransformChain>();
        int warnings = 0;
        parts.warn = [&](const std::string&) { ++warnings; };
        auto queue = BatchQueue::create(parts);
        for (const StepBatch& batch : batches(**queue, 20))
            for (const std::string& id : ids(batch))
                QVERIFY2(id == "a3" || id == "a4" || id == "a8" || id == "a9", id.c_str());
        parts.config.data.minKeypoints = 5;
        auto none = BatchQueue::create(parts);
        QCOMPARE((*none)->next().error().what,
                 std::string("10 samples in a row have too few visible keypoints or are damaged."));
        QCOMPARE(warnings, 0);
    }

    /// D56: what counts is the sum over the batch, and the batch in place of another is the same for all workers.
    void batchesWithTooFewKeypointsNeverEnter() {
        BatchQueueParts parts;
        parts.config.data.batchSize = 2;
        parts.config.data.minBatchKeypoints = 5;
        parts.config.data.train.resize(1);
        parts.datasets = {std::make_shared<KeypointDataset>("a", 10)}; // image i has i % 5 visible ones
        parts.transforms = std::make_shared<TransformChain>();
        auto one = BatchQueue::create(parts);
        parts.config.data.workers = 3;
        auto many = BatchQueue::create(parts);
        const auto expected = batches(**one, 20), got = batches(**many, 20);
        bool hasPoorImage = false;
        for (std::size_t i = 0; i < expected.size(); ++i) {
            QVERIFY(isSame(expected[i], got[i]));
            int visible = 0;
            for (const std::string& id : ids(expected[i])) {
                visible += std::stoi(id.substr(1)) % 5;
                hasPoorImage = hasPoorImage || std::stoi(id.substr(1)) % 5 < 3;
            }
            QVERIFY2(visible >= 5, std::to_string(visible).c_str());
        }
        QVERIFY(hasPoorImage); // beside a richer one
        parts.config.data.minBatchKeypoints = 9;
        auto none = BatchQueue::create(parts);
        QCOMPARE((*none)->next().error().what,
                 std::string("1000 batches in a row have fewer than 9 visible keypoints."));
    }

    void refusesAnEmptySet() {
        auto parts = twoSets(1);
        parts.datasets[0] = std::make_shared<NumberedDataset>("a", 0);
        const auto queue = BatchQueue::create(std::move(parts));
        QVERIFY(!queue && queue.error().kind == ErrorKind::Data);
    }

    void stopsWhoeverWaits() {
        auto queue = BatchQueue::create(twoSets(2));
        QVERIFY((*queue)->next().has_value());
        std::thread other([&] { (*queue)->stop(); });
        other.join();
        const auto batch = (*queue)->next();
        QVERIFY(!batch);
        QCOMPARE(batch.error().kind, ErrorKind::Interrupted);
    }

    void endsWithoutEverHavingStarted() {
        auto queue = BatchQueue::create(twoSets(2));
        (*queue)->stop();
        QVERIFY(!(*queue)->next().has_value());
    }
};

QTEST_GUILESS_MAIN(tst_BatchQueue)
#include "tst_BatchQueue.moc"
