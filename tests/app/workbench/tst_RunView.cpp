#include "app/workbench/RunView.h"

#include <QtTest>

using namespace trainyard;

namespace {

ProjectSnapshot projectWith(RunStatus status) {
    RunRecord run;
    run.id = 12;
    run.name = "words";
    run.status = status;
    run.iteration = 12400;
    run.iterations = 60000;
    run.seconds = 1240;
    ProjectSnapshot project;
    project.runs = {run};
    return project;
}

} // namespace

class tst_RunView : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void knowsNothingOfARunThatIsNotThere() {
        QVERIFY(!viewOf(nullptr, 12, {}));
        const auto project = projectWith(RunStatus::Finished);
        QVERIFY(!viewOf(&project, 3, {}));
    }

    void aRunningRunThatIsNotOursIsFollowed() {
        const auto project = projectWith(RunStatus::Running);
        const auto view = viewOf(&project, 12, {});
        QVERIFY(view && view->isFollowed && view->isActive() && !view->canResume());
        QCOMPARE(view->name, QStringLiteral("words #12"));
        // 1240 s for 12 400 iterations: 0.1 s each, 47 600 are left
        QVERIFY(std::abs(view->secondsLeft - 4760) < 1);
        QVERIFY(view->progressText().contains(QStringLiteral("another process")));
    }

    void ourEngineKnowsBetterThanTheProject() {
        const auto project = projectWith(RunStatus::Preparing);
        EngineState engine;
        engine.isBusy = true;
        engine.run = 12;
        engine.status = RunStatus::Running;
        engine.step.iteration = 12410;
        engine.phase.phase = Phase::Running;
        engine.secondsLeft = 41 * 60;
        const auto view = viewOf(&project, 12, engine);
        QVERIFY(view && view->isOurs && !view->isFollowed);
        QCOMPARE(view->progressText(), QStringLiteral("12\u202f410 / 60\u202f000 · 41 min left"));
    }

    void saysThePhaseWhileNothingIterates() {
        auto project = projectWith(RunStatus::Preparing);
        project.runs[0].iteration = 0;
        EngineState engine;
        engine.isBusy = true;
        engine.run = 12;
        engine.status = RunStatus::Preparing;
        engine.phase.text = "scanning data";
        engine.phase.done = 1200;
        engine.phase.total = 3400;
        QCOMPARE(viewOf(&project, 12, engine)->progressText(),
                 QStringLiteral("scanning data 1\u202f200 of 3\u202f400"));
    }

    void onlyWhatEndedEarlyCanBeResumed_data() {
        QTest::addColumn<int>("status");
        QTest::addColumn<bool>("canResume");
        for (const auto& [status, can] : {std::pair(RunStatus::Queued, false),
                                          {RunStatus::Preparing, false},
                                          {RunStatus::Running, false},
                                          {RunStatus::Paused, false},
                                          {RunStatus::Stopping, false},
                                          {RunStatus::Stopped, true},
                                          {RunStatus::Finished, false},
                                          {RunStatus::Failed, true},
                                          {RunStatus::Lost, true}})
            QTest::newRow(statusName(status)) << int(status) << can;
    }
    void onlyWhatEndedEarlyCanBeResumed() {
        QFETCH(int, status);
        QFETCH(bool, canResume);
        const auto project = projectWith(RunStatus(status));
        QCOMPARE(viewOf(&project, 12, {})->canResume(), canResume);
    }
};

QTEST_MAIN(tst_RunView)
#include "tst_RunView.moc"
