#include "core/data/Dataset.h"
#include "tests/app/cli/Program.h"
#include "tests/app/cli/TinyWorld.h"
#include "tests/support/TestData.h"

#include <set>

using namespace trainyard;
using namespace trainyard::testing;
using Arguments = std::vector<std::string>;

namespace {

Arguments operator+(Arguments a, const Arguments& b) {
    a.insert(a.end(), b.begin(), b.end());
    return a;
}

/// The preset made small enough for a test; one thread, so that equal bits are asked for.
Arguments smallAster() {
    return {"train",
            "aster-demo",
            "--json",
            "train.threads=1",
            "train.precision=fp32",
            "solve.policy=constant", // so that where a run ends does not matter
            "data.batch_size=4",
            "data.rendered.validation_count=6",
            "data.rendered.held_out_fonts=[]",
            "model.aster.stem_channels=4",
            "model.aster.hidden=8",
            "model.aster.sequence_units=8",
            "model.aster.decoder_units=8",
            "model.aster.attention_units=8",
            "train.checkpoint_every=3",
            "train.evaluate_every=3",
            "evaluate.pictures=3"};
}

/// Lines of text of different widths, a word of "ab", "abab", … each, as image and .txt pairs.
void makeLines(const std::filesystem::path& folder, int count) {
    for (int i = 0; i < count; ++i) {
        const int letters = 1 + i % 6, width = 30 * letters, height = 24 + i % 3;
        Image image{width, height, 1, std::vector<std::uint8_t>(std::size_t(width * height), 230)};
        std::string text;
        for (int letter = 0; letter < letters; ++letter) {
            text += letter % 2 == 0 ? "a" : "\u017F"; // a long s, which no alphabet has by itself
            for (int y = 4; y < height - 4; ++y)
                for (int x = 0; x < 4 + 8 * (letter % 2); ++x)
                    image.row(y)[30 * letter + 8 + x] = 20;
        }
        const auto file = folder / ("book" + std::to_string(i % 4) + "_" + std::to_string(i) + ".png");
        std::filesystem::create_directories(folder);
        QVERIFY(writeImage(file.string(), image).has_value());
        writeText(std::filesystem::path(file).replace_extension(".txt"), text + "\n");
    }
}

nlohmann::json lastEvaluation(const Ended& ended) {
    nlohmann::json last;
    for (const auto& line : ended.lines())
        if (line.at("event") == "evaluation")
            last = line;
    return last;
}

} // namespace

/// The recognisers by the command line, from training to pictures.
class TestRecognition : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void asterTrainsEvaluatesPredictsAndResumes() {
        ScratchFolder folder;
        const auto whole =
            runProgram(smallAster() + Arguments{"solve.iterations=8", "--project", "whole"}, folder.path());
        VERIFY_CODE(whole, 0);
        const auto losses = lossesOf(whole.lines());
        QCOMPARE(losses.size(), std::size_t(8));
        for (const auto& line : whole.lines())
            if (line.at("event") == "iteration") {
                QVERIFY(line.at("losses").contains("forward"));
                QVERIFY(line.at("losses").contains("backward"));
            }
        QVERIFY(lastEvaluation(whole).at("metrics").contains("total_edit_distance"));

        // stopped half-way and resumed: the same losses to the last bit
        const auto half =
            runProgram(smallAster() + Arguments{"solve.iterations=4", "--project", "half"}, folder.path());
        VERIFY_CODE(half, 0);
        const auto rest = runProgram({"resume", "1", "--json", "--further", "4", "--project", "half"}, folder.path());
        VERIFY_CODE(rest, 0);
        const auto resumed = lossesOf(rest.lines());
        QCOMPARE(resumed.size(), std::size_t(4));
        for (const auto& [iteration, loss] : resumed)
            QCOMPARE(loss, losses.at(iteration));

