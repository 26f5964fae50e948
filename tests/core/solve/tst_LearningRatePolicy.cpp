#include "core/solve/LearningRatePolicy.h"
#include "tests/support/TestData.h"

#include <cmath>

using namespace trainyard;

namespace {

SolveConfig over100(const std::string& policy) {
    SolveConfig config;
    config.policy = policy;
    config.iterations = 100;
    config.baseLr = 0.1;
    return config;
}

} // namespace

class tst_LearningRatePolicy : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void followsTheFormula_data() {
        QTest::addColumn<QString>("policy");
        QTest::addColumn<qint64>("iteration");
        QTest::addColumn<double>("rate");
        QTest::newRow("constant") << "constant" << qint64(77) << 0.1;
        // by hand: factor 0.1 at 30 and at 60
        QTest::newRow("steps, last before the first") << "steps" << qint64(29) << 0.1;
        QTest::newRow("steps, at the first") << "steps" << qint64(30) << 0.01;
        QTest::newRow("steps, at the second") << "steps" << qint64(60) << 0.001;
        QTest::newRow("steps, long after") << "steps" << qint64(5000) << 0.001;
        // by hand: 0.02 + 0.08 * (1 + cos(pi * t / 100)) / 2, final factor 0.2
        QTest::newRow("cosine, first") << "cosine" << qint64(0) << 0.1;
        QTest::newRow("cosine, a third") << "cosine" << qint64(25) << 0.02 + 0.04 * (1 + std::sqrt(0.5));
        QTest::newRow("cosine, half") << "cosine" << qint64(50) << 0.06;
        QTest::newRow("cosine, end") << "cosine" << qint64(100) << 0.02;
        QTest::newRow("cosine, beyond the plan") << "cosine" << qint64(150) << 0.02;
        // by hand: 0.1 * 0.1^(t / 100)
        QTest::newRow("exponential, first") << "exponential" << qint64(0) << 0.1;
        QTest::newRow("exponential, half") << "exponential" << qint64(50) << 0.1 * std::sqrt(0.1);
        QTest::newRow("exponential, end") << "exponential" << qint64(100) << 0.01;
        // by hand: 0.02 + 0.08 * (1 - t / 100)^2
        QTest::newRow("polynomial, half") << "polynomial" << qint64(50) << 0.04;
        QTest::newRow("polynomial, end") << "polynomial" << qint64(100) << 0.02;
        QTest::newRow("polynomial, beyond the plan") << "polynomial" << qint64(101) << 0.02;
    }

    void followsTheFormula() {
        QFETCH(QString, policy);
        QFETCH(qint64, iteration);
        QFETCH(double, rate);
        SolveConfig config = over100(policy.toStdString());
        config.steps = {30, 60};
        config.gamma = 0.1;
        config.finalFactor = 0.2;
        config.power = 2;
        QCOMPARE(makePolicy(config)->rateAt(iteration), rate);
    }

    void warmsUp_data() {
        QTest::addColumn<QString>("method");
        QTest::addColumn<qint64>("iteration");
        QTest::addColumn<double>("rate");
        // by hand: 0.1 * (0.1 * (1 - t / 50) + t / 50)
        QTest::newRow("linear, first update") << "linear" << qint64(0) << 0.01;
        QTest::newRow("linear, half way") << "linear" << qint64(25) << 0.055;
        QTest::newRow("linear, last") << "linear" << qint64(49) << 0.1 * (0.1 * 0.02 + 0.98);
        QTest::newRow("linear, done") << "linear" << qint64(50) << 0.1;
        QTest::newRow("constant, last") << "constant" << qint64(49) << 0.01;
        QTest::newRow("constant, done") << "constant" << qint64(50) << 0.1;
    }

    void warmsUp() {
        QFETCH(QString, method);
        QFETCH(qint64, iteration);
        QFETCH(double, rate);
        SolveConfig config = over100("constant");
        config.warmUp = {50, 0.1, method.toStdString()};
        QCOMPARE(makePolicy(config)->rateAt(iteration), rate);
    }

    // Detectron multiplies the policy's value at the same iteration, whatever the policy.
    void warmUpMultipliesTheSchedule() {
        SolveConfig config = over100("steps");
        config.steps = {10};
        config.gamma = 0.5;
        config.warmUp = {20, 0.2, "linear"};
        QCOMPARE(makePolicy(config)->rateAt(10), 0.1 * 0.5 * 0.6);
    }
};

QTEST_GUILESS_MAIN(tst_LearningRatePolicy)
#include "tst_LearningRatePolicy.moc"
