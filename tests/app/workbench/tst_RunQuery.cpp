#include "app/workbench/runs/RunQuery.h"

#include <QtTest>

using namespace trainyard;

namespace {

std::int64_t at(const QString& when) {
    return QDateTime::fromString(when, Qt::ISODate).toMSecsSinceEpoch() * 1000;
}

RunRecord run(std::int64_t id, const char* name, RunStatus status, double loss, const char* made) {
    RunRecord record;
    record.id = id;
    record.name = name;
    record.modelType = id == 2 ? "retinanet" : "crnn";
    record.status = status;
    record.iteration = 100;
    record.iterations = 1000;
    record.loss = loss;
    record.seconds = double(id) * 3600;
    record.createdMicroseconds = at(QLatin1String(made));
    return record;
}

} // namespace

/// Three runs; each row of the table says which of them a filter lets through.
class tst_RunQuery : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() {
        m_runs = {run(1, "words", RunStatus::Finished, 0.2, "2025-11-01T08:00:00"),
                  run(2, "cells", RunStatus::Lost, 0.05, "2025-11-20T23:59:59"),
                  run(3, "wide words", RunStatus::Stopped, 0.9, "2025-11-30T00:00:00")};
        m_runs[0].tags = {"baseline", "good"};
        m_runs[1].tags = {"base"};
        m_runs[1].group = "first tries";
        m_runs[2].notes = "learns slowly: see #1";
        m_runs[2].bestMetric = 0.5;
        EvaluationRecord cells, words;
        cells.run = 2;
        cells.report.metrics = {{"bbox/AP50", 0.375}};
        words.run = 1;
        words.report.metrics = {{"word_accuracy", 0.75}};
        m_values.setEvaluations({words, cells});
        auto slow = std::make_shared<RunConfig>(), fast = std::make_shared<RunConfig>();
        slow->solve.baseLr = 0.001;
        slow->solve.optimizer = "adam";
        fast->solve.baseLr = 0.1;
        fast->solve.optimizer = "sgd";
        m_values.setConfigurations({{1, slow}, {2, fast}});
    }

    void letsThrough_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("runs");
        QTest::newRow("nothing asked") << ""
                                       << "1 2 3";
        QTest::newRow("words in any order") << "WORDS wide"
                                            << "3";
        QTest::newRow("a word of a note") << "slowly"
                                          << "3";
        QTest::newRow("a state's word") << "lost"
                                        << "2";
        QTest::newRow("a word with a colon") << "slowly:"
                                             << "3";
        QTest::newRow("a tag, whole") << "tag:base"
                                      << "2";
        QTest::newRow("not a tag") << "-tag:base"
                                   << "1 3";
        QTest::newRow("a group in quotes") << "group:\"first tries\""
                                           << "2";
        QTest::newRow("state") << "state:stopped"
                               << "3";
        QTest::newRow("model") << "model:crnn"
                               << "1 3";
        QTest::newRow("loss below") << "loss<0.2"
                                    << "2";
        QTest::newRow("loss at most") << "loss<=0.2"
                                      << "1 2";
        QTest::newRow("a range") << "loss>0.1 loss<0.5"
                                 << "1";
        QTest::newRow("best metric") << "metric>=0.5"
                                     << "3";
        QTest::newRow("a metric's name") << "bbox/AP50>0.3"
                                         << "2";
        QTest::newRow("a metric that few have") << "-word_accuracy>0.7"
                                                << "2 3";
        QTest::newRow("a number of the configuration") << "solve.base_lr>=0.01"
                                                       << "2";
        QTest::newRow("a text of the configuration") << "solve.optimizer:adam"
                                                     << "1";
        QTest::newRow("hours") << "time>1.5h"
                               << "2 3";
        QTest::newRow("seconds") << "time<=3600"
                                 << "1";
        QTest::newRow("on a day") << "made:2025-11-20"
                                  << "2";
        QTest::newRow("after a day") << "made>2025-11-20"
                                     << "3";
        QTest::newRow("from a day on") << "made>=2025-11-20"
                                       << "2 3";
        QTest::newRow("before a day") << "made<2025-11-20"
                                      << "1";
        QTest::newRow("until a day") << "made<=2025-11-20"
                                     << "1 2";
        QTest::newRow("today") << "made:today"
                               << "3";
        QTest::newRow("last days") << "made:11d"
                                   << "2 3";
        QTest::newRow("all together") << "words -tag:good loss>0.5"
                                      << "3";
    }
    void letsThrough() {
        QFETCH(QString, text);
        const auto query = RunQuery::parse(text, m_values, m_now);
        QCOMPARE(query.problem(), QString());
        QStringList found;
        for (const RunRecord& each : m_runs)
            if (query.matches(each, m_values))
                found << QString::number(each.id);
        QTEST(found.join(QLatin1Char(' ')), "runs");
    }

    void saysWhatMeansNothing_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("mentioned");
        QTest::newRow("no number") << "loss<abc"
                                   << "abc";
        QTest::newRow("not yet a number") << "loss<"
                                          << "loss<";
        QTest::newRow("no such key") << "solve.base_rl>0.1"
                                     << "solve.base_rl";
        QTest::newRow("no date") << "made>yesterday"
                                 << "yesterday";
        QTest::newRow("text is not ordered") << "tag<base"
                                             << "tag";
    }
    void saysWhatMeansNothing() {
        QFETCH(QString, text);
        QFETCH(QString, mentioned);
        const auto query = RunQuery::parse(text, m_values, m_now);
        QVERIFY2(query.problem().contains(mentioned), qPrintable(query.problem()));
        for (const RunRecord& each : m_runs)
            QVERIFY(query.matches(each, m_values)); // what says nothing hides nothing
    }

    void writesTermsThatItReads() {
        QCOMPARE(RunQuery::term(QStringLiteral("tag"), QStringLiteral(":"), QStringLiteral("a")),
                 QStringLiteral("tag:a"));
        const QString term =
            RunQuery::term(QStringLiteral("group"), QStringLiteral(":"), QStringLiteral("first tries"));
        QVERIFY(RunQuery::parse(term, m_values, m_now).matches(m_runs[1], m_values));
        QVERIFY(!RunQuery::parse(term, m_values, m_now).matches(m_runs[0], m_values));
    }

    void knowsWhenConfigurationsAreNeeded() {
        QVERIFY(RunQuery::parse(QStringLiteral("solve.base_lr>0"), m_values, m_now).needsConfigurations());
        QVERIFY(!RunQuery::parse(QStringLiteral("bbox/AP50>0 words"), m_values, m_now).needsConfigurations());
    }

private:
    std::vector<RunRecord> m_runs;
    RunValues m_values;
    const QDateTime m_now = QDateTime::fromString(QStringLiteral("2025-11-30T12:00:00"), Qt::ISODate);
};

QTEST_MAIN(tst_RunQuery)
#include "tst_RunQuery.moc"