        const auto report = onlyLine(
            runProgram({"evaluate", "1", "--json", "--project", "whole", "--set", "evaluate.compare=alphanumeric"},
                       folder.path()));
        QCOMPARE(report.at("samples").get<int>(), 6);
        QVERIFY(report.at("lengths").size() >= 1);
        int words = 0;
        for (const auto& one : report.at("lengths"))
            words += one.at("words").get<int>();
        QCOMPARE(words, 6);
        QVERIFY(report.contains("worst")); // eight iterations do not teach reading

        makeWords(folder / "words", 2);
        std::vector<std::string> names;
        for (const auto& entry : std::filesystem::directory_iterator(folder / "words"))
            if (entry.path().extension() == ".png")
                names.push_back(entry.path().string());
        const auto shown = runProgram(
            Arguments{"predict", "1"} + names + Arguments{"--out", "shown", "--project", "whole"}, folder.path());
        VERIFY_CODE(shown, 0);
        for (const std::string& name : names) {
            const auto stem = std::filesystem::path(name).stem().string();
            const auto straight =
                readImage((folder / "shown" / (stem + ".rectified.png")).string(), 1, 1000000).value();
            QCOMPARE(straight.width, 100);
            QCOMPARE(straight.height, 32);
            QVERIFY(std::filesystem::exists(folder / "shown" / (stem + ".png")));
        }
    }

    // A lexicon makes readings of it: whatever was read, one of its words comes out.
    void lexiconsCorrectReadings() {
        ScratchFolder folder;
        VERIFY_CODE(runProgram(smallAster() + Arguments{"solve.iterations=3", "--project", "p"}, folder.path()), 0);
        writeText(folder / "words.txt", "harbour\nlantern\n");
        const auto report = onlyLine(runProgram({"evaluate", "1", "--json", "--project", "p", "--output", "out.jsonl",
                                                 "--set", "evaluate.lexicon=" + (folder / "words.txt").string()},
                                                folder.path()));
        QCOMPARE(report.at("metrics").at("word_accuracy").get<double>(), 0.0);
        std::set<std::string> read;
        for (const auto& line : Ended{0, readText(folder / "out.jsonl"), ""}.lines())
            read.insert(line.at("text").get<std::string>());
        for (const std::string& word : read)
            QVERIFY(word == "harbour" || word == "lantern");
        const auto missing =
            runProgram({"evaluate", "1", "--project", "p", "--set", "evaluate.lexicon=none.txt"}, folder.path());
        VERIFY_CODE(missing, 3);
    }

    void linesKeepTheirWidthsAndBringTheirCharacters() {
        ScratchFolder folder;
        makeLines(folder / "lines", 24);
        const Arguments train = {"train",
                                 "crnn-lines",
                                 "--json",
                                 "--data",
                                 "lines",
                                 "train.threads=1",
                                 "model.crnn.stem_channels=4",
                                 "model.crnn.hidden=8",
                                 "data.batch_size=4",
                                 "data.bucket_batches=2",
                                 "solve.iterations=6",
                                 "train.checkpoint_every=3",
                                 "train.evaluate_every=3",
                                 "data.split.group=book.",
                                 "--project",
                                 "p"};
        const auto ended = runProgram(train, folder.path());
        VERIFY_CODE(ended, 0);
        QCOMPARE(lossesOf(ended.lines()).size(), std::size_t(6));
        const auto metrics = lastEvaluation(ended).at("metrics");
        QVERIFY(metrics.at("character_error_rate").get<double>() >= 0);
        // the run's own configuration has the data's character now, and a resume goes on with it
        const auto shown = runProgram({"runs", "show", "1", "--json", "--project", "p"}, folder.path());
        VERIFY_CODE(shown, 0);
        QVERIFY(shown.out.find("\u017F") != std::string::npos);
        VERIFY_CODE(runProgram({"resume", "1", "--json", "--further", "2", "--project", "p"}, folder.path()), 0);
    }
};

QTEST_GUILESS_MAIN(TestRecognition)
#include "tst_Recognition.moc"
