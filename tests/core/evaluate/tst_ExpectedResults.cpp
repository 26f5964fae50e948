#include "core/evaluate/ExpectedResults.h"
#include "tests/support/TestData.h"

using namespace trainyard;

/// The rule as documented: |actual - expected| ≤ atol + rtol |expected| for a number, ≤ sigmas × deviation for a number
/// with its deviation. Defaults: atol 0.005, rtol 0.1, sigmas 4.
class tst_ExpectedResults : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void isDecidedAsDocumented_data() {
        QTest::addColumn<QString>("expected");
        QTest::addColumn<double>("actual"); // below 0: not measured
        QTest::addColumn<bool>("isMet");
        QTest::newRow("as it should be") << "0.4" << 0.4 << true;
        QTest::newRow("a little less") << "0.4" << 0.356 << true; // 0.045 are allowed
        QTest::newRow("too little") << "0.4" << 0.354 << false;   // the seed lets exactly this pass
        QTest::newRow("too much") << "0.4" << 0.446 << false;
        QTest::newRow("nothing at all") << "0.4" << 0.0 << false;
        QTest::newRow("near zero") << "0" << 0.004 << true;
        QTest::newRow("within four deviations") << "0.364 ± 0.002" << 0.3565 << true;
        QTest::newRow("beyond four deviations") << "0.364 ± 0.002" << 0.3555 << false;
        QTest::newRow("in plain letters") << "0.364 +- 0.002" << 0.3715 << true;
        QTest::newRow("not measured") << "0.4" << -1.0 << false;
    }
    void isDecidedAsDocumented() {
        QFETCH(QString, expected);
        QFETCH(double, actual);
        QFETCH(bool, isMet);
        EvaluateConfig config;
        config.expected["bbox/AP"] = expected.toStdString();
        const auto results = heldAgainst(config, {{"bbox/AR1", 0.4}, {"bbox/AP", actual}});
        QCOMPARE(results.size(), std::size_t(1));
        QCOMPARE(results[0].isMet, isMet);
        QCOMPARE(unmetSentence(results).has_value(), !isMet);
    }

    void whatIsMissingIsNamed() {
        EvaluateConfig config;
        config.expected = {{"bbox/AP", "0.4"}, {"segm/AP", "0.3 ± 0.001"}, {"bbox/AP50", "0.7"}};
        const auto sentence = unmetSentence(heldAgainst(config, {{"bbox/AP", 0.1}, {"bbox/AP50", 0.7}}));
        QVERIFY(sentence);
        QCOMPARE(*sentence, std::string("The result is not as expected: bbox/AP is 0.1000, not 0.4; segm/AP is not "
                                        "measured, not 0.3 ± 0.001."));
    }

    void tolerancesAreTheConfigurations() {
        EvaluateConfig config;
        config.expected = {{"a", "0.5"}, {"b", "0.5 ± 0.1"}};
        config.expectedRtol = 0;
        config.expectedAtol = 0.01;
        config.expectedSigmas = 1;
        const auto results = heldAgainst(config, {{"a", 0.52}, {"b", 0.65}});
        QVERIFY(!results[0].isMet && !results[1].isMet);
        config.expectedAtol = 0.03;
        config.expectedSigmas = 2;
        const auto wider = heldAgainst(config, {{"a", 0.52}, {"b", 0.65}});
        QVERIFY(wider[0].isMet && wider[1].isMet);
    }
};

QTEST_GUILESS_MAIN(tst_ExpectedResults)
#include "tst_ExpectedResults.moc"
