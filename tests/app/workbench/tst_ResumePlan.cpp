#include "app/workbench/resume/ResumeDialog.h"

#include <QCheckBox>
#include <QPushButton>
#include <QSpinBox>
#include <QTableWidget>
#include <QtTest>

using namespace trainyard;

namespace {

/// As an engine stores it: nothing is left to the machine.
RunConfig stored() {
    RunConfig config;
    config.train.device = "cpu";
    config.train.precision = "bf16";
    config.train.threads = 2;
    config.data.train = {{"voc", "/data/cells", "", "", 0}};
    config.solve.iterations = 1000;
    config.solve.policy = "cosine";
    config.solve.baseLr = 0.1;
    return config;
}

RunConfig asWritten() {
    RunConfig config = stored();
    config.train = TrainConfig();
    return config;
}

RunRecord run(RunStatus status, std::int64_t iteration) {
    RunRecord record;
    record.id = 3;
    record.name = "cells";
    record.status = status;
    record.iteration = iteration;
    record.iterations = 1000;
    return record;
}

} // namespace

class tst_ResumePlan : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void whatTheMachineChoseIsNoChange() {
        QVERIFY(resumeChanges(stored(), asWritten()).empty());
        RunConfig other = asWritten();
        other.train.precision = "fp32";
        const auto changes = resumeChanges(stored(), other);
        QCOMPARE(changes.size(), std::size_t(1));
        QCOMPARE(changes[0].key, std::string("train.precision"));
        QVERIFY(changes[0].applies);
    }

    void aRelativePathIsTheSamePath() {
        RunConfig made = stored(), written = asWritten();
        made.data.train[0].path = QDir::current().absoluteFilePath(QStringLiteral("cells")).toStdString();
        written.data.train[0].path = "./cells";
        made.data.train[0].proposals = made.data.train[0].path + "/regions.json";
        written.data.train[0].proposals = "cells/regions.json";
        made.evaluate.lexicon = made.data.train[0].path + "/words.txt";
        written.evaluate.lexicon = "cells/words.txt";
        QVERIFY(resumeChanges(made, written).empty());
    }

    void saysWhatAppliesAndWhatDoesNot() {
        RunConfig wanted = asWritten();
        wanted.solve.baseLr = 0.05;
        wanted.model.crnn.hidden = 64;
        const auto changes = resumeChanges(stored(), wanted);
        QCOMPARE(changes.size(), std::size_t(2));
        for (const ResumeChange& change : changes)
            QCOMPARE(change.applies, change.key == "solve.base_lr");
        QCOMPARE(overridesOf(changes), std::vector<std::string>{"solve.base_lr=0.05"});
        QCOMPARE(planned(stored(), changes, 500).solve.baseLr, 0.05);
        QCOMPARE(planned(stored(), changes, 500).solve.iterations, std::int64_t(1500));
        QCOMPARE(planned(stored(), changes, 500).model.crnn.hidden, stored().model.crnn.hidden);
    }

    void trainsAFinishedRunFurther() {
        auto* dialog = new ResumeDialog(run(RunStatus::Finished, 1000), stored(), std::nullopt);
        QSignalSpy decided(dialog, &ResumeDialog::decided);
        ResumeChoice choice;
        connect(dialog, &ResumeDialog::decided, this, [&](const ResumeChoice& each) { choice = each; });
        QVERIFY(dialog->further()->minimum() >= 1);
        dialog->further()->setValue(1000);
        // cosine over 2 000: half the rate at 1 000, where it was almost none of 1 000
        QVERIFY2(dialog->rateText().contains(QStringLiteral("5.0e-2 at iteration 1\u202f001")),
                 qPrintable(dialog->rateText()));
        dialog->go()->click();
        QCOMPARE(decided.count(), 1);
        QCOMPARE(choice.further, std::int64_t(1000));
        QVERIFY(choice.overrides.empty());
        QVERIFY(!choice.acceptChanges);
    }

    void takesChangesOnlyWhenToldTo() {
        RunConfig wanted = asWritten();
        wanted.solve.baseLr = 0.05;
        wanted.model.crnn.hidden = 64;
        auto* dialog = new ResumeDialog(run(RunStatus::Stopped, 400), stored(), wanted);
        QCOMPARE(dialog->table()->rowCount(), 2);
        QVERIFY(dialog->choice().overrides.empty());
        dialog->takeChanges()->setChecked(true);
        dialog->acceptChanges()->setChecked(true);
        QCOMPARE(dialog->choice().overrides, std::vector<std::string>{"solve.base_lr=0.05"});
        QVERIFY(dialog->choice().acceptChanges);
        QCOMPARE(dialog->choice().further, std::int64_t(0));
        QVERIFY(dialog->go()->isEnabled());
        dialog->reject();
    }
};

QTEST_MAIN(tst_ResumePlan)
#include "tst_ResumePlan.moc"
