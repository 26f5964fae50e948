#include "core/train/CheckpointWriter.h"
#include "tests/core/train/ToyTraining.h"
#include "tests/support/TestData.h"

#include <ATen/ATen.h>

#include <fstream>

using namespace trainyard;
using namespace trainyard::testing;

namespace {

CheckpointJob job(std::int64_t iteration) {
    CheckpointJob job;
    job.state.iteration = iteration;
    job.state.model = {{"weight", at::full({4}, double(iteration))}};
    return job;
}

std::vector<CheckpointNews> allNews(CheckpointWriter& writer) {
    writer.wait();
    std::vector<CheckpointNews> all;
    while (auto news = writer.poll())
        all.push_back(std::move(*news));
    return all;
}

} // namespace

class tst_CheckpointWriter : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void writesListsAndTidies() {
        ScratchFolder folder;
        MemoryCatalog catalog;
        FullDisk disk;
        CheckpointWriter writer(catalog, disk, folder.path(), {2, 0});
        std::vector<CheckpointNews> all;
        for (const std::int64_t iteration : {10, 20, 30}) {
            writer.submit(job(iteration));
            for (CheckpointNews& news : allNews(writer))
                all.push_back(std::move(news));
        }
        QCOMPARE(all.size(), std::size_t(3));
        QCOMPARE(all[2].saved->path, std::string("checkpoints/iteration-00000030.pth"));
        QCOMPARE(all[2].deleted, (std::vector<std::string>{"checkpoints/iteration-00000010.pth"}));
        QVERIFY(!std::filesystem::exists(folder / "checkpoints/iteration-00000010.pth"));
        QVERIFY(std::filesystem::exists(folder / "checkpoints/iteration-00000020.pth"));
        QCOMPARE(catalog.list.size(), std::size_t(2));
    }

    /// When an old one is taken off the list, the new one is on disk and good, and the old file still there.
    void deletesOnlyAfterTheNewOneIsVerified() {
        ScratchFolder folder;
        MemoryCatalog catalog;
        FullDisk disk;
        bool isInOrder = false;
        catalog.onRemove = [&](std::int64_t) {
            isInOrder = readCheckpoint(folder / "checkpoints/iteration-00000020.pth").has_value() &&
                        std::filesystem::exists(folder / "checkpoints/iteration-00000010.pth");
        };
        CheckpointWriter writer(catalog, disk, folder.path(), {1, 0});
        writer.submit(job(10));
        writer.submit(job(20));
        writer.wait();
        QVERIFY(isInOrder);
        QVERIFY(!std::filesystem::exists(folder / "checkpoints/iteration-00000010.pth"));
    }

    /// A moved project: a folder made anew at the old place would take checkpoints that nobody finds again.
    void neverMakesTheRunsFolderAnew() {
        ScratchFolder folder;
        std::filesystem::create_directory(folder / "run");
        MemoryCatalog catalog;
        FullDisk disk;
        CheckpointWriter writer(catalog, disk, folder / "run", {1, 0});
        std::filesystem::rename(folder / "run", folder / "moved");
        writer.submit(job(10));
        const auto lost = allNews(writer);
        QVERIFY(!lost.empty() && lost.front().failure);
        QVERIFY2(lost.front().failure->what.find("moved") != std::string::npos, lost.front().failure->what.c_str());
        QVERIFY(!std::filesystem::exists(folder / "run"));
        QVERIFY(catalog.list.empty());
        std::filesystem::rename(folder / "moved", folder / "run");
        writer.submit(job(10));
        const auto found = allNews(writer);
        QVERIFY(!found.empty() && found.back().saved);
        QVERIFY(std::filesystem::exists(folder / "run/checkpoints/iteration-00000010.pth"));
    }

    void neverDeletesWhatItDidNotMake() {
        ScratchFolder folder;
        std::ofstream(folder / "precious.pth") << "mine";
        std::filesystem::create_directories(folder / "checkpoints");
        std::ofstream(folder / "checkpoints/best of all.pth") << "mine too";
        MemoryCatalog catalog;
        (void)catalog.add({1, "precious.pth", 4, 0});
        (void)catalog.add({2, "checkpoints/../precious.pth", 4, 0});
        (void)catalog.add({3, "checkpoints/best of all.pth", 4, 0});
        FullDisk disk;
        CheckpointWriter writer(catalog, disk, folder.path(), {1, 0});
        writer.submit(job(10));
        writer.wait();
        QVERIFY(std::filesystem::exists(folder / "precious.pth"));
        QVERIFY(std::filesystem::exists(folder / "checkpoints/best of all.pth"));
    }

    void toleratesAFileThatIsGoneAlready() {
        ScratchFolder folder;
        MemoryCatalog catalog;
        FullDisk disk;
        CheckpointWriter writer(catalog, disk, folder.path(), {1, 0});
        writer.submit(job(10));
        writer.wait();
        std::filesystem::remove(folder / "checkpoints/iteration-00000010.pth");
        writer.submit(job(20));
        const auto news = allNews(writer);
        QVERIFY(news.back().saved && news.back().warnings.empty());
        QCOMPARE(catalog.list.size(), std::size_t(1));
    }

    void triesAgainAndTellsEveryTime() {
        ScratchFolder folder;
        MemoryCatalog catalog;
        FullDisk disk;
        disk.failuresLeft = 2;
        CheckpointWriter writer(catalog, disk, folder.path(), {3, 0});
        writer.submit(job(10));
        const auto news = allNews(writer);
        QCOMPARE(news.size(), std::size_t(3));
        QVERIFY(news[0].failure && news[0].willRetry && news[1].failure && news[1].willRetry && news[2].saved);
        QVERIFY(!writer.holdsFailure());
    }

    void keepsTheJobThatFailedForLater() {
        ScratchFolder folder;
        MemoryCatalog catalog;
        FullDisk disk;
        disk.failuresLeft = CheckpointWriter::kAttempts + 1;
        CheckpointWriter writer(catalog, disk, folder.path(), {3, 0});
        writer.submit(job(10));
        QVERIFY(!allNews(writer).back().willRetry);
        QVERIFY(writer.holdsFailure());
        QVERIFY(writer.neededBytes() > 16);
        writer.retry();
        writer.wait();
        QVERIFY(writer.holdsFailure()); // one more attempt, not three
        writer.retry();
        writer.wait();
        QVERIFY(!writer.holdsFailure());
        const auto state = readCheckpoint(folder / "checkpoints/iteration-00000010.pth");
        VERIFY_RESULT(state);
        QVERIFY(state->model[0].second.equal(at::full({4}, 10.0)));
    }

    void notesMetricAndFinal() {
        ScratchFolder folder;
        MemoryCatalog catalog;
        FullDisk disk;
        CheckpointWriter writer(catalog, disk, folder.path(), {3, 0});
        CheckpointJob best = job(10);
        best.metric = 0.75;
        best.isBest = best.isFinal = true;
        writer.submit(std::move(best));
        writer.wait();
        QCOMPARE(catalog.list[0].metric, std::optional(0.75));
        QVERIFY(catalog.list[0].isBest && catalog.list[0].isFinal);
    }

    void clearsAwayOnlyUnfinishedCheckpoints() {
        ScratchFolder folder;
        for (const char* name :
             {"iteration-00000010.pth", "iteration-00000020.pth.aB3xYz.tmp", "notes.tmp", "x.pth.aB3xYz.tmp"})
            std::ofstream(folder / name) << "x";
        removeUnfinishedCheckpoints(folder.path());
        QVERIFY(!std::filesystem::exists(folder / "iteration-00000020.pth.aB3xYz.tmp"));
        QCOMPARE(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 3);
        removeUnfinishedCheckpoints(folder / "nowhere"); // no folder, no trouble
    }
};

QTEST_GUILESS_MAIN(tst_CheckpointWriter)
#include "tst_CheckpointWriter.moc"
