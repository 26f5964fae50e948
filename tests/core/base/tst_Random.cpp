#include "core/base/Random.h"
#include "tests/support/TestData.h"

#include <cmath>

using namespace trainyard;

class tst_Random : public QObject {
    Q_OBJECT
private Q_SLOTS:
    // First outputs of SplitMix64 for seed 1234567, as published with Vigna's reference code.
    void drawsTheReferenceStream() {
        Random random(1234567);
        QCOMPARE(random.next(), std::uint64_t(6457827717110365317ULL));
        QCOMPARE(random.next(), std::uint64_t(3203168211198807973ULL));
        QCOMPARE(random.next(), std::uint64_t(9817491932198370423ULL));
    }

    void staysInRange() {
        Random random(7);
        bool sawLow = false, sawHigh = false;
        for (int i = 0; i < 1000; ++i) {
            const auto value = random.integer(-2, 2);
            QVERIFY(value >= -2 && value <= 2);
            sawLow |= value == -2;
            sawHigh |= value == 2;
            const double share = random.uniform();
            QVERIFY(share >= 0 && share < 1);
        }
        QVERIFY(sawLow && sawHigh);
    }

    void normalHasUnitDeviation() {
        Random random(3);
        double sum = 0, squares = 0;
        constexpr int kCount = 100000;
        for (int i = 0; i < kCount; ++i) {
            const double value = random.normal();
            sum += value;
            squares += value * value;
        }
        QVERIFY(std::abs(sum / kCount) < 0.02); // six standard errors
        QVERIFY(std::abs(squares / kCount - 1) < 0.03);
    }

    void derivedSeedsDependOnEveryPart() {
        QVERIFY(deriveSeed(1, 2, 3) != deriveSeed(1, 3, 2));
        QVERIFY(deriveSeed(1, 2) != deriveSeed(2, 1));
        QCOMPARE(deriveSeed(1, 2, 3, 4), deriveSeed(1, 2, 3, 4));
    }
};

QTEST_GUILESS_MAIN(tst_Random)
#include "tst_Random.moc"
