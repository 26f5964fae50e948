#include "core/base/Letters.h"
#include "core/base/Text.h"
#include "tests/support/TestData.h"

using namespace trainyard;

class tst_Letters : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void casesOfLetters_data() {
        QTest::addColumn<quint32>("upper");
        QTest::addColumn<quint32>("lower");
        const std::pair<char32_t, char32_t> pairs[] = {
            {U'A', U'a'}, {U'Z', U'z'}, {U'É', U'é'}, {U'Ø', U'ø'}, {U'Ā', U'ā'}, {U'Ł', U'ł'}, {U'Ž', U'ž'},
            {U'Ω', U'ω'}, {U'Я', U'я'}, {U'Ё', U'ё'}, {U'Ķ', U'ķ'}, {U'Ẽ', U'ẽ'}, {U'Ÿ', U'ÿ'}, {U'Ａ', U'ａ'},
            {U'Ա', U'ա'}, {U'Ά', U'ά'}, {U'Ơ', U'ơ'}, {U'Ǎ', U'ǎ'}, {U'Ș', U'ș'}, {U'𐐀', U'𐐨'}};
        for (const auto& [upper, lower] : pairs)
            QTest::addRow("U+%04X", unsigned(upper)) << quint32(upper) << quint32(lower);
    }
    void casesOfLetters() {
        QFETCH(quint32, upper);
        QFETCH(quint32, lower);
        QCOMPARE(quint32(text::lower(upper)), lower);
        QCOMPARE(quint32(text::upper(lower)), upper);
        QCOMPARE(quint32(text::lower(lower)), lower);
        QCOMPARE(quint32(text::upper(upper)), upper);
        QCOMPARE(quint32(text::folded(upper)), lower);
        QCOMPARE(quint32(text::folded(lower)), lower);
    }

    void whatHasNoCaseStays() {
        for (const char32_t c : {U'1', U' ', U'×', U'÷', U'ß', U'漢', U'ｱ', U'😀', U'İ', U'ı', U'\u0301', U'ﬁ'}) {
            QCOMPARE(quint32(text::lower(c)), quint32(c));
            QCOMPARE(quint32(text::upper(c)), quint32(c));
            QCOMPARE(quint32(text::folded(c)), quint32(c));
        }
    }

    /// Unicode's CaseFolding.txt, its lines of status C and S.
    void foldsAsUnicodeDoes() {
        const std::pair<char32_t, char32_t> rows[] = {{U'ẞ', U'ß'},     {U'ς', U'σ'},     {U'Σ', U'σ'},    {U'ſ', U's'},
                                                      {0x212A, U'k'},   {U'µ', 0x03BC},   {U'Ǆ', U'ǆ'},    {U'ǅ', U'ǆ'},
                                                      {0x1F88, 0x1F80}, {0x13F8, 0x13F0}, {0xAB70, 0x13A0}};
        for (const auto& [from, to] : rows)
            QCOMPARE(quint32(text::folded(from)), quint32(to));
    }

    void composes() {
        QCOMPARE(text::composed("e\u0301"), std::string("é"));
        QCOMPARE(text::composed("\u1112\u1161\u11AB"), std::string("한"));
        QCOMPARE(text::composed("q\u0307\u0323"), text::composed("q\u0323\u0307")); // one order of marks
        QCOMPARE(text::composed("\u0301a"), std::string("\u0301a"));                // a lone mark stays
        QCOMPARE(text::composed("Ａﬁ²"), std::string("Ａﬁ²"));                      // compatible is not equal
        QCOMPARE(text::composed(std::string("a\0b", 3)), std::string("a\0b", 3));
        QCOMPARE(text::composed("a\xFF"), std::string("a\xFF"));
        QCOMPARE(text::composed(""), std::string());
    }

    void utf8GoesThereAndBack() {
        const std::string bytes = "aé漢😀z";
        QVERIFY(text::decode(bytes) == U"aé漢😀z");
        QVERIFY(text::repaired(bytes) == U"aé漢😀z");
        QCOMPARE(text::encode(U"aé漢😀z"), bytes);
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
        QVERIFY(!text::decode(bytes.toStdString()));
        const auto points = text::repaired(bytes.toStdString());
        QCOMPARE(int(points.size()), characters);
        QVERIFY(points.find(char32_t(0xFFFD)) != std::u32string::npos);
    }
};

QTEST_GUILESS_MAIN(tst_Letters)
#include "tst_Letters.moc"
