#include "core/data/Dataset.h"
#include "core/loader/SamplePlan.h"
#include "tests/support/TestData.h"

#include <algorithm>
#include <set>

using namespace trainyard;

namespace {

/// The indices of dataset `dataset` in the order of `steps` batches.
std::vector<std::int64_t> indices(const SamplePlan& plan, std::size_t dataset, std::int64_t steps) {
    std::vector<std::int64_t> all;
    for (std::int64_t step = 0; step < steps; ++step)
        for (const SampleAddress& address : plan.addresses(step))
            if (address.dataset == dataset)
                all.push_back(address.index);
    return all;
}

DataConfig withShares(std::int64_t batch, std::vector<std::int64_t> shares) {
    DataConfig config;
    config.batchSize = batch;
    for (const std::int64_t share : shares)
        config.train.emplace_back().batchSize = share;
    return config;
}

} // namespace

class tst_SamplePlan : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void showsEverySampleOnceAnEpoch() {
        const SamplePlan plan(1, {10, 7}, {3, 2});
        const auto first = indices(plan, 0, 100), second = indices(plan, 1, 100); // 300 and 200 places
        for (std::size_t epoch = 0; epoch < 30; ++epoch)
            QCOMPARE(std::set(first.begin() + epoch * 10, first.begin() + (epoch + 1) * 10).size(), std::size_t(10));
        for (std::size_t epoch = 0; epoch < 28; ++epoch)
            QCOMPARE(std::set(second.begin() + epoch * 7, second.begin() + (epoch + 1) * 7).size(), std::size_t(7));
    }

    void shufflesEveryEpochAnew() {
        const SamplePlan plan(1, {50}, {50});
        const auto all = indices(plan, 0, 2);
        QVERIFY(!std::equal(all.begin(), all.begin() + 50, all.begin() + 50));
        QVERIFY(!std::is_sorted(all.begin(), all.begin() + 50));
        QVERIFY(indices(SamplePlan(2, {50}, {50}), 0, 1) != indices(SamplePlan(1, {50}, {50}), 0, 1));
    }

    /// A plan that starts at a late step gives what one gives that came all the way.
    void isAFunctionOfTheStepAlone() {
        const SamplePlan walked(5, {13}, {4}), fresh(5, {13}, {4});
        for (std::int64_t step = 0; step < 1000; ++step)
            (void)walked.addresses(step);
        for (const std::int64_t step : {999, 3, 500})
            for (std::size_t j = 0; j < 4; ++j)
                QCOMPARE(fresh.addresses(step)[j].index, walked.addresses(step)[j].index);
    }

    void goesOnWithoutEndInAnEndlessSet() {
        const SamplePlan plan(1, {Dataset::kEndless}, {4});
        QCOMPARE(indices(plan, 0, 2), (std::vector<std::int64_t>{0, 1, 2, 3, 4, 5, 6, 7}));
        QCOMPARE(plan.epochOf(1000), std::int64_t(0));
    }

    void countsEpochsOfTheFirstSet() {
        const SamplePlan plan(1, {10, 3}, {4, 1});
        QCOMPARE(plan.epochOf(2), std::int64_t(0)); // places 8 to 11
        QCOMPARE(plan.epochOf(3), std::int64_t(1)); // places 12 to 15
        QCOMPARE(plan.addresses(2)[1].epoch, std::int64_t(0));
        QCOMPARE(plan.addresses(2)[2].epoch, std::int64_t(1));
    }

    void replacesByTheNextInTheSameEpoch() {
        const SamplePlan plan(1, {5}, {5});
        const auto epoch = plan.addresses(3);
        QCOMPARE(plan.replacement(epoch[1], 1).index, epoch[2].index);
        QCOMPARE(plan.replacement(epoch[4], 1).index, epoch[0].index); // goes round
        QCOMPARE(plan.replacement(epoch[4], 1).epoch, epoch[4].epoch);
    }

    /// Thirty wide and twenty-two tall samples in batches of four: 7 and 5 full batches an epoch.
    void aspectGroupingKeepsOrientationsApart() {
        std::vector<bool> isPortrait(52);
        for (std::size_t i = 0; i < isPortrait.size(); ++i)
            isPortrait[i] = i % 52 >= 30;
        const SamplePlan plan(1, {52}, {4}, {isPortrait});
        QVERIFY(plan.isGrouped(0));
        QCOMPARE(plan.epochLength(0), 48);
        std::set<std::int64_t> everSeen;
        std::vector<std::int64_t> firsts;
        for (std::int64_t epoch = 0; epoch < 20; ++epoch) {
            std::set<std::int64_t> seen;
            int tall = 0;
            for (std::int64_t step = epoch * 12; step < (epoch + 1) * 12; ++step) {
                const auto batch = plan.addresses(step);
                for (const SampleAddress& address : batch) {
                    QCOMPARE(bool(isPortrait[std::size_t(address.index)]),
                             bool(isPortrait[std::size_t(batch[0].index)]));
                    QCOMPARE(address.epoch, epoch);
                    QVERIFY(seen.insert(address.index).second); // no repeats in a pass
                }
                tall += isPortrait[std::size_t(batch[0].index)];
            }
            QCOMPARE(tall, 5);
            firsts.push_back(plan.addresses(epoch * 12)[0].index);
            everSeen.insert(seen.begin(), seen.end());
        }
        QCOMPARE(everSeen.size(), std::size_t(52)); // who is left out changes
        QVERIFY(std::set(firsts.begin(), firsts.end()).size() > 5);
    }

    void aReplacementHasTheSameOrientation() {
        const std::vector<bool> isPortrait{false, false, true, true, false, true, false, true};
        const SamplePlan plan(1, {8}, {2}, {isPortrait});
        for (std::int64_t step = 0; step < 4; ++step)
            for (const SampleAddress& address : plan.addresses(step)) {
                std::set<std::int64_t> others{address.index};
                for (std::int64_t distance = 1; distance < 4; ++distance) {
                    const auto other = plan.replacement(address, distance);
                    QCOMPARE(bool(isPortrait[std::size_t(other.index)]), bool(isPortrait[std::size_t(address.index)]));
                    QVERIFY(others.insert(other.index).second);
                }
                QCOMPARE(plan.replacement(address, 4).index, address.index); // round
            }
    }

    /// Three tall ones never fill a batch of four: they are mixed in rather than never shown.
    void aRareOrientationIsNotGrouped() {
        std::vector<bool> isPortrait(20, false);
        isPortrait[3] = isPortrait[4] = isPortrait[5] = true;
        const SamplePlan plan(1, {20}, {4}, {isPortrait});
        QVERIFY(!plan.isGrouped(0));
        const auto all = indices(plan, 0, 5);
        QCOMPARE(std::set(all.begin(), all.end()).size(), std::size_t(20));
    }

    void sharesTheBatch_data() {
        QTest::addColumn<qint64>("batch");
        QTest::addColumn<QList<qint64>>("given");
        QTest::addColumn<int>("replicas");
        QTest::addColumn<QList<qint64>>("shares"); // empty: refused
        QTest::newRow("one takes all") << qint64(16) << QList<qint64>{0} << 1 << QList<qint64>{16};
        QTest::newRow("evenly, the first take the rest")
            << qint64(16) << QList<qint64>{0, 0, 0} << 1 << QList<qint64>{6, 5, 5};
        QTest::newRow("the rest is shared") << qint64(16) << QList<qint64>{0, 4, 0} << 2 << QList<qint64>{6, 4, 6};
        QTest::newRow("all named") << qint64(16) << QList<qint64>{3, 5} << 2 << QList<qint64>{3, 5};
        QTest::newRow("nothing left") << qint64(4) << QList<qint64>{4, 0} << 1 << QList<qint64>{};
        QTest::newRow("odd for two") << qint64(15) << QList<qint64>{0} << 2 << QList<qint64>{};
    }
    void sharesTheBatch() {
        QFETCH(qint64, batch);
        QFETCH(QList<qint64>, given);
        QFETCH(int, replicas);
        QFETCH(QList<qint64>, shares);
        const auto result = batchShares(withShares(batch, {given.begin(), given.end()}), replicas);
        if (shares.isEmpty()) {
            QVERIFY(!result && result.error().kind == ErrorKind::Usage);
        } else {
            VERIFY_RESULT(result);
            QCOMPARE(*result, (std::vector<std::int64_t>(shares.begin(), shares.end())));
        }
    }
};

QTEST_GUILESS_MAIN(tst_SamplePlan)
#include "tst_SamplePlan.moc"
