#include "tests/app/cli/BadInput.h"
#include "tests/app/cli/Program.h"
#include "tests/app/cli/TinyWorld.h"
#include "tests/support/TestData.h"

#include <filesystem>
#include <memory>

using namespace trainyard::testing;
namespace fs = std::filesystem;

namespace {
void copyTree(const fs::path& from, const fs::path& to) {
    fs::copy(from, to, fs::copy_options::recursive);
}

std::string lastLine(std::string text) {
    while (!text.empty() && text.back() == '\n')
        text.pop_back();
    return text.substr(text.rfind('\n') + 1);
}

int countOf(const std::string& text, const std::string& part) {
    int count = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + part.size()))
        ++count;
    return count;
}

/// A hash of all files in the world, those of the project left out where a run may write them.
std::string hashOfWorld(const fs::path& folder, bool mayTouchProject) {
    std::string hash;
    for (const auto& entry : fs::directory_iterator(folder))
        if (!(mayTouchProject && entry.path().filename() == "p"))
            hash += entry.path().filename().string() + " " +
                    (entry.is_directory() ? hashOfTree(entry.path()) : readText(entry.path())) + "\n";
    return hash;
}
} // namespace

/// Whatever goes wrong, there is one sentence, the right exit code, and nothing of the user's was touched.
class TestBadInputs : public QObject {
    Q_OBJECT
    std::unique_ptr<ScratchFolder> m_world; ///< made once, copied for every row
    std::vector<BadInput> m_rows = badInputs();

private Q_SLOTS:
    void initTestCase() {
        m_world = std::make_unique<ScratchFolder>();
        makeWords(*m_world / "words");
        makeCoco(*m_world / "coco");
        makeVoc(*m_world / "voc");
        const auto config = makeCrnnConfig(m_world->path(), *m_world / "words");
        VERIFY_CODE(runProgram({"train", config.string(), "--project", "p", "--name", "tiny"}, m_world->path()), 0);
    }

    void saysOneSentenceAndTouchesNothing_data() {
        QTest::addColumn<int>("row");
        for (std::size_t i = 0; i < m_rows.size(); ++i)
            QTest::newRow(m_rows[i].name.c_str()) << int(i);
    }
    void saysOneSentenceAndTouchesNothing() {
        QFETCH(int, row);
        const BadInput& input = m_rows[std::size_t(row)];
        if (!input.wrapper.empty() && !fs::exists(input.wrapper.front()))
            QSKIP("needs a program that is not here");
        ScratchFolder folder;
        for (const char* data : {"words", "coco", "voc"})
            copyTree(*m_world / data, folder / data);
        makeCrnnConfig(folder.path(), folder / "words");
        makeRetinaNetConfig(folder.path(), folder / "coco");
        if (input.needsRun)
            copyTree(*m_world / "p", folder / "p");
        if (input.prepare)
            input.prepare(folder.path());
        std::vector<std::string> arguments;
        for (std::string argument : input.arguments) {
            if (const auto at = argument.find("FOLDER"); at != std::string::npos)
                argument.replace(at, 6, folder.path().string());
            arguments.push_back(argument);
        }
        const std::string before = hashOfWorld(folder.path(), input.mayTouchProject);
        const Ended ended = runProgram(arguments, folder.path(), {}, input.wrapper);
        if (ended.err.find("oneMKL FATAL ERROR") != std::string::npos)
            QSKIP("the MKL of this LibTorch ends the program before it begins");
        VERIFY_CODE(ended, input.code);
        for (const std::string& fragment : input.fragments)
            QVERIFY2(ended.err.find(fragment) != std::string::npos, (ended.err + " lacks: " + fragment).c_str());
        if (input.code != 0) {
            QVERIFY2(lastLine(ended.err).starts_with("trainyard: ") || countOf(ended.err, "\n") > 1, ended.err.c_str());
            QCOMPARE(countOf("\n" + ended.err, "\ntrainyard: "), 1);
        }
        QVERIFY2(hashOfWorld(folder.path(), input.mayTouchProject) == before, "a file was touched");
    }
};

QTEST_GUILESS_MAIN(TestBadInputs)
#include "tst_BadInputs.moc"
