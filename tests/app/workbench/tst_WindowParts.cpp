#include "app/workbench/GoTo.h"
#include "app/workbench/HelpPanel.h"
#include "app/workbench/MessageBar.h"
#include "app/workbench/StatusLine.h"
#include "core/base/Log.h"
#include "core/config/Schema.h"
#include "widgets/theme/Theme.h"

#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QTextBrowser>
#include <QtTest>

#include <thread>

using namespace trainyard;

class tst_WindowParts : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { theme::apply(theme::Choice::Light); }

    void aMessageStaysUntilItIsPutAway() {
        MessageBar bar;
        QSignalSpy shown(&bar, &MessageBar::shownChanged);
        int undone = 0;
        bar.post({QStringLiteral("disk"), theme::Tone::Warning, QStringLiteral("The disk is nearly full."), {}, {}});
        bar.post({QStringLiteral("undo"), theme::Tone::Quiet, QStringLiteral("Run deleted."), QStringLiteral("Undo"),
                  [&] { ++undone; }});
        QCOMPARE(bar.count(), 2);
        QCOMPARE(bar.current()->id, QStringLiteral("undo"));
        bar.act();
        QCOMPARE(undone, 1);
        QCOMPARE(bar.current()->id, QStringLiteral("disk"));
        bar.putAway();
        QVERIFY(!bar.current());
        QCOMPARE(shown.last()[0].toBool(), false);
    }

    void aNewerMessageTakesThePlaceOfItsElder() {
        MessageBar bar;
        for (const char* text : {"a", "b"})
            bar.post({QStringLiteral("disk"), theme::Tone::Warning, QLatin1String(text), {}, {}});
        QCOMPARE(bar.count(), 1);
        QCOMPARE(bar.current()->text, QStringLiteral("b"));
        bar.withdraw(QStringLiteral("disk"));
        QCOMPARE(bar.count(), 0);
    }

    void theStatusLineNamesNoDeviceForARunOfAnotherProcess() {
        StatusLine line;
        line.setDevice(QStringLiteral("CPU, 2 threads"));
        const auto isNamed = [&line] {
            const auto labels = line.findChildren<QLabel*>();
            return std::any_of(labels.begin(), labels.end(), [](const QLabel* label) {
                return label->text() == QStringLiteral("CPU, 2 threads") && !label->isHidden();
            });
        };
        RunView view;
        view.isOurs = true;
        line.setState({}, view, nullptr);
        QVERIFY(isNamed());
        view.isOurs = false;
        view.isFollowed = true;
        line.setState({}, view, nullptr);
        QVERIFY(!isNamed());
        line.setState({}, std::nullopt, nullptr);
        QVERIFY(isNamed());
    }

    void goToFindsWhatWasMeant() {
        QVERIFY(GoTo::fit(QStringLiteral("Monitor"), QStringLiteral("moni")) >
                GoTo::fit(QStringLiteral("A Monitor"), QStringLiteral("moni")));
        QVERIFY(GoTo::fit(QStringLiteral("solve.base_lr"), QStringLiteral("base lr")) > 0);
        QVERIFY(GoTo::fit(QStringLiteral("solve.base_lr"), QStringLiteral("momentum")) < 0);
        int gone = 0;
        auto* dialog =
            new GoTo({{QStringLiteral("Runs"), {}, {}, [&] { gone = 1; }},
                      {QStringLiteral("solve.momentum"), QStringLiteral("Momentum of sgd."), {}, [&] { gone = 2; }},
                      {QStringLiteral("Other"), QStringLiteral("speaks of momentum"), {}, [&] { gone = 3; }}},
                     nullptr);
        QTest::keyClicks(dialog->line(), QStringLiteral("momentum"));
        QCOMPARE(dialog->list()->count(), 2); // by name first, then by its hint
        QTest::keyClick(dialog->line(), Qt::Key_Down);
        QTest::keyClick(dialog->line(), Qt::Key_Up);
        QTest::keyClick(dialog->line(), Qt::Key_Return);
        QCOMPARE(gone, 2);
    }

    void theReferenceNamesEveryKey() {
        const QString text = HelpPanel::referenceMarkdown();
        for (const Field& field : Schema::instance().fields())
            QVERIFY2(text.contains(QString::fromStdString(field.key).replace(QLatin1Char('_'), QStringLiteral("\\_"))),
                     field.key.c_str());
    }

    void everyHelpPageCanBeOpened() {
        HelpPanel panel;
        auto* text = panel.findChild<QTextBrowser*>();
        for (const QString& page : panel.pages()) {
            text->clear();
            panel.open(page);
            QVERIFY2(text->toPlainText().size() > 200, qPrintable(page));
        }
    }
};

QTEST_MAIN(tst_WindowParts)
#include "tst_WindowParts.moc"
