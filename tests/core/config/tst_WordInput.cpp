#include "core/config/WordInput.h"
#include "tests/support/TestData.h"

using namespace trainyard;

class tst_WordInput : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void followsTheTypeOfModel() {
        ModelConfig model;
        model.crnn.width = 64;
        model.aster.maxSteps = 12;
        model.type = "crnn";
        const WordInput crnn = wordInput(model);
        QCOMPARE(crnn.section, std::string("model.crnn"));
        QCOMPARE(crnn.alphabet, model.crnn.alphabet);
        QCOMPARE(crnn.channels, std::int64_t(1));
        QCOMPARE(crnn.longestWord, std::int64_t(16)); // a step for four pixels
        QVERIFY(crnn.repeatsCost && !crnn.caseSensitive);
        model.type = "aster";
        const WordInput aster = wordInput(model);
        QCOMPARE(aster.section, std::string("model.aster"));
        QCOMPARE(aster.alphabet.size(), std::size_t(94));
        QCOMPARE(aster.height, std::int64_t(64));
        QCOMPARE(aster.width, std::int64_t(256));
        QCOMPARE(aster.channels, std::int64_t(3));
        QCOMPARE(aster.longestWord, std::int64_t(11)); // and its end
        QVERIFY(!aster.repeatsCost && aster.caseSensitive);
    }
};

QTEST_GUILESS_MAIN(tst_WordInput)
#include "tst_WordInput.moc"
