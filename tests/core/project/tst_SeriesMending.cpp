// A series file that somebody removes, replaces, cuts short or damages, while it is written and before it is opened.
#include "ProjectFixture.h"

#include "core/base/AtomicFile.h"
#include "core/base/Random.h"
#include "core/project/RunRecorder.h"
#include "core/project/Series.h"

#include <cmath>
#include <fstream>
#include <limits>
#include <sqlite3.h>

using namespace trainyard;
using testing::aRun;
using testing::makeProject;
using testing::must;

namespace {

namespace fs = std::filesystem;

constexpr auto kFirst = std::numeric_limits<std::int64_t>::min();
constexpr auto kLast = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t kPoints = 20000; // some chunks, and a tail

double lossAt(std::int64_t iteration) {
    return std::sin(double(iteration)) / double(iteration);
}

double rateAt(std::int64_t iteration) {
    return 1.0 / double(iteration);
}

StatisticsReport statisticsAt(std::int64_t iteration) {
    return {iteration, {{"conv1.weight", {}, {}, rateAt(iteration)}}};
}

void add(SeriesWriter& writer, std::int64_t from, std::int64_t to) {
    for (std::int64_t i = from; i <= to; ++i) {
        writer.add("loss", i, lossAt(i));
        writer.add("learning_rate", i, rateAt(i));
        if (i % 1000 == 0)
            writer.add(statisticsAt(i));
    }
}

std::unique_ptr<SeriesWriter> filledWriter(const fs::path& folder) {
    auto writer = must(SeriesWriter::open(folder));
    if (!writer->beginSession(0))
        qFatal("no session");
    add(*writer, 1, kPoints);
    if (!writer->flush())
        qFatal("no points");
    return writer;
}

void removeAll(const fs::path& file) {
    for (const char* suffix : {"", "-wal", "-shm"})
        fs::remove(file.string() + suffix);
}

/// Folds the log into the file, so that all of it can be cut.
void foldLog(const fs::path& file) {
    sqlite3* handle = nullptr;
    sqlite3_open(file.c_str(), &handle);
    const int folded = sqlite3_exec(handle, "PRAGMA wal_checkpoint(TRUNCATE)", nullptr, nullptr, nullptr);
    sqlite3_close(handle);
    if (folded != SQLITE_OK)
        qFatal("the log cannot be folded");
}

std::vector<SeriesPoint> pointsOf(const fs::path& folder, const std::string& name) {
    return must(must(SeriesReader::open(folder))->points(name, kFirst, kLast));
}

/// That every point there is belongs to the curve, in order; how many there are.
std::int64_t countRight(const fs::path& folder) {
    const auto loss = pointsOf(folder, "loss");
    for (std::size_t i = 0; i < loss.size(); ++i)
        if (loss[i].value != lossAt(loss[i].iteration) || (i > 0 && loss[i].iteration <= loss[i - 1].iteration))
            return -1;
    return std::int64_t(loss.size());
}

std::int64_t damagedFiles(const fs::path& folder) {
    std::int64_t count = 0;
    for (const auto& entry : fs::directory_iterator(folder))
        count += entry.path().filename().string().starts_with("series.sqlite.damaged-") &&
                 !entry.path().filename().string().ends_with("-wal") &&
                 !entry.path().filename().string().ends_with("-shm");
    return count;
}

} // namespace

