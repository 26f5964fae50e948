// How a project's files are opened: old, newer, foreign, damaged, read-only, full.
#include "ProjectFixture.h"

#include "core/base/AtomicFile.h"
#include "core/base/Random.h"
#include "core/project/Database.h"
#include "core/project/FileSystem.h"
#include "core/project/ProjectDatabase.h"
#include "core/project/Series.h"

#include <cmath>
#include <fstream>
#include <limits>
#include <sched.h>
#include <sqlite3.h>
#include <sys/mount.h>

using namespace trainyard;
using testing::aRun;
using testing::inChild;
using testing::makeProject;

namespace {

namespace fs = std::filesystem;

constexpr int kNoRights = 98; ///< what a child returns that may not do what it is about

void execute(const fs::path& file, const std::string& sql) {
    sqlite3* handle = nullptr;
    char* message = nullptr;
    if (sqlite3_open(file.c_str(), &handle) != SQLITE_OK ||
        sqlite3_exec(handle, sql.c_str(), nullptr, nullptr, &message) != SQLITE_OK)
        qFatal("%s", message ? message : "cannot open");
    sqlite3_close(handle);
}

/// The project that an older version of the schema left: data/project-version-N.sql.
void makeVersion(int version, const fs::path& folder) {
    const QString name = QString("data/project-version-%1.sql").arg(version);
    const auto sql = readFile(QFINDTESTDATA(name).toStdString());
    if (!sql)
        qFatal("%s", sql.error().sentence().c_str());
    execute(folder / "project.sqlite", *sql);
}

/// All that version 1 knew, what version 2 made of it, and what versions 3 and 4 added.
bool holdsWhatItHeld(const Project& project) {
    const auto run = project.run(1);
    const auto second = project.run(2);
    const auto checkpoints = project.checkpoints(1);
    const auto events = project.events(1);
    const auto evaluations = project.evaluations(1);
    return run && second && checkpoints && events && evaluations && run->name == "cells" && run->iteration == 200 &&
           run->loss == 0.5 && run->bestMetric == 0.75 && run->notes == "first" && run->colour == 0 &&
           run->tags == std::vector<std::string>{"good", "small"} && second->parentCheckpoint == 2 &&
           second->colour == 1 && run->group.empty() && std::isnan(second->loss) && checkpoints->size() == 2 && !checkpoints->at(0).isBest &&
           checkpoints->at(1).isBest && events->at(0).text == "done" &&
           evaluations->at(0).report.metrics.at(0).second == 0.75 && project.setting("page") == "runs" &&
           project.dataRoots() && project.dataRoots()->empty();
}

/// A child without root's rights, to whom permissions apply; its deed returns 0 when all is as it should be.
bool holdsWithoutRights(const std::function<int()>& deed) {
    const int status = inChild([&] {
        if (::geteuid() == 0 && (::setegid(65534) != 0 || ::seteuid(65534) != 0))
            return 99;
        return deed();
    });
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        qWarning("the child ended with %d at its check", WIFEXITED(status) ? WEXITSTATUS(status) : -1);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

void setReadOnly(const fs::path& folder, bool isReadOnly) {
    const auto files = fs::perms::owner_read | fs::perms::group_read | fs::perms::others_read;
    const auto enter = fs::perms::owner_exec | fs::perms::group_exec | fs::perms::others_exec;
    const auto write = isReadOnly ? fs::perms::none : fs::perms::owner_write;
    for (const auto& entry : fs::recursive_directory_iterator(folder))
        fs::permissions(entry.path(), files | write | (entry.is_directory() ? enter : fs::perms::none));
    fs::permissions(folder, files | enter | write);
    fs::permissions(folder.parent_path(), fs::perms::owner_all | files | enter);
}

} // namespace

class tst_ProjectFiles : public QObject {
    Q_OBJECT

    static void everyOlderVersion() {
        QTest::addColumn<int>("version");
        for (int version = 1; version < kProjectKind.migrations.back().number; ++version)
            QTest::addRow("version %d", version) << version;
    }

private Q_SLOTS:
    void migratesEveryOlderVersion_data() { everyOlderVersion(); }
    void migratesEveryOlderVersion() {
        QFETCH(int, version);
        testing::ScratchFolder folder;
        makeVersion(version, folder.path());
        for (int opening = 0; opening < 2; ++opening) {
            const auto project = Project::open(folder.path(), Project::Mode::ReadWrite);
            VERIFY_RESULT(project);
            QVERIFY(holdsWhatItHeld(**project));
        }
        const auto project = Project::open(folder.path(), Project::Mode::ReadWrite);
        QCOMPARE((*project)->createRun(aRun())->id, 3);
        VERIFY_RESULT((*project)->setDataRoot("cells", "/data/cells"));
        QCOMPARE((*project)->dataRoots()->front().folder, std::string("/data/cells"));
        VERIFY_RESULT((*project)->setGroup(1, "first tries"));
        QCOMPARE((*project)->run(1)->group, std::string("first tries"));
    }

