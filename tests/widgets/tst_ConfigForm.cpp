#include "widgets/forms/ConfigForm.h"
#include "widgets/forms/DatasetsEditor.h"
#include "widgets/forms/FieldRow.h"
#include "widgets/forms/YamlEditor.h"
#include "widgets/forms/YamlText.h"
#include "widgets/theme/Theme.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLineEdit>
#include <QListWidget>
#include <QtTest>

using namespace trainyard;

namespace {

QLineEdit* line(const ConfigForm& form, const char* key) {
    return qobject_cast<QLineEdit*>(form.row(key)->editor());
}

} // namespace

class tst_ConfigForm : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void hasARowForEveryField() {
        ConfigForm form;
        for (const Field& field : Schema::instance().fields())
            QVERIFY2(form.row(field.key), field.key.c_str());
    }

    void followsAChangeOfTheme() {
        theme::apply(theme::Choice::Light);
        ConfigForm form;
        const auto* groups = form.findChild<QListWidget*>();
        form.show();
        QPalette dark;
        QTimer::singleShot(0, &form, [&] {
            theme::apply(theme::Choice::Dark);
            QApplication::processEvents();
            dark = groups->palette();
            theme::apply(theme::Choice::Light);
            QApplication::processEvents();
            QApplication::exit();
        });
        QApplication::exec(); // widgets are told of palettes only while the application runs
        QCOMPARE(dark.color(QPalette::Base), theme::darkPalette().color(QPalette::Base));
        QCOMPARE(dark.color(QPalette::HighlightedText), theme::darkPalette().color(QPalette::Text));
        QCOMPARE(groups->palette().color(QPalette::Base), theme::lightPalette().color(QPalette::Base));
    }

    void showsWhatTheTextSays() {
        ConfigForm form;
        form.setParsed(
            parseConfig("solve:\n  iterations: 1234\n  optimizer: adam\n  nesterov: true\n  steps: [5, 9]\n", "x"));
        QCOMPARE(line(form, "solve.iterations")->text(), QStringLiteral("1234"));
        QCOMPARE(line(form, "solve.steps")->text(), QStringLiteral("5, 9"));
        QCOMPARE(qobject_cast<QComboBox*>(form.row("solve.optimizer")->editor())->currentText(),
                 QStringLiteral("adam"));
        QVERIFY(qobject_cast<QCheckBox*>(form.row("solve.nesterov")->editor())->isChecked());
    }

    void showingIsNotEditing() {
        ConfigForm form;
        QSignalSpy edits(&form, &ConfigForm::edited);
        form.setParsed(parseConfig(
            "solve:\n  nesterov: true\n  optimizer: adam\ndata:\n  train:\n    - {format: voc, path: /a}\n", "x"));
        QCOMPARE(edits.count(), 0);
    }

    void whatIsTypedComesOutAsYaml_data() {
        QTest::addColumn<QString>("key");
        QTest::addColumn<QString>("typed");
        QTest::addColumn<QString>("yaml");
        QTest::newRow("number") << "solve.base_lr"
                                << "0.05"
                                << "0.05";
        QTest::newRow("list") << "solve.steps"
                              << "10, 20"
                              << "[10, 20]";
        QTest::newRow("no list") << "solve.steps"
                                 << ""
                                 << "[]";
        QTest::newRow("text with blanks") << "model.weights"
                                          << "my file.pth"
                                          << "\"my file.pth\"";
        QTest::newRow("map") << "data.classes"
                             << "RBC: cell"
                             << "{RBC: cell}";
        QTest::newRow("nonsense is quoted") << "solve.base_lr"
                                            << "["
                                            << "\"[\"";
        QTest::newRow("nothing is quoted") << "solve.base_lr"
                                           << ""
                                           << "\"\"";
    }
    void whatIsTypedComesOutAsYaml() {
        QFETCH(QString, key);
        QFETCH(QString, typed);
        QFETCH(QString, yaml);
        ConfigForm form;
        QSignalSpy edits(&form, &ConfigForm::edited);
        auto* editor = qobject_cast<QLineEdit*>(form.row(key.toStdString())->editor());
        editor->setText(typed + QLatin1Char('x'));
        QTest::keyClick(editor, Qt::Key_Backspace);
        QVERIFY(edits.count() > 0);
        QCOMPARE(edits.last()[0].toString(), key);
        QCOMPARE(edits.last()[1].toString(), yaml);
    }

    void troubleStandsBeneathItsField() {
        ConfigForm form;
        form.setParsed(parseConfig("solve:\n  base_lr: -1\ndata:\n  train:\n    - {format: nonsense}\n", "x"));
        QVERIFY(!form.row("solve.base_lr")->problem().isEmpty());
        QVERIFY(!form.row("data.train")->problem().isEmpty());
        QVERIFY(form.row("solve.gamma")->problem().isEmpty());
        form.setParsed(parseConfig("solve:\n  base_lr: 0.1\n", "x"));
        QVERIFY(form.row("solve.base_lr")->problem().isEmpty());
    }

    void arrowsStepANumberWithinItsRange() {
        ConfigForm form;
        QSignalSpy edits(&form, &ConfigForm::edited);
        form.setParsed(parseConfig("solve:\n  accumulate: 1\n  base_lr: 0.02\n", "x"));
        QTest::keyClick(line(form, "solve.accumulate"), Qt::Key_Up);
        QCOMPARE(edits.last()[1].toString(), QStringLiteral("2"));
        QTest::keyClick(line(form, "solve.base_lr"), Qt::Key_Up);
        QCOMPARE(edits.last()[1].toDouble(), 0.03);
        line(form, "solve.accumulate")->setText(QStringLiteral("1"));
        const auto before = edits.count();
        QTest::keyClick(line(form, "solve.accumulate"), Qt::Key_Down); // at least 1
        QCOMPARE(edits.count(), before);
    }

    void searchLooksThroughNamesAndHelp() {
        ConfigForm form;
        form.setParsed(parseConfig("", "x"));
        form.search()->setText(QStringLiteral("momentum"));
        QVERIFY(!form.row("solve.momentum")->isHidden());
        QVERIFY(form.row("seed")->isHidden());
        form.search()->clear();
        QVERIFY(!form.row("seed")->isHidden());
        QVERIFY(form.row("model.retinanet.depth")->isHidden()); // another model's
        form.search()->setText(QStringLiteral("retinanet depth"));
        QVERIFY(!form.row("model.retinanet.depth")->isHidden());
    }

    void datasetsAreAddedChangedAndRemoved() {
        DatasetsEditor editor;
        QSignalSpy edits(&editor, &DatasetsEditor::edited);
        DatasetConfig cells;
        cells.format = "voc";
        cells.path = "/data/cells";
        editor.setEntries({cells});
        QCOMPARE(edits.count(), 0);
        auto* format = editor.findChild<QComboBox*>();
        QVERIFY(format);
        QCOMPARE(format->currentText(), QStringLiteral("voc"));
        format->setCurrentText(QStringLiteral("coco"));
        QCOMPARE(editor.entries()[0].format, std::string("coco"));
        QCOMPARE(edits.count(), 1);
    }

    void theCaretStaysWhenTheTextChangesElsewhere() {
        YamlEditor editor;
        editor.setText(QStringLiteral("solve:\n  iterations: 10\n  gamma: 0.5\n"));
        QTextCursor cursor = editor.textCursor();
        cursor.setPosition(editor.toPlainText().indexOf(QStringLiteral("gamma")) + 2);
        editor.setTextCursor(cursor);
        QSignalSpy edits(&editor, &YamlEditor::textEdited);
        editor.setText(QStringLiteral("solve:\n  iterations: 12345\n  gamma: 0.5\n"));
        QCOMPARE(edits.count(), 0);
        QCOMPARE(editor.textCursor().position(), editor.toPlainText().indexOf(QStringLiteral("gamma")) + 2);
        editor.insertPlainText(QStringLiteral("x"));
        QCOMPARE(edits.count(), 1);
    }
};

QTEST_MAIN(tst_ConfigForm)
#include "tst_ConfigForm.moc"