class tst_SeriesMending : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void losesNothingWhenItsFileGoes_data() {
        QTest::addColumn<QString>("deed");
        QTest::addColumn<QString>("what");
        QTest::addColumn<int>("kept");
        QTest::newRow("removed") << "remove"
                                 << "was removed" << 0;
        QTest::newRow("removed, its log stays") << "remove file"
                                                << "was removed" << 0;
        QTest::newRow("replaced by another") << "replace"
                                             << "was replaced" << 1;
        QTest::newRow("replaced by a copy of itself") << "copy"
                                                      << "was replaced" << 1;
        QTest::newRow("its log removed") << "remove log"
                                         << "lost its log" << 1;
    }
    void losesNothingWhenItsFileGoes() {
        QFETCH(QString, deed);
        QFETCH(QString, what);
        QFETCH(int, kept);
        testing::ScratchFolder folder;
        const auto file = folder / "series.sqlite";
        const auto writer = filledWriter(folder.path());
        QVERIFY(writer->takeNews().empty());
        if (deed == "remove" || deed == "replace")
            removeAll(file);
        if (deed == "remove file")
            fs::remove(file);
        if (deed == "replace")
            VERIFY_RESULT(writeFile(file, "somebody else's"));
        if (deed == "copy") {
            fs::copy_file(file, folder / "copy");
            fs::rename(folder / "copy", file);
        }
        if (deed == "remove log")
            fs::remove(file.string() + "-wal");
        add(*writer, kPoints + 1, kPoints + 500);
        VERIFY_RESULT(writer->flush());
        const auto news = writer->takeNews();
        QCOMPARE(news.size(), std::size_t(1));
        QVERIFY2(news[0].find(what.toStdString()) != std::string::npos &&
                     news[0].find("with all its points") != std::string::npos,
                 news[0].c_str());
        QCOMPARE(damagedFiles(folder.path()), std::int64_t(kept));
        if (deed == "replace")
            QCOMPARE(*readFile(folder / "series.sqlite.damaged-1"), std::string("somebody else's"));
        add(*writer, kPoints + 501, kPoints + 3000); // and on it goes in the new one
        VERIFY_RESULT(writer->flush());
        QVERIFY(writer->takeNews().empty());

        QCOMPARE(countRight(folder.path()), kPoints + 3000);
        QCOMPARE(pointsOf(folder.path(), "learning_rate").size(), std::size_t(kPoints + 3000));
        const auto reader = must(SeriesReader::open(folder.path()));
        QCOMPARE(*reader->names(), (std::vector<std::string>{"loss", "learning_rate"}));
        QCOMPARE(reader->sessions()->size(), std::size_t(1));
        QCOMPARE(reader->statisticsIterations()->size(), std::size_t(23));
        QCOMPARE(reader->statistics(20000)->parameters.front().updateToWeight, rateAt(20000));
        std::int64_t counted = 0;
        const auto buckets = must(reader->window("loss", kFirst, kLast, 50));
        for (const SeriesBucket& bucket : buckets)
            counted += bucket.count;
        QCOMPARE(counted, kPoints + 3000);
    }

    /// What lies behind the cut is lost, what lies before it and what comes after is not; the cut file is kept.
    void goesOnWhenItsFileIsCutShort_data() {
        QTest::addColumn<int>("percent");
        QTest::newRow("to nothing") << 0;
        QTest::newRow("to a third") << 33;
        QTest::newRow("a little") << 95;
    }
    void goesOnWhenItsFileIsCutShort() {
        QFETCH(int, percent);
        testing::ScratchFolder folder;
        const auto file = folder / "series.sqlite";
        const auto writer = filledWriter(folder.path());
        foldLog(file);
        add(*writer, kPoints + 1, kPoints + 10);
        VERIFY_RESULT(writer->flush());
        fs::resize_file(file, fs::file_size(file) * std::uintmax_t(percent) / 100);
        add(*writer, kPoints + 11, kPoints + 2000);
        VERIFY_RESULT(writer->flush());
        const auto news = writer->takeNews();
        QCOMPARE(news.size(), std::size_t(1));
        QVERIFY2(news[0].find("was cut short") != std::string::npos &&
                     news[0].find("series.sqlite.damaged-1") != std::string::npos,
                 news[0].c_str());
        QCOMPARE(damagedFiles(folder.path()), 1);
        const std::int64_t count = countRight(folder.path());
        QVERIFY2(count >= kPoints % 1024 + 2000 && count <= kPoints + 2000, std::to_string(count).c_str());
        const auto loss = pointsOf(folder.path(), "loss");
        for (std::int64_t i = 0; i < kPoints % 1024 + 2000; ++i) // these were in memory
            QCOMPARE(loss[loss.size() - 1 - std::size_t(i)].iteration, kPoints + 2000 - i);
        VERIFY_RESULT(writer->flush());
        QVERIFY(writer->takeNews().empty());
    }

    void aSecondTryBringsAllWhenTheFirstFails() {
        testing::ScratchFolder folder;
        const auto file = folder / "series.sqlite";
        const auto writer = filledWriter(folder.path());
        removeAll(file);
        fs::create_directories(folder / "series.sqlite.fresh"); // nothing can be begun under this name
        VERIFY_RESULT(writeFile(folder / "series.sqlite.fresh/x", "x"));
        add(*writer, kPoints + 1, kPoints + 10);
        QVERIFY(!writer->flush());
        fs::remove_all(folder / "series.sqlite.fresh");
        VERIFY_RESULT(writer->flush());
        QCOMPARE(countRight(folder.path()), kPoints + 10);
    }

    void keepsSessionsAndAbandonedTails() {
        testing::ScratchFolder folder;
        const auto writer = must(SeriesWriter::open(folder.path()));
        VERIFY_RESULT(writer->beginSession(0));
        add(*writer, 1, 3000);
        VERIFY_RESULT(writer->beginSession(2000));
        add(*writer, 2001, 2500);
        VERIFY_RESULT(writer->flush());
        removeAll(folder / "series.sqlite");
        VERIFY_RESULT(writer->flush()); // noticed though there is nothing to write
        const auto reader = must(SeriesReader::open(folder.path()));
        QCOMPARE(reader->sessions()->at(1).fromIteration, 2000);
        QCOMPARE(countRight(folder.path()), 2500);
        QCOMPARE(reader->abandoned("loss")->at(0).size(), std::size_t(1000));
        QCOMPARE(reader->abandoned("loss")->at(0).front().iteration, 2001);
    }

    void aReaderGoesOverToTheNewFile() {
        testing::ScratchFolder folder;
        const auto writer = filledWriter(folder.path());
        const auto reader = must(SeriesReader::open(folder.path()));
        const auto before = reader->dataVersion();
        removeAll(folder / "series.sqlite");
        add(*writer, kPoints + 1, kPoints + 7);
        VERIFY_RESULT(writer->flush());
        QVERIFY(reader->dataVersion() != before);
        QCOMPARE(reader->points("loss", kFirst, kLast)->size(), std::size_t(kPoints + 7));
    }

    void savesWhatCanBeReadOfADamagedFile_data() {
        QTest::addColumn<QString>("damage");
        QTest::addColumn<int>("least"); ///< of the points
        QTest::newRow("pages of the middle") << "middle" << int(kPoints / 2);
        QTest::newRow("the last page") << "end" << int(kPoints / 2);
        QTest::newRow("cut to two thirds") << "cut" << 1;
        QTest::newRow("the first page") << "start" << 0;
        QTest::newRow("no database at all") << "text" << 0;
    }
    void savesWhatCanBeReadOfADamagedFile() {
        QFETCH(QString, damage);
        QFETCH(int, least);
        testing::ScratchFolder folder;
        const auto project = makeProject(folder.path());
        const auto runFolder = folder.path() / must(project->createRun(aRun())).folder;
        const auto file = runFolder / "series.sqlite";
        filledWriter(runFolder).reset();
        std::string bytes = *readFile(file);
        QVERIFY(bytes.size() > 20 * 4096 && bytes.size() < (4u << 20)); // looked through whole when it is opened
        const std::size_t page = damage == "start" ? 0
                                 : damage == "end" ? bytes.size() - 4096
                                                   : bytes.size() / 8192 * 4096;
        Random random(1);
        for (std::size_t i = page; i < std::min(bytes.size(), page + (damage == "middle" ? 3 : 1) * 4096); ++i)
            bytes[i] = char(random.next());
        if (damage == "cut")
            bytes.resize(bytes.size() * 2 / 3);
        if (damage == "text")
            bytes = "something else altogether";
        VERIFY_RESULT(writeFile(file, bytes));
        const auto said = checkProject(folder.path());
        VERIFY_RESULT(said);
        QVERIFY(std::any_of(said->begin(), said->end(), [](const std::string& sentence) {
            return sentence.find("series.sqlite") != std::string::npos;
        }));

        const auto writer = SeriesWriter::open(runFolder);
        VERIFY_RESULT(writer);
        const auto news = (*writer)->takeNews();
        QCOMPARE(news.size(), std::size_t(1));
        QVERIFY2(news[0].find("series.sqlite.damaged-1") != std::string::npos, news[0].c_str());
        QCOMPARE(*readFile(runFolder / "series.sqlite.damaged-1"), bytes);
        VERIFY_RESULT((*writer)->beginSession(kPoints));
        add(**writer, kPoints + 1, kPoints + 100);
        VERIFY_RESULT((*writer)->flush());
        const std::int64_t count = countRight(runFolder);
        QVERIFY2(count >= least + 100 && count < kPoints + 100 + (damage == "end"), std::to_string(count).c_str());
        QVERIFY(checkProject(folder.path())->empty());
    }

    void aRebuildSavesItToo() {
        testing::ScratchFolder folder;
        const auto runFolder = folder.path() / must(makeProject(folder.path())->createRun(aRun())).folder;
        filledWriter(runFolder).reset();
        fs::resize_file(runFolder / "series.sqlite", fs::file_size(runFolder / "series.sqlite") * 3 / 4);
        QVERIFY(!SeriesReader::open(runFolder));
        const auto said = rebuildProject(folder.path());
        VERIFY_RESULT(said);
        QVERIFY(std::any_of(said->begin(), said->end(), [](const std::string& sentence) {
            return sentence.find("series.sqlite.damaged-1") != std::string::npos;
        }));
        QVERIFY(countRight(runFolder) > 0);
        QVERIFY(checkProject(folder.path())->empty());
        const auto project = makeProject(folder.path()); // what was kept goes with the run
        VERIFY_RESULT(project->deleteRun(1));
        VERIFY_RESULT(project->purge());
        QVERIFY(!fs::exists(runFolder));
    }

    /// Whatever bytes are wrong: it opens, says so or finds nothing wrong, and goes on.
    void survivesAnyDamage_data() {
        QTest::addColumn<int>("seed");
        for (int seed = 0; seed < 16; ++seed)
            QTest::addRow("%d", seed) << seed;
    }
    void survivesAnyDamage() {
        QFETCH(int, seed);
        testing::ScratchFolder folder;
        filledWriter(folder.path()).reset();
        const auto file = folder / "series.sqlite";
        std::string bytes = *readFile(file);
        Random random{std::uint64_t(seed)};
        const std::size_t start = std::size_t(random.integer(0, std::int64_t(bytes.size()) - 1));
        if (seed % 4 == 0)
            bytes.resize(start);
        else
            for (std::size_t i = start; i < std::min(bytes.size(), start + (seed % 2 ? 300u : 9000u)); ++i)
                bytes[i] = char(random.next());
        VERIFY_RESULT(writeFile(file, bytes));
        const auto writer = SeriesWriter::open(folder.path());
        VERIFY_RESULT(writer);
        VERIFY_RESULT((*writer)->beginSession(kPoints));
        add(**writer, kPoints + 1, kPoints + 3000);
        VERIFY_RESULT((*writer)->flush());
        const auto fresh = must(SeriesReader::open(folder.path()))->points("loss", kPoints + 1, kLast);
        VERIFY_RESULT(fresh);
        QCOMPARE(fresh->size(), std::size_t(3000));
    }

    void aRecorderTellsAndGoesOn() {
        testing::ScratchFolder folder;
        const auto project = makeProject(folder.path());
        const auto runFolder = folder.path() / must(project->createRun(aRun())).folder;
        {
            const auto recorder = must(RunRecorder::start(folder.path(), 1, 0));
            const auto report = [&](std::int64_t iteration) {
                StepReport step;
                step.iteration = iteration;
                step.loss = lossAt(iteration);
                recorder->onStep(step);
            };
            for (std::int64_t i = 1; i <= 2000; ++i)
                report(i);
            VERIFY_RESULT(recorder->drain());
            QVERIFY(recorder->takeNews().empty());
            removeAll(runFolder / "series.sqlite");
            for (std::int64_t i = 2001; i <= 2010; ++i)
                report(i);
            VERIFY_RESULT(recorder->drain());
            const auto news = recorder->takeNews();
            QCOMPARE(news.size(), std::size_t(1));
            QCOMPARE(news[0].kind, EventKind::Warning);
            QCOMPARE(news[0].iteration, 2010);
            const auto events = project->events(1);
            QCOMPARE(events->size(), std::size_t(1));
            QVERIFY2(events->at(0).text.find("was removed") != std::string::npos, events->at(0).text.c_str());
        }
        QCOMPARE(countRight(runFolder), 2010);
        removeAll(runFolder / "series.sqlite"); // while nothing runs: the points are gone, and the history says so
        VERIFY_RESULT(must(RunRecorder::start(folder.path(), 1, 2010))->drain());
        QCOMPARE(project->events(1)->size(), std::size_t(2));
        QVERIFY(project->events(1)->at(1).text.find("missing") != std::string::npos);
    }
};

QTEST_GUILESS_MAIN(tst_SeriesMending)
#include "tst_SeriesMending.moc"
