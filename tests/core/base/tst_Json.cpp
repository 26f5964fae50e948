#include "core/base/Json.h"
#include "tests/support/TestData.h"

using namespace trainyard;

class tst_Json : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void saysWhereAndWhatIsExpected_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QByteArray>("sentence");
        const auto row = [](const char* name, const char* text, const char* sentence) {
            QTest::newRow(name) << QByteArray(text) << QByteArray(sentence);
        };
        const char* const value =
            "a value (a number, a text in quotes, true, false, null, a list or an object) is expected where ";
        const auto valueRow = [&](const char* name, const char* text, const char* place, const char* instead) {
            QTest::newRow(name) << QByteArray(text)
                                << QByteArray(place) + ": This is not JSON: " + value + instead + ".";
        };
        valueRow("nothing", "", "1:1", "the file ends");
        valueRow("Python's NaN", "{\"a\": NaN}", "1:7", "\"NaN\" stands");
        valueRow("comma at the end", "[1,\n 2,\n]", "3:1", "\"]\" stands");
        valueRow("word", "[1, none]", "1:5", "\"none\" stands");
        valueRow("bytes", "\x89PNG", "1:1", "the byte 0x89 stands");
        row("two values", "1 2", "1:3: This is not JSON: the end of the file is expected where \"2\" stands.");
        row("no comma", "[1 2]", "1:4: This is not JSON: a comma or \"]\" is expected where \"2\" stands.");
        row("open list", "[1, [2]", "1:8: This is not JSON: a comma or \"]\" is expected where the file ends.");
        row("no colon", "{\"a\" 1}", "1:6: This is not JSON: a colon is expected where \"1\" stands.");
        row("single quotes", "{'a': 1}",
            "1:2: This is not JSON: a key in quotes or \"}\" is expected where \"'\" stands.");
        row("second key", "{\"a\": 1,}", "1:9: This is not JSON: a key in quotes is expected where \"}\" stands.");
        row("wrong bracket", "{\"a\": [1}", "1:9: This is not JSON: a comma or \"]\" is expected where \"}\" stands.");
        row("open text", "[\"ab", "1:5: This is not JSON: a quote that ends the text is expected where the file ends.");
        row("text over two lines", "[\"a\nb\"]",
            "1:4: This is not JSON: a character that is no line break and no other control character; \\n stands for "
            "one is expected where the line ends.");
        row("escape", "\"\\x\"",
            "1:3: This is not JSON: one of \" \\ / b f n r t u after a backslash is expected where \"x\" stands.");
        row("number", "[1.]", "1:4: This is not JSON: a digit is expected where \"]\" stands.");
        row("leading zero", "[01]", "1:3: This is not JSON: a comma or \"]\" is expected where \"1\" stands.");
        row("no UTF-8", "[\"a\xFF\"]", "This is not JSON: a text in it is not UTF-8.");
        row("beyond all bounds", "[1e999]", "A number in the JSON is beyond all bounds.");
    }
    void saysWhereAndWhatIsExpected() {
        QFETCH(QByteArray, text);
        QFETCH(QByteArray, sentence);
        const auto read = parseJson(text.toStdString(), "a.json");
        QVERIFY(!read);
        const auto said = QByteArray::fromStdString(read.error().sentence());
        QVERIFY2(said.startsWith("a.json:") && said.contains(sentence), said.constData());
        QVERIFY(!said.contains("json.exception"));
    }

    /// The judge of our own walk is the parser itself: both accept and refuse the same texts.
    void walksAsTheParserReads() {
        const std::string whole = "{\"a\": [1, -2.5e+3, true, null, \"x\\u00e9\\\"\\\\\"], \"b\": {\"c\": [], \"d\": "
                                  "{}}, \"e\": [[{\"f\": 0}]]}";
        QVERIFY(!jsontext::firstFault(whole));
        for (std::size_t i = 0; i < whole.size(); ++i)
            for (const char c : std::string_view("\"{}[],:0x \n\\")) {
                std::string text = whole;
                text[i] = c;
                QVERIFY2(nlohmann::json::accept(text) == !jsontext::firstFault(text), text.c_str());
            }
        for (std::size_t i = 0; i < whole.size(); ++i)
            QVERIFY(jsontext::firstFault(whole.substr(0, i)).has_value());
        QVERIFY(!jsontext::firstFault("\xEF\xBB\xBF [1]"));
        QVERIFY(jsontext::firstFault(std::string(1000000, '[')).has_value()); // without recursion
    }

    void findsAValue() {
        const std::string text = "{\"x\": [0, 1],\n \"annotations\": [{\"id\": 1},\n  {\"id\": 2, \"bbox\": [5]}]}";
        const auto placeOf = [&](const jsontext::Path& path) { return jsonError(text, "f", path, "What.").where; };
        QCOMPARE(placeOf({"annotations", "1"}), std::string("f:3:3"));
        QCOMPARE(placeOf({"annotations", "1", "bbox", "0"}), std::string("f:3:22"));
        QCOMPARE(placeOf({"annotations", "1", "area"}), std::string("f:3:3")); // the value around it
        QCOMPARE(placeOf({"annotations", "7"}), std::string("f:2:17"));
        QCOMPARE(placeOf({}), std::string("f:1:1"));
    }

    void linesOfJsonLinesAreCounted() {
        const auto read = parseJson("{oops", "a.jsonl", ErrorKind::Data, 7);
        QVERIFY(!read);
        QCOMPARE(read.error().where, std::string("a.jsonl:7:2"));
    }
};

QTEST_GUILESS_MAIN(tst_Json)
#include "tst_Json.moc"