    void readsAnOlderVersionWithoutTouchingIt_data() { everyOlderVersion(); }
    void readsAnOlderVersionWithoutTouchingIt() {
        QFETCH(int, version);
        testing::ScratchFolder folder;
        makeVersion(version, folder.path());
        const auto before = readFile(folder / "project.sqlite");
        const auto project = Project::open(folder.path(), Project::Mode::ReadOnly);
        VERIFY_RESULT(project);
        QVERIFY(holdsWhatItHeld(**project));
        QVERIFY(*readFile(folder / "project.sqlite") == *before);
    }

    void fourProcessesMigrateAtOnce() {
        testing::ScratchFolder folder;
        makeVersion(1, folder.path());
        std::vector<pid_t> children;
        for (int i = 0; i < 4; ++i) {
            const pid_t child = ::fork();
            if (child == 0) {
                const auto project = Project::open(folder.path(), Project::Mode::ReadWrite);
                ::_exit(project && holdsWhatItHeld(**project) ? 0 : 1);
            }
            children.push_back(child);
        }
        for (const pid_t child : children) {
            int status = 0;
            ::waitpid(child, &status, 0);
            QVERIFY(WIFEXITED(status) && WEXITSTATUS(status) == 0);
        }
    }

    void refusesWithASentence_data() {
        QTest::addColumn<QString>("trouble");
        QTest::addColumn<QString>("sentence");
        QTest::newRow("newer") << "newer"
                               << "newer Trainyard (version 99";
        QTest::newRow("of another program") << "foreign"
                                            << "no Trainyard project";
        QTest::newRow("no database") << "text"
                                     << "damaged";
        QTest::newRow("cut to nothing") << "empty"
                                        << "cut off";
        QTest::newRow("cut short") << "truncated"
                                   << "damaged";
        QTest::newRow("random bytes") << "random"
                                      << "damaged";
        QTest::newRow("a page overwritten") << "page"
                                            << "damaged";
        QTest::newRow("a folder") << "folder"
                                  << "cannot be opened";
        QTest::newRow("missing, with runs") << "missing"
                                            << "index is missing";
    }
    void refusesWithASentence() {
        QFETCH(QString, trouble);
        QFETCH(QString, sentence);
        testing::ScratchFolder folder;
        const auto file = folder / "project.sqlite";
        {
            const auto project = makeProject(folder.path());
            VERIFY_RESULT(project->createRun(aRun()));
        }
        std::string bytes = *readFile(file);
        QVERIFY(bytes.size() >= 4 * 4096);
        Random random(1);
        const auto scramble = [&](std::size_t from, std::size_t to) {
            for (std::size_t i = from; i < to; ++i)
                bytes[i] = char(random.next());
        };
        if (trouble == "newer")
            execute(file, "PRAGMA user_version = 99");
        else if (trouble == "foreign")
            execute(file, "PRAGMA application_id = 4711");
        else if (trouble == "missing" || trouble == "folder")
            fs::remove(file);
        else {
            if (trouble == "truncated")
                bytes.resize(bytes.size() / 2 + 100);
            if (trouble == "random")
                scramble(0, bytes.size());
            if (trouble == "page")
                scramble(4096, 2 * 4096);
            VERIFY_RESULT(writeFile(file, trouble == "text"    ? "not a database, just text, and long enough at that"
                                          : trouble == "empty" ? ""
                                                               : bytes));
        }
        if (trouble == "folder")
            fs::create_directory(file);
        const auto before = fs::is_regular_file(file) ? *readFile(file) : std::string();
        for (const auto mode : {Project::Mode::ReadWrite, Project::Mode::ReadOnly}) {
            const auto project = Project::open(folder.path(), mode);
            QVERIFY(!project);
            QCOMPARE(exitCode(project.error().kind), 5);
            QVERIFY2(project.error().what.find(sentence.toStdString()) != std::string::npos,
                     project.error().sentence().c_str());
            if (sentence == "damaged" || sentence == "cut off" || trouble == "missing")
                QVERIFY2(project.error().remedy.find("trainyard project rebuild") != std::string::npos,
                         project.error().sentence().c_str());
        }
        QVERIFY((fs::is_regular_file(file) ? *readFile(file) : std::string()) == before);
    }

