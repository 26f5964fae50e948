#include "core/data/Curve.h"
#include "tests/support/TestData.h"

using namespace trainyard;

class tst_Curve : public QObject {
    Q_OBJECT
private Q_SLOTS:
    // By hand: a corner of sides 3 and 4, length 7; eight points stand 1 apart, three of them up to the corner.
    void pointsStandAtEqualDistancesOfArcLength() {
        const auto points = divideCurve({{0, 0}, {3, 0}, {3, 4}}, 8);
        const std::vector<Point> expected = {{0, 0}, {1, 0}, {2, 0}, {3, 0}, {3, 1}, {3, 2}, {3, 3}, {3, 4}};
        QCOMPARE(points.size(), expected.size());
        for (std::size_t i = 0; i < points.size(); ++i) {
            QVERIFY(std::abs(points[i].x - expected[i].x) < 1e-5F);
            QVERIFY(std::abs(points[i].y - expected[i].y) < 1e-5F);
        }
    }

    void endsAreKept() {
        const std::vector<Point> line = {{5, 1}, {6, 7}, {6, 7}, {-2, 0.5F}}; // a point that comes twice
        const auto points = divideCurve(line, 5);
        QCOMPARE(points.front(), line.front());
        QCOMPARE(points.back(), line.back());
    }

    void whatHasNoLengthGivesNone_data() {
        QTest::addColumn<int>("points");
        QTest::addColumn<int>("count");
        QTest::newRow("one point") << 1 << 4;
        QTest::newRow("all in one place") << 3 << 4;
        QTest::newRow("one wanted") << 3 << 1;
    }
    void whatHasNoLengthGivesNone() {
        QFETCH(int, points);
        QFETCH(int, count);
        QVERIFY(divideCurve(std::vector<Point>(std::size_t(points), {2, 2}), std::size_t(count)).empty());
    }

    // A quadrilateral from the upper left corner clockwise: three points along each edge, from left to right.
    void outlinesBecomeTwoRows() {
        const auto points = controlPointsOf({{0, 0}, {10, 2}, {10, 8}, {0, 6}}, 6);
        const std::vector<Point> expected = {{0, 0}, {5, 1}, {10, 2}, {0, 6}, {5, 7}, {10, 8}};
        QCOMPARE(points, expected);
        QVERIFY(controlPointsOf({{0, 0}, {10, 2}, {10, 8}, {0, 6}}, 5).empty());
        QVERIFY(controlPointsOf({{0, 0}, {10, 2}, {10, 8}}, 6).empty());
        QVERIFY(controlPointsOf({{0, 0}, {0, 0}, {10, 8}, {0, 6}}, 6).empty()); // an edge of no length
    }

    void turningTheLowerHalfTwiceIsNothing() {
        const std::vector<Point> outline = {{0, 0}, {1, 0}, {2, 0}, {2, 1}, {1, 1}, {0, 1}};
        const auto rows = withLowerHalfTurned(outline);
        QCOMPARE(rows[3], (Point{0, 1}));
        QCOMPARE(withLowerHalfTurned(rows), outline);
    }
};

QTEST_GUILESS_MAIN(tst_Curve)
#include "tst_Curve.moc"
