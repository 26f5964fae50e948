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

    void casesOfLetters_data() {
        QTest::addColumn<quint32>("upper");
        QTest::addColumn<quint32>("lower");
        const std::pair<char32_t, char32_t> pairs[] = {{U'A', U'a'}, {U'Z', U'z'}, {U'É', U'é'}, {U'Ø', U'ø'},
                                                       {U'Ā', U'ā'}, {U'Ł', U'ł'}, {U'Ž', U'ž'}, {U'Ω', U'ω'},
                                                       {U'Я', U'я'}, {U'Ё', U'ё'}, {U'Ķ', U'ķ'}, {U'Ẽ', U'ẽ'}};
        for (const auto& [upper, lower] : pairs)
            QTest::addRow("U+%04X", unsigned(upper)) << quint32(upper) << quint32(lower);
    }
    void casesOfLetters() {
        QFETCH(quint32, upper);
        QFETCH(quint32, lower);
        QCOMPARE(quint32(lowerCase(upper)), lower);
        QCOMPARE(quint32(upperCase(lower)), upper);
        QCOMPARE(quint32(lowerCase(lower)), lower);
        QCOMPARE(quint32(upperCase(upper)), upper);
    }

    void whatHasNoCaseStays() {
        for (const char32_t c : {U'1', U' ', U'×', U'÷', U'ß', U'漢', U'ｱ', U'😀'}) {
            QCOMPARE(quint32(lowerCase(c)), quint32(c));
            QCOMPARE(quint32(upperCase(c)), quint32(c));
        }
    }

    void utf8GoesThereAndBack() {
        const std::string text = "aé漢😀z";
        QCOMPARE(codePoints(text), (std::vector<char32_t>{U'a', U'é', U'漢', U'😀', U'z'}));
        QCOMPARE(toUtf8(codePoints(text)), text);
    }

    void brokenUtf8BecomesReplacements_data() {
        QTest::addColumn<QByteArray>("bytes");
        QTest::addColumn<int>("characters");
        QTest::newRow("lonely continuation") << QByteArray("a\x80z") << 3;
        QTest::newRow("cut off") << QByteArray("a\xE6\xBC") << 3;
        QTest::newRow("overlong slash") << QByteArray("\xC0\xAF") << 2;
        QTest::newRow("overlong in three") << QByteArray("\xE0\x80\xAF") << 3;
        QTest::newRow("surrogate") << QByteArray("\xED\xA0\x80") << 3;
        QTest::newRow("beyond Unicode") << QByteArray("\xF4\x90\x80\x80") << 4;
    }
    void brokenUtf8BecomesReplacements() {
        QFETCH(QByteArray, bytes);
        QFETCH(int, characters);
        const auto points = codePoints(bytes.toStdString());
        QCOMPARE(int(points.size()), characters);
        QVERIFY(std::find(points.begin(), points.end(), char32_t(0xFFFD)) != points.end());
    }
};

QTEST_GUILESS_MAIN(tst_CtcAlphabet)
#include "tst_CtcAlphabet.moc"