    void noProjectIsASentence() {
        testing::ScratchFolder folder;
        const auto project = Project::open(folder / "nothing here", Project::Mode::ReadWrite);
        QVERIFY(!project);
        QCOMPARE(exitCode(project.error().kind), 5);
        QVERIFY(!fs::exists(folder / "nothing here"));
    }

    void aReadOnlyFolderOpensForReading_data() {
        QTest::addColumn<bool>("isKilled");
        QTest::newRow("closed in order") << false;
        QTest::newRow("its writer was killed: the log has the last rows") << true;
    }
    void aReadOnlyFolderOpensForReading() {
        QFETCH(bool, isKilled);
        testing::ScratchFolder scratch;
        const auto folder = scratch / "project";
        const int status = inChild([&] {
            const auto project = makeProject(folder);
            const auto run = project->createRun(aRun());
            const auto writer = SeriesWriter::open(folder / run->folder);
            (*writer)->add("loss", 1, 0.5);
            if (!run || !(*writer)->flush() || !project->setNotes(1, "the last thing written"))
                return 1;
            if (isKilled)
                ::kill(::getpid(), SIGKILL);
            return 0;
        });
        QVERIFY(isKilled ? WIFSIGNALED(status) : WEXITSTATUS(status) == 0);
        fs::remove(folder / "project.sqlite-shm"); // as a copy on a read-only medium has none
        fs::remove(folder / "runs/1-words/series.sqlite-shm");
        setReadOnly(folder, true);
        const bool isRight = holdsWithoutRights([&] {
            const auto project = Project::open(folder, Project::Mode::ReadOnly);
            if (!project || !(*project)->isReadOnly())
                return 1;
            const auto runs = (*project)->runs();
            if (!runs || runs->size() != 1 || runs->front().notes != "the last thing written")
                return 2;
            if ((*project)->setNotes(1, "no"))
                return 3;
            const auto reader = SeriesReader::open(folder / "runs/1-words");
            if (!reader || (*reader)->points("loss", 0, 9)->size() != 1)
                return 4;
            const auto writing = Project::open(folder, Project::Mode::ReadWrite);
            if (writing || exitCode(writing.error().kind) != 5 ||
                writing.error().what.find("cannot be written to") == std::string::npos)
                return 5;
            return RunLock::acquire(folder / "runs/1-words") ? 6 : 0;
        });
        setReadOnly(folder, false);
        QVERIFY(isRight);
    }

    void aReadOnlyFileIsASentence() {
        testing::ScratchFolder scratch;
        const auto folder = scratch / "project";
        VERIFY_RESULT(makeProject(folder)->createRun(aRun()));
        setReadOnly(folder, false);
        fs::permissions(folder, fs::perms::all);
        fs::permissions(folder / "project.sqlite", fs::perms::owner_read | fs::perms::others_read);
        QVERIFY(holdsWithoutRights([&] {
            const auto project = Project::open(folder, Project::Mode::ReadWrite);
            return project || project.error().what.find("cannot be written to") == std::string::npos ? 1 : 0;
        }));
    }

    /// SQLite's own limit on the number of pages stands for a disk without room.
    void aFullDiskIsASentenceAndLosesNothing() {
        testing::ScratchFolder folder;
        const auto database = Database::open(folder / "project.sqlite", Access::Create, kProjectKind);
        VERIFY_RESULT(database);
        const std::string large(100000, 'x');
        const auto put = [&](const std::string& key) {
            return (*database)->write([&]() -> Result<void> {
                (*database)->execute("INSERT INTO setting (key, value) VALUES (?, ?)", key, large);
                return {};
            });
        };
        VERIFY_RESULT(put("before"));
        const auto pages = (*database)->number("PRAGMA page_count");
        (*database)->number(("PRAGMA max_page_count = " + std::to_string(pages + 5)).c_str());
        const auto refused = put("too much");
        QVERIFY(!refused);
        QCOMPARE(exitCode(refused.error().kind), 5);
        QVERIFY2(refused.error().what.find("disk is full") != std::string::npos, refused.error().what.c_str());
        (*database)->number(("PRAGMA max_page_count = " + std::to_string(pages + 500)).c_str());
        VERIFY_RESULT(put("after"));
        QCOMPARE((*database)->number("SELECT count(*) FROM setting"), 2);
    }

