#include "core/evaluate/Lexicon.h"
#include "core/evaluate/WordEvaluation.h"

#include <QTemporaryDir>

#include <fstream>

#include "tests/support/TestData.h"

using namespace trainyard;

class tst_WordEvaluation : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void countsDistancesByHand_data() {
        QTest::addColumn<QString>("a");
        QTest::addColumn<QString>("b");
        QTest::addColumn<qint64>("distance");
        QTest::newRow("equal") << "word"
                               << "word" << qint64(0);
        QTest::newRow("kitten") << "kitten"
                                << "sitting" << qint64(3); // Levenshtein's textbook case
        QTest::newRow("from nothing") << ""
                                      << "abc" << qint64(3);
        QTest::newRow("to nothing") << "abc"
                                    << "" << qint64(3);
        QTest::newRow("swap") << "ab"
                              << "ba" << qint64(2);
        QTest::newRow("one character of two bytes") << "naïve"
                                                    << "naive" << qint64(1);
    }
    void countsDistancesByHand() {
        QFETCH(QString, a);
        QFETCH(QString, b);
        QFETCH(qint64, distance);
        const WordRules rules{true, false};
        QCOMPARE(editDistance(comparable(a.toStdString(), rules), comparable(b.toStdString(), rules)), distance);
    }

    void comparesInOneNormalForm_data() {
        QTest::addColumn<QString>("a");
        QTest::addColumn<QString>("b");
        QTest::addColumn<bool>("caseSensitive");
        QTest::addColumn<bool>("alphanumericOnly");
        QTest::addColumn<bool>("isEqual");
        QTest::newRow("accent apart") << "caf\u00E9"
                                      << "cafe\u0301" << true << false << true;
        QTest::newRow("jamo") << "\u1112\u1161\u11AB"
                              << "\uD55C" << true << false << true;
        QTest::newRow("case kept") << "Word"
                                   << "word" << true << false << false;
        QTest::newRow("case folded") << "WORD\u00C9"
                                     << "worde\u0301" << false << false << true;
        QTest::newRow("Greek final sigma") << "\u03A3\u039F\u03A3"
                                           << "\u03C3\u03BF\u03C2" << false << false << true;
        QTest::newRow("compatibility forms differ") << "\uFB01n"
                                                    << "fin" << true << false << false;
        QTest::newRow("benchmark rule") << "Abc!"
                                        << "abC" << false << true << true; // the ASTER benchmarks' own example
        QTest::newRow("punctuation counts") << "Abc!"
                                            << "abC" << false << false << false;
    }
    void comparesInOneNormalForm() {
        QFETCH(QString, a);
        QFETCH(QString, b);
        QFETCH(bool, caseSensitive);
        QFETCH(bool, alphanumericOnly);
        QFETCH(bool, isEqual);
        WordEvaluation evaluation({caseSensitive, alphanumericOnly});
        evaluation.add(a.toStdString(), b.toStdString());
        QCOMPARE(evaluation.metrics()[0].second, isEqual ? 1.0 : 0.0);
    }

    void bytesThatAreNoTextAreCompared() {
        const WordRules rules{true, false};
        QVERIFY(comparable("a\xFF\xFE", rules) == U"a\uFFFD\uFFFD");
        QVERIFY(comparable(std::string("a\0b", 3), rules) == std::u32string(U"a\0b", 3));
    }

    // Three words by hand: distances 0, 1 and 4; lengths 4, 3 and 4 of the truth; longer lengths 4, 3 and 4.
    void meansAreThoseOfTheDefinition() {
        WordEvaluation evaluation;
        evaluation.add("road", "ROAD");
        evaluation.add("sea", "see");
        evaluation.add("ship", "");
        const auto metrics = evaluation.metrics();
        QCOMPARE(metrics[0], (std::pair<std::string, double>("word_accuracy", 1.0 / 3)));
        QCOMPARE(metrics[1], (std::pair<std::string, double>("character_error_rate", 5.0 / 11)));
        QCOMPARE(metrics[2].first, std::string("normalised_edit_distance"));
        QVERIFY(std::abs(metrics[2].second - (0 + 1.0 / 3 + 1) / 3) < 1e-12);
        QCOMPARE(metrics[3].first, std::string("total_edit_distance"));
        QVERIFY(std::abs(metrics[3].second - (0 + 1.0 / 3 + 1)) < 1e-12);
    }

    // "!!" has nothing to compare by the benchmarks' rule: it counts as one character long, so "ab" is 2 away from it.
    void truthWithoutCharactersCountsAsOne() {
        WordEvaluation evaluation({false, true});
        evaluation.add("!!", "ab");
        evaluation.add("!!", "??");
        QCOMPARE(evaluation.metrics()[3].second, 2.0);
        QCOMPARE(evaluation.metrics()[0].second, 0.5);
    }

    void countsWordsByLength() {
        WordEvaluation evaluation;
        evaluation.add("road", "road");
        evaluation.add("lane", "lame");
        evaluation.add("sea", "sea");
        QCOMPARE(evaluation.lengths().size(), std::size_t(2));
        QCOMPARE(evaluation.lengths().at(4).words, std::int64_t(2));
        QCOMPARE(evaluation.lengths().at(4).right, std::int64_t(1));
        QCOMPARE(evaluation.lengths().at(3).right, std::int64_t(1));
    }

    void worstCasesComeFirst() {
        WordEvaluation evaluation;
        evaluation.add("road", "road", "right", 1.0);
        evaluation.add("lane", "lame", "unsure", 0.2);
        evaluation.add("lane", "line", "sure", 0.9);
        evaluation.add("sea", "", "far", 0.1);
        for (std::size_t i = 0; i < 2 * WordEvaluation::kWorst; ++i)
            evaluation.add("a", "b", "many", 0.0);
        QCOMPARE(evaluation.worst().size(), WordEvaluation::kWorst);
        QCOMPARE(evaluation.worst()[0].id, std::string("far"));
        QCOMPARE(evaluation.worst()[0].distance, std::int64_t(3));
        QCOMPARE(evaluation.worst()[1].id, std::string("sure"));
        QCOMPARE(evaluation.worst()[2].id, std::string("unsure"));
    }

    void readingsAreCorrectedToTheNearestWord_data() {
        QTest::addColumn<QString>("read");
        QTest::addColumn<QString>("corrected");
        QTest::newRow("a letter off") << "rcad"
                                      << "ROAD";
        QTest::newRow("case is no distance") << "lANE"
                                             << "lane";
        QTest::newRow("the first of equally near ones") << "lade"
                                                        << "lane"; // road 3, lane 1, lame 1
        QTest::newRow("nothing read") << ""
                                      << "sea"; // the shortest
    }
    void readingsAreCorrectedToTheNearestWord() {
        QFETCH(QString, read);
        QFETCH(QString, corrected);
        QCOMPARE(nearestWord(read.toStdString(), {"ROAD", "lane", "lame", "sea", "ice"}), corrected.toStdString());
        QCOMPARE(nearestWord(read.toStdString(), {}), read.toStdString());
    }

    void lexiconsAreFilesWithAWordALine() {
        const QTemporaryDir folder;
        const std::string file = folder.filePath("words.txt").toStdString();
        std::ofstream(file, std::ios::binary) << "\xEF\xBB\xBFroad\r\n\r\n  two words \nsea";
        QCOMPARE(readLexicon(file).value(), (std::vector<std::string>{"road", "two words", "sea"}));
        std::ofstream(file, std::ios::binary) << " \n";
        QCOMPARE(readLexicon(file).error().what, std::string("The lexicon has no words."));
        std::ofstream(file, std::ios::binary) << "caf\xE9\n";
        QCOMPARE(readLexicon(file).error().what, std::string("The lexicon is no text in UTF-8."));
        QVERIFY(!readLexicon(folder.filePath("none.txt").toStdString()));
    }

    void withoutWordsThereIsNoScore() {
        WordEvaluation evaluation;
        for (const auto& [name, value] : evaluation.metrics())
            QCOMPARE(value, name == "total_edit_distance" ? 0.0 : -1.0);
        evaluation.add("", "");
        QCOMPARE(evaluation.metrics()[0].second, 1.0);
        QCOMPARE(evaluation.metrics()[1].second, -1.0);
        QCOMPARE(evaluation.metrics()[2].second, 0.0);
    }
};

QTEST_GUILESS_MAIN(tst_WordEvaluation)
#include "tst_WordEvaluation.moc"
