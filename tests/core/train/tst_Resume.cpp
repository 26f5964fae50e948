#include "tests/core/train/ToyTraining.h"
#include "tests/support/TestData.h"

#include <QCoreApplication>
#include <QProcess>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <unistd.h>

using namespace trainyard;
using namespace trainyard::testing;

namespace {

/// What a child process is to do: a toy run of 30 updates that kills itself.
struct Plan {
    int replicas = 1;
    bool draws = false; ///< dropout and batch normalisation
    bool isBf16 = false;
    int dieAfterStep = 0; ///< SIGKILL after this iteration's report; 0 never
    int dieInWrite = 0;   ///< SIGKILL in the middle of this checkpoint's file; 0 never
};

/// A disk that dies with half a checkpoint written under its temporary name.
class DyingDisk final : public FullDisk {
public:
    explicit DyingDisk(int atWrite) : m_atWrite(atWrite) {}
    Result<std::int64_t> write(const std::filesystem::path& path, const TrainingState& state) override {
        if (writes + 1 == m_atWrite) {
            std::FILE* file = std::fopen((path.string() + ".aB3xYz.tmp").c_str(), "wb");
            std::fputs("PK\3\4 half a checkpoint", file);
            std::fflush(file);
            ::raise(SIGKILL);
        }
        return FullDisk::write(path, state);
    }

private:
    int m_atWrite;
};

std::optional<std::filesystem::path> newestCheckpoint(const std::filesystem::path& folder) {
    std::optional<std::filesystem::path> newest;
    std::error_code code;
    for (const auto& entry : std::filesystem::directory_iterator(folder / "checkpoints", code))
        if (entry.path().extension() == ".pth" && (!newest || entry.path() > *newest))
            newest = entry.path();
    return newest;
}

/// Trains in `folder` from its newest checkpoint, writing "iteration loss" lines with every bit to `losses`.
int train(const std::filesystem::path& folder, const Plan& plan, std::FILE* losses) {
    ToyShape shape;
    shape.dropout = plan.draws ? 0.3 : 0;
    shape.hasBatchNorm = plan.draws;
    ToyRun run(folder, shape, plan.replicas);
    DyingDisk disk(plan.dieInWrite);
    run.parts.disk = &disk;
    run.parts.config.solve.iterations = 30; // epochs end at 5, 10, …
    run.parts.config.solve.momentum = 0.9;
    run.parts.config.train.checkpointEvery = 4;
    run.parts.config.train.evaluateEvery = 7;
    run.parts.config.train.precision = plan.isBf16 ? "bf16" : "fp32";
    run.parts.resumeFrom = newestCheckpoint(folder);
    run.sink.afterStep = [&](std::int64_t iteration) {
        std::fprintf(losses, "%ld %a\n", long(iteration), run.sink.steps.back().loss);
        std::fflush(losses);
        if (iteration == plan.dieAfterStep)
            ::raise(SIGKILL);
    };
    const RunOutcome outcome = run.run();
    return outcome.status == RunStatus::Finished ? 0 : 1;
}

/// Runs `train` in a process of its own (this program again); true when it was killed.
bool trainInChild(const std::filesystem::path& folder, const Plan& plan) {
    QProcess child;
    child.setProcessChannelMode(QProcess::ForwardedChannels);
    child.start(QCoreApplication::applicationFilePath(),
                {"--train", QString::fromStdString(folder.string()), QString::number(plan.replicas),
                 QString::number(plan.draws), QString::number(plan.isBf16), QString::number(plan.dieAfterStep),
                 QString::number(plan.dieInWrite)});
    child.waitForFinished(-1);
    return child.exitStatus() == QProcess::CrashExit;
}

/// The losses of a folder by iteration; where a resume repeated one, the newest.
std::map<int, std::string> lossesOf(const std::filesystem::path& folder) {
    std::map<int, std::string> losses;
    QFile file(QString::fromStdString((folder / "losses.txt").string()));
    if (file.open(QIODevice::ReadOnly))
        for (const QByteArray& line : file.readAll().split('\n'))
            if (const auto parts = line.split(' '); parts.size() == 2)
                losses[parts[0].toInt()] = parts[1].toStdString();
    return losses;
}

} // namespace

