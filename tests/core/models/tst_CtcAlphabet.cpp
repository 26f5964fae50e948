#include "core/models/recognition/CtcAlphabet.h"
#include "tests/support/TestData.h"

using namespace trainyard;

using Positions = std::vector<std::int64_t>;

class tst_CtcAlphabet : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void countsFromOneBehindTheBlank() {
        const CtcAlphabet alphabet("abc");
        QCOMPARE(alphabet.size(), 4);
        QCOMPARE(alphabet.encode("cab").value(), (Positions{3, 1, 2}));
        QCOMPARE(alphabet.decode({3, 1, 2}), std::string("cab"));
        QCOMPARE(alphabet.decode({0, 1, 99, -3}), std::string("a"));
    }

    void repeatedCharacterCountsOnce() {
        const CtcAlphabet alphabet("aba");
        QCOMPARE(alphabet.size(), 3);
        QCOMPARE(alphabet.encode("ba").value(), (Positions{2, 1}));
    }

    void unknownCharactersAreNamed() {
        const CtcAlphabet alphabet("abc");
        QVERIFY(!alphabet.encode("abx"));
        QCOMPARE(alphabet.unknownIn("axbyx"), (std::vector<char32_t>{U'x', U'y', U'x'}));
    }

    void caseFoldsOnlyWhereItDoesNotMatter() {
        QVERIFY(!CtcAlphabet("abc").encode("Abc"));
        const CtcAlphabet folding("abcÄж", false);
        QCOMPARE(folding.encode("ABCäЖ").value(), (Positions{1, 2, 3, 4, 5}));
        QCOMPARE(folding.decode({4, 5}), std::string("Äж"));
        const CtcAlphabet both("aA", false); // each keeps its own place
        QCOMPARE(both.encode("Aa").value(), (Positions{2, 1}));
    }

    /// One rule for all: what core/base/Letters.h says of single characters.
    void foldsAsTranscriptsDo() {
        const CtcAlphabet folding("aÿßσｂiık", false);
        QCOMPARE(folding.encode("AŸẞΣςＢIKa").value(), (Positions{1, 2, 3, 4, 4, 5, 6, 8, 1}));
        QCOMPARE(folding.unknownIn("İSbſ"), (std::vector<char32_t>{U'İ', U'S', U'b', U'ſ'}));
        QCOMPARE(folding.encode("ı").value(), Positions{7});
    }

    void isComposed() {
        const CtcAlphabet composed("e\u0301x");
        QCOMPARE(composed.size(), std::int64_t(3));
        QCOMPARE(composed.encode("éxe\u0301").value(), (Positions{1, 2, 1}));
        QCOMPARE(CtcAlphabet("\u0301e").encode("e").value(), Positions{2}); // a mark by itself stays one
    }
};

QTEST_GUILESS_MAIN(tst_CtcAlphabet)
#include "tst_CtcAlphabet.moc"
