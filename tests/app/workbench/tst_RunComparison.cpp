#include "app/workbench/runs/ComparisonModel.h"
#include "app/workbench/runs/LossParting.h"

#include <QAbstractItemModelTester>
#include <QTemporaryDir>
#include <QtTest>

#include <limits>

using namespace trainyard;

namespace {

constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();

/// A folder with a series file whose loss is as given, from iteration `from` on.
std::filesystem::path aRun(const QTemporaryDir& home, const char* name, const std::vector<double>& losses,
                           std::int64_t from = 1) {
    const std::filesystem::path folder = std::filesystem::path(home.path().toStdString()) / name;
    std::filesystem::create_directories(folder);
    auto writer = SeriesWriter::open(folder);
    if (!writer || !(*writer)->beginSession(0))
        qFatal("no series");
    for (const double loss : losses)
        (*writer)->add("loss", from++, loss);
    if (!(*writer)->flush())
        qFatal("not written");
    return folder;
}

ComparedRun compared(double rate, const char* device) {
    ComparedRun run;
    auto config = std::make_shared<RunConfig>();
    config->solve.baseLr = rate;
    run.config = config;
    run.provenance.device = device;
    run.provenance.seed = 7;
    return run;
}

const ComparisonRow* find(const std::vector<ComparisonRow>& rows, const char* name) {
    for (const ComparisonRow& row : rows)
        if (row.name == QLatin1String(name))
            return &row;
    return nullptr;
}

} // namespace

class tst_RunComparison : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void onlyWhatDiffersIsMarked() {
        const std::vector<ComparedRun> runs = {compared(0.1, "CPU"), compared(0.1, "CPU"), compared(0.2, "cuda:0")};
        const auto keys = configurationRows(runs);
        QVERIFY(find(keys, "solve.base_lr")->isDifferent);
        QCOMPARE(find(keys, "solve.base_lr")->values,
                 (QStringList{QStringLiteral("0.1"), QStringLiteral("0.1"), QStringLiteral("0.2")}));
        QCOMPARE(std::count_if(keys.begin(), keys.end(), [](const auto& row) { return row.isDifferent; }), 1);
        const auto facts = environmentRows(runs);
        QVERIFY(find(facts, "Device")->isDifferent);
        QVERIFY(!find(facts, "Seed")->isDifferent);
    }

    void showsWhatDiffersOrEverything() {
        ComparisonModel model;
        QAbstractItemModelTester tester(&model, QAbstractItemModelTester::FailureReportingMode::QtTest);
        const std::vector<ComparedRun> runs = {compared(0.1, "CPU"), compared(0.2, "CPU")};
        model.setRows({QStringLiteral("a #1"), QStringLiteral("b #2")}, configurationRows(runs));
        QCOMPARE(model.rowCount(), 1);
        QCOMPARE(model.columnCount(), 3);
        QCOMPARE(model.index(0, 0).data().toString(), QStringLiteral("solve.base_lr"));
        QCOMPARE(model.index(0, 2).data().toString(), QStringLiteral("0.2"));
        model.setShowsAll(true);
        QVERIFY(model.rowCount() > 50);
    }

    void findsTheFirstIterationThatDiffers_data() {
        QTest::addColumn<int>("at"); // of 20 000 iterations; 0: never
        QTest::newRow("at once") << 1;
        QTest::newRow("within the first stretch") << 500;
        QTest::newRow("at a stretch's first") << 8193;
        QTest::newRow("late") << 19999;
        QTest::newRow("never") << 0;
    }
    void findsTheFirstIterationThatDiffers() {
        QFETCH(int, at);
        QTemporaryDir home;
        std::vector<double> losses;
        for (int i = 1; i <= 20000; ++i)
            losses.push_back(1.0 / i);
        auto others = losses;
        if (at > 0)
            others[std::size_t(at - 1)] = std::nextafter(others[std::size_t(at - 1)], 2.0); // the last bit
        const auto first = aRun(home, "a", losses), second = aRun(home, "b", losses), third = aRun(home, "c", others);
        const auto parting = lossParting({first, second, third}, m_never);
        QVERIFY(parting);
        QCOMPARE(parting->iteration.value_or(0), std::int64_t(at));
        QCOMPARE(parting->last, std::int64_t(at > 0 ? at : 20000));
        QCOMPARE(parting->shared, std::int64_t(at > 0 ? at : 20000));
        QCOMPARE(parting->losses.size(), std::size_t(at > 0 ? 3 : 0));
    }

    void comparesWhatBothHave() {
        QTemporaryDir home;
        const auto first = aRun(home, "a", {1, 2, kNaN, 4});
        const auto second = aRun(home, "b", {2, kNaN, 5}, 2); // begins at iteration 2
        const auto apart = aRun(home, "c", {9}, 40);
        const auto parting = lossParting({first, second}, m_never);
        QVERIFY(parting);
        QCOMPARE(parting->iteration.value_or(0), std::int64_t(4)); // "not a number" is the same as itself
        QCOMPARE(parting->losses, (std::vector<double>{4, 5}));
        const auto nothing = lossParting({first, apart}, m_never);
        QVERIFY(nothing);
        QCOMPARE(nothing->shared, std::int64_t(0));
    }

    void canBeCancelled() {
        QTemporaryDir home;
        const auto first = aRun(home, "a", {1, 2}), second = aRun(home, "b", {1, 2});
        const std::atomic<bool> isCancelled = true;
        const auto parting = lossParting({first, second}, isCancelled);
        QVERIFY(!parting);
        QCOMPARE(parting.error().kind, ErrorKind::Interrupted);
    }

private:
    const std::atomic<bool> m_never = false;
};

QTEST_MAIN(tst_RunComparison)
#include "tst_RunComparison.moc"