class tst_Resume : public QObject {
    Q_OBJECT
private Q_SLOTS:
    /// Killed and resumed, twice: the losses are those of the uninterrupted run to the last bit.
    void losesNoBitWhenKilled_data() {
        QTest::addColumn<int>("replicas");
        QTest::addColumn<bool>("draws");
        QTest::addColumn<bool>("isBf16");
        QTest::addColumn<int>("first");  // iteration after which it dies
        QTest::addColumn<int>("second"); // checkpoint in whose file it dies, counted from the resume
        QTest::newRow("one replica") << 1 << false << false << 9 << 3;
        QTest::newRow("at the end of an epoch") << 1 << true << false << 10 << 2;
        QTest::newRow("right after a checkpoint") << 1 << true << false << 12 << 4;
        QTest::newRow("before the first checkpoint") << 1 << true << false << 3 << 1;
        QTest::newRow("dropout and batch norm in bf16") << 1 << true << true << 17 << 2;
        QTest::newRow("two replicas") << 2 << false << false << 11 << 3;
        QTest::newRow("two replicas with dropout and batch norm") << 2 << true << false << 18 << 2;
    }
    void losesNoBitWhenKilled() {
        QFETCH(int, replicas);
        QFETCH(bool, draws);
        QFETCH(bool, isBf16);
        QFETCH(int, first);
        QFETCH(int, second);
        ScratchFolder whole, cut;
        const Plan plan{replicas, draws, isBf16, 0, 0};
        QVERIFY(!trainInChild(whole.path(), plan));
        Plan dying = plan;
        dying.dieAfterStep = first;
        QVERIFY(trainInChild(cut.path(), dying));
        dying = plan;
        dying.dieInWrite = second;
        QVERIFY(trainInChild(cut.path(), dying));
        QVERIFY(!trainInChild(cut.path(), plan));
        const auto expected = lossesOf(whole.path()), got = lossesOf(cut.path());
        QCOMPARE(expected.size(), std::size_t(30));
        for (const auto& [iteration, loss] : expected)
            QVERIFY2(got.contains(iteration) && got.at(iteration) == loss,
                     qPrintable(QString("iteration %1").arg(iteration)));
        for (const auto& entry : std::filesystem::directory_iterator(cut / "checkpoints"))
            QVERIFY2(entry.path().extension() == ".pth", entry.path().c_str()); // the half-written one was cleared away
    }

    void saysWhenItWillNotBeExact() {
        ScratchFolder folder;
        ToyRun run(folder.path());
        (void)run.run();
        ToyRun other(folder.path());
        other.parts.config.train.threads = 2;
        other.parts.config.solve.iterations = 14;
        other.parts.resumeFrom = run.checkpoint(12);
        QCOMPARE(other.run().status, RunStatus::Finished);
        const auto warnings = other.sink.events(EventKind::Warning);
        QCOMPARE(warnings.size(), std::size_t(1));
        QVERIFY(warnings[0].text.starts_with(
            "compute is cpu, 2 threads each, fp32 where the checkpoint was made with cpu, 1 thread each"));
    }

    void remembersTheBest() {
        ScratchFolder folder;
        ToyRun run(folder.path());
        run.evaluator.scores = {{4, 0.9}, {8, 0.1}, {12, 0.2}};
        (void)run.run();
        ToyRun further(folder.path());
        further.evaluator.scores = {{16, 0.5}};
        further.parts.config.solve.iterations = 16;
        further.parts.resumeFrom = run.checkpoint(12);
        (void)further.run();
        for (const CatalogEntry& entry : further.catalog.list)
            QVERIFY(!entry.isBest); // 0.5 does not beat 0.9
    }
};

int main(int argc, char** argv) {
    if (argc == 8 && std::string(argv[1]) == "--train") {
        const std::filesystem::path folder = argv[2];
        std::FILE* losses = std::fopen((folder / "losses.txt").c_str(), "a");
        return train(folder,
                     {std::atoi(argv[3]), std::atoi(argv[4]) != 0, std::atoi(argv[5]) != 0, std::atoi(argv[6]),
                      std::atoi(argv[7])},
                     losses);
    }
    QCoreApplication application(argc, argv);
    tst_Resume test;
    return QTest::qExec(&test, argc, argv);
}
#include "tst_Resume.moc"
