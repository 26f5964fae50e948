#include "HandMadeProject.h"
#include "app/workbench/monitor/SeriesReading.h"
#include "core/base/AtomicFile.h"
#include "tests/support/TestData.h"

#include <QtTest>

#include <cmath>

using namespace trainyard;

namespace {

const SeriesSnapshot::Series* find(const SeriesSnapshot& snapshot, const std::string& name, std::size_t run = 0) {
    for (const auto& series : snapshot.runs[run].series)
        if (series.name == name)
            return &series;
    return nullptr;
}

} // namespace

class tst_SeriesReading : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() {
        m_runs = testing::makeProject(m_folder.path(), 1200);
        auto project = Project::open(m_folder.path(), Project::Mode::ReadOnly);
        VERIFY_RESULT(project);
        for (const std::int64_t run : {m_runs.finished, m_runs.lost, m_runs.stopped})
            m_sources.push_back({run, m_folder.path() / (*project)->run(run)->folder});
    }

    void readsTheWholeRunInFewBuckets() {
        SeriesReading reading;
        reading.setRequest({.sources = {m_sources[0]}, .only = {}, .withUpdates = true, .view = {}, .columns = 300});
        QVERIFY(reading.hasNews());
        const auto snapshot = reading.read();
        QCOMPARE(snapshot->last, std::int64_t(1200));
        const auto* loss = find(*snapshot, "loss");
        QVERIFY(loss && !loss->buckets.empty() && loss->buckets.size() <= 300);
        QCOMPARE(loss->buckets.front().first, std::int64_t(1));
        QCOMPARE(loss->last.iteration, std::int64_t(1200));
        QVERIFY(!loss->abandoned.empty()); // the tail that the resume left behind
        QCOMPARE(snapshot->runs[0].sessions.size(), std::size_t(2));
        QVERIFY(find(*snapshot, "loss/ctc") && find(*snapshot, "seconds/forward") &&
                find(*snapshot, "metric/word_accuracy"));
        const auto* updates = find(*snapshot, "update_to_weight/largest");
        QVERIFY(updates);
        QCOMPARE(updates->last.iteration, std::int64_t(1200));
        // by hand: 1e-3 · exp(−3) · (1 + 0.5 · 3)
        QVERIFY(std::abs(updates->last.value - 1e-3 * std::exp(-3.0) * 2.5) < 1e-9);
    }

    void readsOnlyTheStretchThatIsShown() {
        SeriesReading reading;
        reading.setRequest({.sources = {m_sources[0]},
                            .only = {"loss"},
                            .withUpdates = false,
                            .view = {.isAll = false, .followsEnd = false, .from = 600, .to = 700},
                            .columns = 400});
        QVERIFY(reading.hasNews());
        const auto snapshot = reading.read();
        const auto* loss = find(*snapshot, "loss");
        QVERIFY(loss);
        QCOMPARE(snapshot->runs[0].series.size(), std::size_t(1));
        QVERIFY(loss->buckets.front().first >= 500 && loss->buckets.back().last <= 720);
        QCOMPARE(loss->buckets.front().count, std::int64_t(1)); // close enough for every point
    }

    void readsSeveralRunsForAComparison() {
        SeriesReading reading;
        reading.setRequest({.sources = m_sources, .only = {"loss"}, .withUpdates = false, .view = {}, .columns = 200});
        QVERIFY(reading.hasNews());
        const auto snapshot = reading.read();
        QCOMPARE(snapshot->runs.size(), std::size_t(3));
        std::int64_t nonFinite = 0;
        for (const auto& bucket : find(*snapshot, "loss", 2)->buckets)
            nonFinite += bucket.nonFinite;
        QCOMPARE(nonFinite, std::int64_t(1));
    }

    void hasNewsOnlyWhenSomethingChanged() {
        SeriesReading reading;
        reading.setRequest({.sources = {m_sources[0]}, .only = {}, .withUpdates = false, .view = {}, .columns = 100});
        QVERIFY(reading.hasNews());
        reading.read();
        QVERIFY(!reading.hasNews());
    }

    void waitsForARunThatHasNoPointsYet() {
        SeriesReading reading;
        reading.setRequest(
            {.sources = {{99, m_folder / "nowhere"}}, .only = {}, .withUpdates = false, .view = {}, .columns = 100});
        QVERIFY(reading.hasNews());
        const auto snapshot = reading.read();
        QVERIFY(snapshot->runs[0].series.empty());
        QVERIFY(!snapshot->runs[0].trouble.empty());
        QVERIFY(!reading.hasNews());
    }

    void exportsEveryPointWithAllDigits() {
        SeriesReading reading;
        reading.setRequest({.sources = {m_sources[0]}, .only = {}, .withUpdates = false, .view = {}, .columns = 100});
        QVERIFY(reading.hasNews());
        const std::string path = (m_folder / "loss.csv").string();
        QCOMPARE(reading.exportCsv(path, {"loss", "learning_rate"}, 1, 1200), std::string());
        const QStringList lines = QString::fromStdString(*readFile(path)).trimmed().split(QLatin1Char('\n'));
        QCOMPARE(lines.size(), 1201);
        QCOMPARE(lines[0], QStringLiteral("iteration,loss,learning_rate"));
        QCOMPARE(lines[1].section(QLatin1Char(','), 0, 0), QStringLiteral("1"));
        // by hand: 0.002 · 1/100 · (0.02 + 0.98 · 0.5 · (1 + cos(π/1200)))
        const double rate = lines[1].section(QLatin1Char(','), 2, 2).toDouble();
        QVERIFY(std::abs(rate - 0.00002 * (0.02 + 0.49 * (1 + std::cos(3.141592653589793 / 1200)))) < 1e-18);
        QVERIFY(!reading.exportCsv((m_folder / "no/such/folder.csv").string(), {"loss"}, 1, 10).empty());
    }

private:
    testing::ScratchFolder m_folder;
    testing::HandMadeRuns m_runs;
    std::vector<SeriesRequest::Source> m_sources;
};

QTEST_GUILESS_MAIN(tst_SeriesReading)
#include "tst_SeriesReading.moc"
