#include "core/config/imports/PythonValue.h"
#include "tests/support/TestData.h"

using namespace trainyard;

class TestPythonValue : public QObject {
    Q_OBJECT
private Q_SLOTS:
    /// Types and texts as Python 3's ast.literal_eval and repr give them.
    void readsLiterals_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("type");
        QTest::addColumn<QString>("repr");
        const auto row = [](const char* text, const char* type, const char* repr) {
            QTest::newRow(text) << text << type << repr;
        };
        row("1", "int", "1");
        row("-12", "int", "-12");
        row("1_000", "int", "1000");
        row("0.02", "float", "0.02");
        row("1.", "float", "1.0");
        row(".5", "float", "0.5");
        row("1e-4", "float", "1e-04"); // as our configurations write it
        row("True", "bool", "True");
        row("None", "None", "None");
        row("'coco'", "str", "'coco'");
        row("\"it's\"", "str", "'it\\'s'");
        row("'a' 'b'", "str", "'ab'");
        row("()", "tuple", "()");
        row("(800,)", "tuple", "(800,)");
        row("(800)", "int", "800");
        row("('a', 'b')", "tuple", "('a', 'b')");
        row("[0, 60000, 80000]", "list", "[0, 60000, 80000]");
        row("[1, (2, [3])]", "list", "[1, (2, [3])]");
        row("{'a': 1, 'b': ()}", "dict", "{'a': 1, 'b': ()}");
        row(" ( 1 , 2 , ) ", "tuple", "(1, 2)");
    }
    void readsLiterals() {
        QFETCH(QString, text);
        QFETCH(QString, type);
        QFETCH(QString, repr);
        const auto value = pythonLiteral(text.toStdString());
        QVERIFY(value);
        QCOMPARE(QString(value->typeName()), type);
        QCOMPARE(QString::fromStdString(value->text()), repr);
    }

    void refusesEverythingElse_data() {
        QTest::addColumn<QString>("text");
        for (const char* text : {"", "coco", "steps_with_decay", "1 + 1", "os.system('x')", "(1, 2", "[1 2]", "'open",
                                 "True1", "1.2.3", "[,]", "{1}", "nan", "inf", "1e999"})
            QTest::newRow(text) << text;
        QTest::newRow("nested too deeply") << QString(200, '[') + QString(200, ']');
    }
    void refusesEverythingElse() {
        QFETCH(QString, text);
        QVERIFY(!pythonLiteral(text.toStdString()));
    }
};

QTEST_GUILESS_MAIN(TestPythonValue)
#include "tst_PythonValue.moc"
