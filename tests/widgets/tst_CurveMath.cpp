#include "widgets/plots/CurveMath.h"

#include <QtTest>

#include <cmath>

using namespace trainyard;

namespace {

SeriesBucket point(std::int64_t iteration, double value) {
    return {iteration, iteration, value, value, value, 1, 0};
}

} // namespace

class tst_CurveMath : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void drawsBothExtremesOfABucketAndNoMore() {
        // one spike among a thousand points of one bucket must be seen
        const std::vector<SeriesBucket> buckets = {
            point(0, 1.0), {1, 1000, 0.9, 50.0, 1.05, 1000, 0}, point(1001, 1.0)};
        const auto line = curves::rawLine(buckets);
        QCOMPARE(line.size(), std::size_t(4));
        double highest = 0;
        for (const QPointF& each : line)
            highest = std::max(highest, each.y());
        QCOMPARE(highest, 50.0);
        for (std::size_t at = 1; at < line.size(); ++at)
            QVERIFY(line[at - 1].x() <= line[at].x());
    }

    void drawsTheExtremeFirstThatIsNearerToWhereTheLineComesFrom() {
        const std::vector<SeriesBucket> buckets = {point(0, 9.0), {1, 2, 0.0, 10.0, 5.0, 2, 0}};
        const auto line = curves::rawLine(buckets);
        QCOMPARE(line[1].y(), 10.0);
        QCOMPARE(line[2].y(), 0.0);
    }

    void leavesAGapWhereNothingIsFinite() {
        const std::vector<SeriesBucket> buckets = {point(0, 1.0), {1, 1, 0, 0, 0, 1, 1}, point(2, 1.0)};
        QVERIFY(std::isnan(curves::rawLine(buckets)[1].y()));
        QCOMPARE(curves::nonFiniteMarks(buckets), std::vector<double>{1.0});
    }

    void leavesOutOfALogAxisWhatItCannotShowAndMarksIt() {
        const std::vector<SeriesBucket> buckets = {point(0, 1.0), point(1, 0.0), point(2, -3.0), point(3, 2.0)};
        const auto line = curves::rawLine(buckets, true);
        QVERIFY(std::isnan(line[1].y()) && std::isnan(line[2].y()));
        QCOMPARE(curves::nonPositiveMarks(buckets), (std::vector<double>{1.0, 2.0}));
        const auto range = curves::extent(buckets, 0, 3, true);
        QCOMPARE(range.low, 1.0);
        QCOMPARE(range.high, 2.0);
    }

    void keepsAConstantConstant_data() {
        QTest::addColumn<double>("weight");
        for (const double weight : {0.0, 0.3, 0.9, 0.99})
            QTest::addRow("weight %g", weight) << weight;
    }
    void keepsAConstantConstant() {
        QFETCH(double, weight);
        std::vector<SeriesBucket> buckets;
        for (int at = 0; at < 50; ++at)
            buckets.push_back({at * 10, at * 10 + 9, 0.7, 0.7, 0.7, 10, 0});
        for (const QPointF& each : curves::smoothLine(buckets, weight))
            QVERIFY(std::abs(each.y() - 0.7) < 1e-12);
    }

    void dividesTheStartBiasOut() {
        // by hand, weight 0.5: 4; (0.5·0.5·4 + 0.5·2)/(1 − 0.25) = 2.6667; (0.25·2 + 0.5·1 + 0.5·8)/(1 − 0.125)
        const auto line = curves::smoothLine({point(1, 4), point(2, 2), point(3, 8)}, 0.5);
        QCOMPARE(line[0].y(), 4.0);
        QVERIFY(std::abs(line[1].y() - 2.0 / 0.75) < 1e-12);
        QVERIFY(std::abs(line[2].y() - (0.5 * 0.5 * 0.5 * 4 + 0.5 * 0.5 * 2 + 0.5 * 8) / 0.875) < 1e-12);
    }

    void countsABucketOfManyPointsAsMany() {
        // ten points of 2 after one of 1: 0.5^10 of the past is left
        const auto line = curves::smoothLine({point(0, 1), {1, 10, 2, 2, 2, 10, 0}}, 0.5);
        const double keep = std::pow(0.5, 10);
        QVERIFY(std::abs(line[1].y() - (keep * 0.5 * 1 + (1 - keep) * 2) / (keep * 0.5 + 1 - keep)) < 1e-12);
    }

    void smoothsAcrossNonFiniteValues() {
        const auto line = curves::smoothLine({point(0, 3), {1, 1, 0, 0, 0, 1, 1}, point(2, 3)}, 0.9);
        QCOMPARE(line.size(), std::size_t(2));
        QVERIFY(std::abs(line[1].y() - 3) < 1e-12);
    }

    void givesAnAxisOfSomeHeight() {
        const auto flat = curves::padded({0.5, 0.5, false}, false);
        QVERIFY(flat.low < 0.5 && flat.high > 0.5);
        const auto zero = curves::padded({0, 0, false}, false);
        QVERIFY(zero.low < zero.high);
        const auto log = curves::padded({1e-5, 1e-2, false}, true);
        QVERIFY(log.low > 0 && log.low < 1e-5 && log.high > 1e-2);
    }

    void anAbandonedTailIsNotCutOff() {
        const curves::Extent shown{1, 2, false};
        const std::vector<std::vector<SeriesPoint>> tails = {{{5, 9.0}, {6, -1.0}, {99, 50.0}}};
        const auto wide = curves::withTails(shown, tails, 0, 10, false);
        QCOMPARE(wide.high, 9.0);
        QCOMPARE(wide.low, -1.0);
        QCOMPARE(curves::withTails(shown, tails, 0, 10, true).low, 1.0); // a log axis cannot show it
    }

    void saysWhereACurveGoes() {
        std::vector<SeriesBucket> falling, rising, steady;
        for (int at = 0; at < 100; ++at) {
            falling.push_back(point(at, 100 - at));
            rising.push_back(point(at, at));
            steady.push_back(point(at, at % 2));
        }
        QCOMPARE(curves::trend(falling), curves::Trend::Falling);
        QCOMPARE(curves::trend(rising), curves::Trend::Rising);
        QVERIFY(curves::trend({point(0, 1)}) == curves::Trend::Steady);
    }

    void findsTheNearestBucket() {
        const std::vector<SeriesBucket> buckets = {{0, 9, 0, 1, 0, 10, 0}, {20, 29, 0, 1, 0, 10, 0}};
        QCOMPARE(curves::nearestBucket(buckets, 5), 0);
        QCOMPARE(curves::nearestBucket(buckets, 13), 0);
        QCOMPARE(curves::nearestBucket(buckets, 17), 1);
        QCOMPARE(curves::nearestBucket({}, 17), -1);
    }
};

QTEST_MAIN(tst_CurveMath)
#include "tst_CurveMath.moc"
