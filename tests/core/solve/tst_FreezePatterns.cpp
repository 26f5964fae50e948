#include "core/solve/FreezePatterns.h"
#include "tests/support/TestData.h"

using namespace trainyard;

class tst_FreezePatterns : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void findsAPatternAnywhereInTheName() {
        const auto patterns = FreezePatterns::compile({"^backbone\\.(conv1|layer1)", "bias$"});
        VERIFY_RESULT(patterns);
        QVERIFY(patterns->matches("backbone.layer1.0.conv1.weight"));
        QVERIFY(patterns->matches("head.bias"));
        QVERIFY(!patterns->matches("backbone.layer2.0.conv1.weight"));
        QVERIFY(!patterns->matches("other.backbone.layer1.weight"));
    }

    void reportsWhatIsNoRegularExpression() {
        const auto patterns = FreezePatterns::compile({"fine", "layer[1"});
        QVERIFY(!patterns);
        QCOMPARE(exitCode(patterns.error().kind), 2);
        QCOMPARE(
            patterns.error().sentence(),
            std::string("solve.freeze: \"layer[1\" is not a regular expression. Mend it, or put a backslash before "
                        "characters that mean themselves."));
    }

    void namesPatternsThatFindNothing() {
        const auto patterns = FreezePatterns::compile({"conv", "backbnoe"});
        VERIFY_RESULT(patterns);
        QCOMPARE(patterns->unused({"backbone.conv1.weight"}), std::vector<std::string>{"backbnoe"});
    }
};

QTEST_GUILESS_MAIN(tst_FreezePatterns)
#include "tst_FreezePatterns.moc"
