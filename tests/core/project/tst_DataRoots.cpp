#include "ProjectFixture.h"

#include "core/base/AtomicFile.h"
#include "core/project/DataRoots.h"

using namespace trainyard;
using testing::aRun;
using testing::makeProject;
using testing::must;
using testing::removeIndex;

namespace {

namespace fs = std::filesystem;

std::string joined(const std::vector<std::string>& sentences) {
    std::string all;
    for (const auto& sentence : sentences)
        all += sentence + "\n";
    return all;
}

} // namespace

class tst_DataRoots : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void resolvesAndNamesPaths_data() {
        QTest::addColumn<QString>("path");
        QTest::addColumn<QString>("resolved");
        QTest::addColumn<QString>("named");
        QTest::newRow("the root itself") << "${cells}"
                                         << "/data/cells"
                                         << "${cells}";
        QTest::newRow("below it") << "${cells}/train/a b.json"
                                  << "/data/cells/train/a b.json"
                                  << "${cells}/train/a b.json";
        QTest::newRow("the deepest root counts") << "/data/words/x"
                                                 << "/data/words/x"
                                                 << "${all}/words/x";
        QTest::newRow("a deeper one") << "/data/cells/x"
                                      << "/data/cells/x"
                                      << "${cells}/x";
        QTest::newRow("a longer name is another folder") << "/data/cells2"
                                                         << "/data/cells2"
                                                         << "${all}/cells2";
        QTest::newRow("elsewhere") << "/other/cells"
                                   << "/other/cells"
                                   << "/other/cells";
        QTest::newRow("not at the start") << "/other/${cells}"
                                          << "/other/${cells}"
                                          << "/other/${cells}";
        QTest::newRow("no slash behind it") << "${cells}x"
                                            << "${cells}x"
                                            << "${cells}x";
        QTest::newRow("of another script") << "${Zellen-ä_1.0}/x"
                                           << "/zellen/x"
                                           << "${Zellen-ä_1.0}/x";
        QTest::newRow("nothing") << ""
                                 << ""
                                 << "";
    }
    void resolvesAndNamesPaths() {
        QFETCH(QString, path);
        QFETCH(QString, resolved);
        QFETCH(QString, named);
        const DataRoots roots({{"all", "/data"}, {"cells", "/data/cells"}, {"Zellen-ä_1.0", "/zellen"}});
        const auto found = roots.resolved(path.toStdString());
        VERIFY_RESULT(found);
        QCOMPARE(*found, resolved.toStdString());
        QCOMPARE(roots.named(resolved.toStdString()), named.toStdString());
    }

    void anUnknownRootIsASentenceWithTheCommand() {
        const auto refused = DataRoots().resolved("${cells}/train");
        QVERIFY(!refused);
        QCOMPARE(exitCode(refused.error().kind), 2);
        const std::string sentence = refused.error().sentence();
        for (const char* part : {"${cells}/train", "\"cells\"", "trainyard project roots set cells FOLDER"})
            QVERIFY2(sentence.find(part) != std::string::npos, sentence.c_str());
    }

    void findsTheRootsOfAConfiguration() {
        using Names = std::set<std::string>;
        QCOMPARE(DataRoots::namesIn("train: [{path: \"${a}/x\"}, {path: ${b}}]\nwords: '${c}/w.txt'\n"),
                 (Names{"a", "b", "c"}));
        QCOMPARE(DataRoots::namesIn("alphabet: abc$%{}\ngroup: (.*)${d}\npath: /x/${e}/y\n"), Names());
    }

    void keepsRePointsAndRemovesThem() {
        testing::ScratchFolder folder;
        const auto project = makeProject(folder.path());
        VERIFY_RESULT(project->setDataRoot("words", "/data/words/"));
        VERIFY_RESULT(project->setDataRoot("cells", "/data/cells"));
        VERIFY_RESULT(project->setDataRoot("words", "/elsewhere/../words"));
        QCOMPARE(*project->dataRoots(), (std::vector<DataRoot>{{"cells", "/data/cells"}, {"words", "/words"}}));
        VERIFY_RESULT(project->removeDataRoot("cells"));
        QVERIFY(!project->removeDataRoot("cells"));
        QCOMPARE(project->dataRoots()->size(), std::size_t(1));
        for (const char* name : {"", "a/b", "a b", "${x}", "a}"}) {
            const auto refused = project->setDataRoot(name, "/data");
            QVERIFY2(!refused && exitCode(refused.error().kind) == 2, name);
        }
    }

    /// Data that lies in the project's own folder goes where the project goes.
    void aRootInsideAMovedProjectMovesWithIt() {
        testing::ScratchFolder folder;
        {
            const auto project = makeProject(folder / "before");
            VERIFY_RESULT(project->setDataRoot("own", (folder / "before/data/cells").string()));
            VERIFY_RESULT(project->setDataRoot("beside", (folder / "before data").string()));
        }
        fs::rename(folder / "before", folder / "after");
        const auto roots = makeProject(folder / "after")->dataRoots();
        VERIFY_RESULT(roots);
        QCOMPARE(roots->at(0).folder, (folder / "before data").string());
        QCOMPARE(roots->at(1).folder, (folder / "after/data/cells").string());
    }

    void aRebuildBringsThemBack_data() {
        QTest::addColumn<bool>("hasIndex");
        QTest::addColumn<bool>("hasCopy");
        QTest::newRow("the index is lost") << false << true;
        QTest::newRow("the copy is lost") << true << false;
        QTest::newRow("both are there") << true << true;
        QTest::newRow("both are lost: the runs that miss one are named") << false << false;
    }
    void aRebuildBringsThemBack() {
        QFETCH(bool, hasIndex);
        QFETCH(bool, hasCopy);
        testing::ScratchFolder folder;
        {
            const auto project = makeProject(folder.path());
            NewRun run = aRun();
            run.config = "data:\n  train:\n    - path: \"${cells}/train\"\n";
            VERIFY_RESULT(project->createRun(run));
            VERIFY_RESULT(project->setDataRoot("cells", "/data/cells"));
            VERIFY_RESULT(project->setDataRoot("own", (folder / "data").string()));
        }
        QCOMPARE(joined(*checkProject(folder.path())), std::string());
        if (!hasIndex)
            removeIndex(folder.path());
        if (!hasCopy)
            fs::remove(folder / "data-roots.json");
        const auto said = rebuildProject(folder.path());
        VERIFY_RESULT(said);
        const auto roots = makeProject(folder.path())->dataRoots();
        const std::string left = joined(*checkProject(folder.path()));
        if (hasIndex || hasCopy) {
            QCOMPARE(*roots, (std::vector<DataRoot>{{"cells", "/data/cells"}, {"own", (folder / "data").string()}}));
            QCOMPARE(left, std::string());
            return;
        }
        QVERIFY(roots->empty());
        for (const std::string& text : {joined(*said), left})
            QVERIFY2(text.find("Run 1: its data lies in the root “cells”") != std::string::npos &&
                         text.find("trainyard project roots set cells FOLDER") != std::string::npos,
                     text.c_str());
    }

    void aCheckNamesACopyThatIsDamagedOrDiffers() {
        testing::ScratchFolder folder;
        VERIFY_RESULT(makeProject(folder.path())->setDataRoot("cells", "/data/cells"));
        for (const char* text : {"[{\"name\": 3}]", "no JSON", "[]"}) {
            VERIFY_RESULT(writeFile(folder / "data-roots.json", text));
            const auto said = joined(*checkProject(folder.path()));
            QVERIFY2(said.find("data-roots.json") != std::string::npos, said.c_str());
            VERIFY_RESULT(rebuildProject(folder.path()));
        }
    }
};

QTEST_GUILESS_MAIN(tst_DataRoots)
#include "tst_DataRoots.moc"
