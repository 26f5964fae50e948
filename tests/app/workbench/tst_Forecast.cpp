#include "FakeEngine.h"
#include "app/workbench/configure/ConfigFacts.h"
#include "app/workbench/configure/Forecaster.h"

#include <QLabel>
#include <QtTest>

using namespace trainyard;

namespace {

RunConfig detector(const std::string& path) {
    RunConfig config;
    config.model.type = "retinanet";
    config.data.train = {{"voc", path, "", "", 0}};
    return config;
}

} // namespace

class tst_Forecast : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void countsTheFilesThatARunKeeps_data() {
        QTest::addColumn<qint64>("iterations");
        QTest::addColumn<qint64>("every");
        QTest::addColumn<qint64>("keepLast");
        QTest::addColumn<qint64>("evaluateEvery");
        QTest::addColumn<qint64>("kept"); // the newest, the best, one being written; never more than are saved
        QTest::newRow("usual") << qint64(3000) << qint64(250) << qint64(3) << qint64(250) << qint64(5);
        QTest::newRow("no best") << qint64(3000) << qint64(250) << qint64(3) << qint64(0) << qint64(4);
        QTest::newRow("few saved") << qint64(500) << qint64(250) << qint64(10) << qint64(250) << qint64(2);
        QTest::newRow("only the end") << qint64(500) << qint64(0) << qint64(3) << qint64(250) << qint64(1);
    }
    void countsTheFilesThatARunKeeps() {
        QFETCH(qint64, iterations);
        QFETCH(qint64, every);
        QFETCH(qint64, keepLast);
        QFETCH(qint64, evaluateEvery);
        RunConfig config;
        config.solve.iterations = iterations;
        config.train.checkpointEvery = every;
        config.train.keepLast = keepLast;
        config.train.evaluateEvery = evaluateEvery;
        QTEST(qint64(checkpointsKept(config)), "kept");
    }

    void countsEpochsOfWhatHasAnEnd() {
        RunConfig config;
        config.data.batchSize = 8;
        config.solve.accumulate = 2;
        config.solve.iterations = 1000;
        DataFindings findings;
        findings.sets = {{true, "a", "voc", 400, 0, 0}, {true, "b", "voc", 100, 0, 0}, {false, "c", "voc", 90, 0, 0}};
        QCOMPARE(*epochs(config, findings), 32.0); // 16 000 of 500
        findings.sets.push_back({true, "words", "rendered-words", -1, 0, 0});
        QVERIFY(!epochs(config, findings));
    }

    void saysWhatIsInTheData() {
        DataFindings findings;
        findings.sets = {{true, "a", "voc", 205, 3900, 0}, {false, "b", "voc", 87, 1800, 0}};
        findings.classes = {"RBC", "WBC"};
        const QString text = findingsText(findings, TaskKind::Detection);
        QVERIFY2(text.contains(QStringLiteral("train 205 images, 3\u202f900 boxes")), qPrintable(text));
        QVERIFY2(text.contains(QStringLiteral("validation 87 images, 1\u202f800 boxes")), qPrintable(text));
        QVERIFY2(text.contains(QStringLiteral("RBC, WBC")), qPrintable(text));
        DataFindings words;
        words.sets = {{true, "a", "icdar-words", 4468, 0, 0}, {true, "b", "rendered-words", -1, 0, 0}};
        QCOMPARE(findingsText(words, TaskKind::Recognition),
                 QStringLiteral("train 4\u202f468 words + words without end · no validation"));
    }

    void warnsBeforeTheDiskIsTooSmall() {
        RunConfig config;
        config.solve.iterations = 3000;
        config.train.checkpointEvery = 250;
        Forecast forecast;
        forecast.weight = ModelWeight{45'000'000, 540'000'000, 2'000'000'000};
        forecast.memoryTotal = 25'000'000'000;
        forecast.diskFree = 2'700'000'001; // five of 540 MB are 2.7 GB
        QVERIFY(shortageText(config, forecast).isEmpty());
        forecast.diskFree = 2'699'999'999;
        QVERIFY(shortageText(config, forecast).contains(QStringLiteral("train.keep_last")));
        forecast.diskFree = 90'000'000'000;
        forecast.memoryTotal = 1'000'000'000;
        QVERIFY(shortageText(config, forecast).contains(QStringLiteral("data.batch_size")));
    }

    /// At the smallest width that the window is made for the whole sentence is in sight, its remedy at the end too.
    void aShortageIsNotCutOff() {
        ParsedConfig parsed;
        parsed.config.solve.iterations = 3000;
        parsed.config.train.checkpointEvery = 250;
        Forecast forecast;
        forecast.weight = ModelWeight{45'000'000, 540'000'000, 2'000'000'000};
        forecast.memoryTotal = 25'000'000'000;
        forecast.diskFree = 1'000'000'000;
        ConfigFacts facts;
        facts.setConfig(parsed);
        facts.setForecast(forecast);
        facts.resize(970, facts.sizeHint().height());
        facts.setVisible(true);
        QVERIFY(QTest::qWaitForWindowExposed(&facts));
        const auto* needs = facts.findChild<QLabel*>(QStringLiteral("needs"));
        QVERIFY(needs);
        QCOMPARE(needs->text(), shortageText(parsed.config, forecast));
        const QRect whole =
            needs->fontMetrics().boundingRect(0, 0, needs->width(), 10000, Qt::TextWordWrap, needs->text());
        QVERIFY(needs->wordWrap());
        QVERIFY2(whole.height() <= needs->height() && whole.width() <= needs->width(),
                 qPrintable(QString("%1 in %2").arg(whole.height()).arg(needs->height())));
    }

    void asksOnceForWhatMattersAndAgainWhenItChanged() {
        auto engine = std::make_shared<testing::FakeEngine>();
        Forecaster forecaster;
        forecaster.setEngine(engine);
        forecaster.setConfig(detector("cells"));
        QTRY_VERIFY(forecaster.forecast().findings && forecaster.forecast().weight);
        QCOMPARE(engine->weighed(), (std::vector<std::pair<std::string, std::size_t>>{{"retinanet", 3}}));
        QCOMPARE(forecaster.forecast().weight->parameters, std::int64_t(1'000'003));
        RunConfig other = detector("cells");
        other.solve.baseLr = 0.5; // neither model nor data
        other.data.workers = 3;
        forecaster.setConfig(other);
        other.model.retinanet.depth = 50;
        forecaster.setConfig(other);
        QTRY_COMPARE(engine->weighed().size(), std::size_t(2));
        QCOMPARE(engine->looks(), 1);
    }

    void aNewQuestionGivesUpTheOneBefore() {
        auto engine = std::make_shared<testing::FakeEngine>();
        Forecaster forecaster;
        forecaster.setEngine(engine);
        forecaster.setConfig(detector("endless"));
        QTRY_COMPARE(forecaster.forecast().lookProgress, QStringLiteral("Scanning endless 5 of 10"));
        forecaster.setConfig(detector("cells"));
        QTRY_VERIFY(forecaster.forecast().findings);
        QVERIFY(!forecaster.forecast().isLooking);
    }

    void lookingCanBeCancelledAndBegunAgain() {
        auto engine = std::make_shared<testing::FakeEngine>();
        Forecaster forecaster;
        forecaster.setEngine(engine);
        forecaster.setConfig(detector("endless"));
        QTRY_VERIFY(forecaster.forecast().isLooking);
        forecaster.cancelLook();
        QTRY_VERIFY(!forecaster.forecast().isLooking);
        QVERIFY(!forecaster.forecast().dataTrouble.isEmpty());
        QTRY_VERIFY(forecaster.forecast().weight); // of a head for one class: nothing is known of the data
        forecaster.lookAgain();
        QTRY_COMPARE(engine->looks(), 2);
    } // and the destructor gives up the second look

    void leavesATrainingAlone() {
        auto engine = std::make_shared<testing::FakeEngine>();
        Forecaster forecaster;
        forecaster.setBusy(true);
        forecaster.setEngine(engine);
        forecaster.setConfig(RunConfig());
        QTRY_VERIFY(!forecaster.forecast().weightTrouble.isEmpty());
        QVERIFY(engine->weighed().empty());
        forecaster.setBusy(false);
        QTRY_VERIFY(forecaster.forecast().weight);
    }

    void theHeadSaysWhatWasFound() {
        ConfigFacts facts;
        ParsedConfig parsed;
        parsed.config = detector("cells");
        parsed.config.data.batchSize = 4;
        parsed.config.solve.iterations = 1000;
        facts.setConfig(parsed);
        Forecast forecast;
        forecast.isLooking = true;
        forecast.lookProgress = QStringLiteral("Scanning cells 50 of 205");
        facts.setForecast(forecast);
        QCOMPARE(facts.dataText(), forecast.lookProgress);
        forecast.isLooking = false;
        forecast.findings =
            DataFindings{{{true, "cells", "voc", 200, 3900, 2}}, {"RBC"}, {"a.xml: A box has no area."}};
        forecast.weight = ModelWeight{21'341'765, 170'000'000, 1'100'000'000};
        facts.setForecast(forecast);
        QVERIFY(facts.modelText().contains(QStringLiteral("21\u202f341\u202f765 parameters")));
        QVERIFY(facts.dataText().contains(QStringLiteral("200 images")));
        QVERIFY2(facts.batchText().contains(QStringLiteral("20.00 epochs")), qPrintable(facts.batchText()));
        forecast.findings.reset();
        forecast.dataTrouble = QStringLiteral("There is no such file or folder.");
        facts.setForecast(forecast);
        QCOMPARE(facts.dataText(), forecast.dataTrouble);
    }
};

QTEST_MAIN(tst_Forecast)
#include "tst_Forecast.moc"
