#include "tests/app/cli/Program.h"
#include "tests/app/cli/TinyWorld.h"
#include "tests/support/TestData.h"

using namespace trainyard::testing;
using nlohmann::json;

/// `trainyard data convert`, as it is typed.
class tst_Convert : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() {
        m_folder = std::make_unique<ScratchFolder>();
        makeWords(*m_folder / "words");
    }

    void convertsByTheTargetsName() {
        const std::string before = hashOfTree(*m_folder / "words");
        const json source = inspected("words");
        for (const auto& [target, format] :
             std::vector<std::pair<std::string, std::string>>{{"a.lmdb", "lmdb"},
                                                              {"b.tfrecord", "tfrecord"},
                                                              {"c", "folder+labels"},
                                                              {"icdar-words:d", "icdar-words"}}) {
            const Ended ended = run({"data", "convert", "words", target, "--json"});
            VERIFY_CODE(ended, 0);
            QCOMPARE(ended.lines().at(0).at("words"), json(10));
            QCOMPARE(ended.lines().at(0).at("format"), json(format));
            const json written = inspected(target);
            QCOMPARE(written.at("format"), json(format));
            QCOMPARE(written.at("characters"), source.at("characters"));
            QCOMPARE(written.at("width"), source.at("width"));
        }
        QCOMPARE(hashOfTree(*m_folder / "words"), before);
    }

    void replacesNothingUnasked() {
        VERIFY_CODE(run({"data", "convert", "words", "out.lmdb"}), 0);
        const std::string before = hashOfTree(*m_folder / "out.lmdb");
        const Ended again = run({"data", "convert", "words", "out.lmdb", "--count", "3"});
        VERIFY_CODE(again, 2);
        QVERIFY2(again.err.find("The target exists.") != std::string::npos, again.err.c_str());
        QCOMPARE(hashOfTree(*m_folder / "out.lmdb"), before);
        VERIFY_CODE(run({"data", "convert", "words", "out.lmdb", "--count", "3", "--overwrite"}), 0);
        QCOMPARE(inspected("out.lmdb").at("samples"), json(3));
    }

    void refusesWithASentence() {
        makeCoco(*m_folder / "coco");
        for (const auto& [arguments, sentence] : std::vector<std::pair<std::vector<std::string>, std::string>>{
                 {{"coco", "out.lmdb"}, "only datasets of words are converted"},
                 {{"words", "coco:out"}, "Words cannot be written as coco."},
                 {{"words", "words/out.lmdb"}, "lies in the dataset"},
                 {{"words", "out", "--labels", "labels.doc"}, "ends in .tsv"},
                 {{"rendered-words", "out"}, "--count"}}) {
            std::vector<std::string> all{"data", "convert"};
            all.insert(all.end(), arguments.begin(), arguments.end());
            const Ended ended = run(all);
            VERIFY_CODE(ended, 2);
            QVERIFY2(ended.err.find(sentence) != std::string::npos, ended.err.c_str());
        }
        VERIFY_CODE(run({"data", "convert", "nowhere", "out.lmdb"}), 3);
        QVERIFY(!std::filesystem::exists(*m_folder / "out"));
        QVERIFY(!std::filesystem::exists(*m_folder / "out.lmdb"));
    }

private:
    Ended run(const std::vector<std::string>& arguments) const { return runProgram(arguments, m_folder->path()); }
    json inspected(const std::string& data) const { return run({"data", "inspect", data, "--json"}).lines().at(0); }

    std::unique_ptr<ScratchFolder> m_folder;
};

QTEST_GUILESS_MAIN(tst_Convert)
#include "tst_Convert.moc"