    /// SQLite calls it a failed disk when there is no room for the index of its write-ahead log.
    void aDiskThatWasFullBeforeIsASentence() {
        testing::ScratchFolder folder;
        const int status = inChild([&] {
            if (::unshare(CLONE_NEWNS) != 0 || ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr) != 0 ||
                ::mount("tmpfs", folder.path().c_str(), "tmpfs", 0, "size=1m") != 0)
                return kNoRights;
            if (!Project::open(folder.path(), Project::Mode::ReadWrite, true))
                return 1;
            std::ofstream filler(folder / "filler");
            for (const std::string block(4096, 'x'); filler.write(block.data(), 4096) && filler.flush();)
                ;
            const auto refused = Project::open(folder.path(), Project::Mode::ReadWrite);
            if (refused)
                return 2;
            return refused.error().what.find("disk is full") != std::string::npos ? 0 : 3;
        });
        QVERIFY(WIFEXITED(status));
        if (WEXITSTATUS(status) == kNoRights)
            QSKIP("A file system of a size needs the right to mount one.");
        QCOMPARE(WEXITSTATUS(status), 0);
    }

    void tellsNetworkFileSystems_data() {
        QTest::addColumn<qulonglong>("magic");
        QTest::addColumn<bool>("isNetwork");
        // from the manual page of statfs(2)
        QTest::newRow("nfs") << 0x6969ull << true;
        QTest::newRow("cifs") << 0xff534d42ull << true;
        QTest::newRow("cifs, where the type is signed") << 0xffffffffff534d42ull << true;
        QTest::newRow("smb2") << 0xfe534d42ull << true;
        QTest::newRow("fuse") << 0x65735546ull << true;
        QTest::newRow("9p") << 0x01021997ull << true;
        QTest::newRow("ext4") << 0xef53ull << false;
        QTest::newRow("tmpfs") << 0x01021994ull << false;
        QTest::newRow("btrfs") << 0x9123683eull << false;
        QTest::newRow("xfs") << 0x58465342ull << false;
        QTest::newRow("overlay") << 0x794c7630ull << false;
    }
    void tellsNetworkFileSystems() {
        QFETCH(qulonglong, magic);
        QFETCH(bool, isNetwork);
        QCOMPARE(isNetworkFileSystem(magic), isNetwork);
    }

    void usesTheJournalThatTheDiskAllows() {
        testing::ScratchFolder folder;
        const auto database = Database::open(folder / "project.sqlite", Access::Create, kProjectKind);
        VERIFY_RESULT(database);
        const std::string mode = (*database)->handle().execAndGet("PRAGMA journal_mode").getString();
        QCOMPARE(mode, std::string(isOnNetwork(folder.path()) ? "delete" : "wal"));
        QCOMPARE((*database)->number("PRAGMA foreign_keys"), 1);
    }

    void aDamagedSeriesIsASentenceOfItsRunAlone() {
        testing::ScratchFolder folder;
        const auto project = makeProject(folder.path());
        const auto run = project->createRun(aRun());
        const auto file = folder.path() / run->folder / "series.sqlite";
        VERIFY_RESULT(writeFile(file, "something else altogether"));
        const auto reader = SeriesReader::open(folder.path() / run->folder);
        QVERIFY(!reader);
        QCOMPARE(exitCode(reader.error().kind), 5);
        QCOMPARE(project->runs()->size(), std::size_t(1));
        QCOMPARE(*readFile(file), std::string("something else altogether"));
    }

    /// Bytes inside a chunk changed: an error, never a wrong point or a crash.
    void aDamagedChunkIsASentence() {
        testing::ScratchFolder folder;
        {
            const auto writer = SeriesWriter::open(folder.path());
            for (int i = 1; i <= 5000; ++i)
                (*writer)->add("loss", i, std::sin(i));
            VERIFY_RESULT((*writer)->flush());
        }
        execute(folder / "series.sqlite", "UPDATE chunk SET data = x'0200112233' WHERE number = 2");
        const auto reader = SeriesReader::open(folder.path());
        VERIFY_RESULT(reader);
        const auto all = (*reader)->points("loss", 1, 5000);
        QVERIFY(!all);
        QCOMPARE(exitCode(all.error().kind), 5);
        QCOMPARE((*reader)->points("loss", 1, 2000)->size(), std::size_t(2000));
        VERIFY_RESULT((*reader)->window("loss", 1, 5000, 5));
    }
};

QTEST_GUILESS_MAIN(tst_ProjectFiles)
#include "tst_ProjectFiles.moc"
