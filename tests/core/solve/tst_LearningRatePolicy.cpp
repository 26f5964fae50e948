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
        // by hand: 0.1, then 0.05 from 30 and 0.002 from 60 on, both included
        QTest::newRow("manual, last before the first") << "manual" << qint64(29) << 0.1;
        QTest::newRow("manual, at the first") << "manual" << qint64(30) << 0.05;
        QTest::newRow("manual, last before the second") << "manual" << qint64(59) << 0.05;
        QTest::newRow("manual, at the second") << "manual" << qint64(60) << 0.002;
        QTest::newRow("manual, beyond the plan") << "manual" << qint64(5000) << 0.002;
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
        config.rates = {0.05, 0.002};
        config.gamma = 0.1;
        config.finalFactor = 0.2;
        config.power = 2;
        QCOMPARE(makePolicy(config)->rateAt(iteration), rate);
    }

    void decaysInStretches_data() {
        QTest::addColumn<bool>("isStaircase");
        QTest::addColumn<qint64>("iteration");
        QTest::addColumn<double>("rate");
        // by hand: 0.1 * 0.5^(t / 40), or with t / 40 rounded down
        QTest::newRow("steady, first") << false << qint64(0) << 0.1;
        QTest::newRow("steady, half a stretch") << false << qint64(20) << 0.1 * std::sqrt(0.5);
        QTest::newRow("steady, two stretches") << false << qint64(80) << 0.025;
        QTest::newRow("steady, beyond the plan") << false << qint64(120) << 0.0125;
        QTest::newRow("stairs, last of the first") << true << qint64(39) << 0.1;
        QTest::newRow("stairs, the second") << true << qint64(40) << 0.05;
        QTest::newRow("stairs, beyond the plan") << true << qint64(159) << 0.0125;
    }

    void decaysInStretches() {
        QFETCH(bool, isStaircase);
        QFETCH(qint64, iteration);
        QFETCH(double, rate);
        SolveConfig config = over100("exponential");
        config.gamma = 0.5;
        config.decayIterations = 40;
        config.staircase = isStaircase;
        QCOMPARE(makePolicy(config)->rateAt(iteration), rate);
    }

    // Detectron's policies as functions of the iteration t of 90, with base B = 0.02, in our terms; the values by its
    // formulas at 0, at edges and at the last iteration.
    void drawsDetectronsPolicies_data() {
        QTest::addColumn<QString>("policy");
        QTest::addColumn<qint64>("iteration");
        QTest::addColumn<double>("rate");
        // step: B * 0.1^floor(t / 30)
        QTest::newRow("step, 0") << "step" << qint64(0) << 0.02;
        QTest::newRow("step, 29") << "step" << qint64(29) << 0.02;
        QTest::newRow("step, 30") << "step" << qint64(30) << 0.002;
        QTest::newRow("step, 89") << "step" << qint64(89) << 0.0002;
        // steps_with_decay: STEPS [0, 60, 80]
        QTest::newRow("steps_with_decay, 0") << "steps_with_decay" << qint64(0) << 0.02;
        QTest::newRow("steps_with_decay, 59") << "steps_with_decay" << qint64(59) << 0.02;
        QTest::newRow("steps_with_decay, 60") << "steps_with_decay" << qint64(60) << 0.002;
        QTest::newRow("steps_with_decay, 80") << "steps_with_decay" << qint64(80) << 0.0002;
        QTest::newRow("steps_with_decay, 89") << "steps_with_decay" << qint64(89) << 0.0002;
        // steps_with_lrs: STEPS [0, 60, 80], LRS [0.02, 0.003, 0.001]
        QTest::newRow("steps_with_lrs, 0") << "steps_with_lrs" << qint64(0) << 0.02;
        QTest::newRow("steps_with_lrs, 60") << "steps_with_lrs" << qint64(60) << 0.003;
        QTest::newRow("steps_with_lrs, 79") << "steps_with_lrs" << qint64(79) << 0.003;
        QTest::newRow("steps_with_lrs, 89") << "steps_with_lrs" << qint64(89) << 0.001;
        // cosine_decay: B * 0.5 * (cos(pi t / T) + 1)
        QTest::newRow("cosine_decay, 0") << "cosine_decay" << qint64(0) << 0.02;
        QTest::newRow("cosine_decay, 30") << "cosine_decay" << qint64(30) << 0.015;
        QTest::newRow("cosine_decay, 45") << "cosine_decay" << qint64(45) << 0.01;
        QTest::newRow("cosine_decay, 89") << "cosine_decay" << qint64(89) << 0.01 * (1 + std::cos(M_PI * 89 / 90));
        // exp_decay: B * exp(t / T * ln 0.1)
        QTest::newRow("exp_decay, 0") << "exp_decay" << qint64(0) << 0.02;
        QTest::newRow("exp_decay, 45") << "exp_decay" << qint64(45) << 0.02 * std::sqrt(0.1);
        QTest::newRow("exp_decay, 89") << "exp_decay" << qint64(89) << 0.02 * std::exp(89.0 / 90 * std::log(0.1));
    }

    void drawsDetectronsPolicies() {
        QFETCH(QString, policy);
        QFETCH(qint64, iteration);
        QFETCH(double, rate);
        static const std::map<QString, std::string> ours = {{"step", "exponential"},
                                                            {"steps_with_decay", "steps"},
                                                            {"steps_with_lrs", "manual"},
                                                            {"cosine_decay", "cosine"},
                                                            {"exp_decay", "exponential"}};
        SolveConfig config;
        config.policy = ours.at(policy);
        config.iterations = 90;
        config.baseLr = 0.02;
        config.gamma = 0.1;
        config.steps = {60, 80};
        config.rates = {0.003, 0.001};
        config.decayIterations = policy == "step" ? 30 : 0;
        config.staircase = true;
        const double drawn = makePolicy(config)->rateAt(iteration);
        QVERIFY2(std::abs(drawn - rate) < 1e-12, qPrintable(QString::number(drawn, 'g', 15)));
    }

    // Detectron's warm-up: 500 iterations from a third of the rate.
    void warmsUpAsDetectron() {
        SolveConfig config = over100("constant");
        config.warmUp = {500, 1.0 / 3, "linear"};
        QCOMPARE(makePolicy(config)->rateAt(0), 0.1 / 3);
        QCOMPARE(makePolicy(config)->rateAt(250), 0.2 / 3);
        QCOMPARE(makePolicy(config)->rateAt(500), 0.1);
        config.warmUp.method = "constant";
        QCOMPARE(makePolicy(config)->rateAt(499), 0.1 / 3);
        QCOMPARE(makePolicy(config)->rateAt(500), 0.1);
    }

    void comparesRates() {
        QCOMPARE(rateRatio(0.1, 0.01), 10.0);
        QCOMPARE(rateRatio(0.01, 0.1), 10.0);
        QCOMPARE(rateRatio(0.3, 0.3), 1.0);
        QVERIFY(rateRatio(0, 0.02) > 1e8); // a rate of nothing is 1e-10
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
