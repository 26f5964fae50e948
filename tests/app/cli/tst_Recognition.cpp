#include "core/data/Dataset.h"
#include "tests/app/cli/Program.h"
#include "tests/app/cli/TinyWorld.h"
#include "tests/core/outputs/EventReader.h"
#include "tests/support/TestData.h"

#include <cmath>
#include <map>
#include <set>
#include <sstream>
#include <tuple>

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

/// The steps at which a tag of an event file has values.
std::vector<std::int64_t> stepsOf(const nlohmann::json& values) {
    std::vector<std::int64_t> steps;
    for (const auto& value : values)
        steps.push_back(value.is_array() ? value.at(0) : value.at("step"));
    return steps;
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

    // A45 to A48, seen by a reader that shares nothing with the writer: at the iterations 1, 3 and 6 the losses, every
    // trained parameter with its gradient, and what came into the rectifier and left it, two pictures a tag.
    void eventFilesHoldWhatTheModelShows() {
        ScratchFolder folder;
        const auto ended = runProgram(smallAster() + Arguments{"solve.iterations=7", "train.summarise_every=3",
                                                               "train.event_files=true", "solve.weight_decay=0.01",
                                                               "solve.freeze=[rectifier.conv1]", "--project", "p"},
                                      folder.path());
        VERIFY_CODE(ended, 0);
        const std::filesystem::path run = ended.lines().front().at("folder").get<std::string>();
        const std::vector<std::filesystem::directory_entry> files(std::filesystem::directory_iterator(run / "events"),
                                                                  std::filesystem::directory_iterator());
        QCOMPARE(files.size(), std::size_t(1));
        const auto events = readEvents(files.front().path());
        std::map<std::int64_t, nlohmann::json> told;
        for (const auto& line : ended.lines())
            if (line.at("event") == "iteration")
                told[line.at("iteration")] = line;
        const auto at = [&](const std::string& tag, std::size_t i) { return events.at("scalars").at(tag).at(i).at(1); };
        const std::vector<std::int64_t> paced = {1, 3, 6};
        for (const char* tag : {"losses/forward", "losses/backward", "clone_loss", "regularization_loss", "TotalLoss",
                                "LearningRate", "gradient_norm", "queue/fraction_full"})
            QCOMPARE(stepsOf(events.at("scalars").at(tag)), paced);
        for (std::size_t i = 0; i < paced.size(); ++i) {
            const auto& line = told.at(paced[i]);
            QCOMPARE(at("clone_loss", i).get<float>(), float(line.at("loss").get<double>()));
            QCOMPARE(at("losses/forward", i).get<float>(), float(line.at("losses").at("forward").get<double>()));
            QCOMPARE(at("LearningRate", i).get<float>(), float(line.at("learning_rate").get<double>()));
            QVERIFY(at("regularization_loss", i).get<float>() > 0);
            const double parts = at("clone_loss", i).get<double>() + at("regularization_loss", i).get<double>();
            QVERIFY(std::abs(at("TotalLoss", i).get<double>() - parts) < 1e-5 * parts);
        }
        QCOMPARE(events.at("images").size(), std::size_t(8));
        for (const char* number : {"1", "2"})
            for (const char* place : {"0", "1"}) {
                const std::string end = std::string(number) + "/image/" + place;
                for (const auto& [tag, width, height] :
                     {std::tuple("InputImage", 128, 48), {"RectifiedImage", 100, 32}}) {
                    const auto& pictures = events.at("images").at(tag + end);
                    QCOMPARE(stepsOf(pictures), paced);
                    QCOMPARE(pictures.at(0), nlohmann::json({1, width, height, 1})); // step, size, grey
                }
            }
        const auto& histograms = events.at("histograms");
        std::size_t trained = 0, frozen = 0;
        std::istringstream values(readText(run / "init.txt"));
        for (std::string line; std::getline(values, line);) {
            const std::string name = line.substr(0, line.find('\t'));
            if (line.ends_with("\tfrozen")) {
                ++frozen;
                QVERIFY2(!histograms.contains(name) && !histograms.contains("grad/" + name), name.c_str());
            } else if (line.ends_with("\ttrained") && !line.starts_with('#')) {
                ++trained;
                for (const std::string& tag : {name, "grad/" + name})
                    QCOMPARE(stepsOf(histograms.at(tag)), paced);
            }
        }
        QCOMPARE(frozen, std::size_t(2)); // a weight and an offset
        QVERIFY(trained > 50);
        QCOMPARE(histograms.size(), 2 * trained + 2);
        for (const char* tag : {"fc1", "fc2"})
            QCOMPARE(stepsOf(histograms.at(tag)), paced);
        // A63: the first three words of each evaluation are drawn, with what was read
        const auto drawn = nlohmann::json::parse(readText(run / "pictures/iteration-00000006.json"));
        QCOMPARE(drawn.size(), std::size_t(3));
        QVERIFY(readImage((run / "pictures/iteration-00000006.png").string(), 3, 100000000).has_value());
    }

    // A53: the parent's weights for other characters. What depends on the alphabet starts anew and is listed.
    void aFineTuneReadsOtherCharacters() {
        ScratchFolder folder;
        const auto parent =
            runProgram(smallAster() + Arguments{"solve.iterations=3", "--project", "parent"}, folder.path());
        VERIFY_CODE(parent, 0);
        std::filesystem::path weights = parent.lines().front().at("folder").get<std::string>();
        for (const auto& line : parent.lines())
            if (line.at("event") == "checkpoint")
                weights /= line.at("path").get<std::string>();
        const auto tuned =
            runProgram(smallAster() + Arguments{"--weights", weights.string(), "model.aster.alphabet=abcdefghij0123",
                                                "solve.iterations=1", "--project", "tuned"},
                       folder.path());
        VERIFY_CODE(tuned, 0);
        std::string told;
        for (const auto& line : tuned.lines())
            if (line.at("event") == "warning")
                told += line.dump();
        for (const char* part : {"start anew", "forward_decoder.label_weight", "backward_decoder.output.bias"})
            QVERIFY2(told.find(part) != std::string::npos, told.c_str());
        QVERIFY2(told.find("rectifier") == std::string::npos && told.find("encoder0") == std::string::npos &&
                     told.find("context_weight") == std::string::npos,
                 told.c_str());
    }

    // A lexicon makes readings of it: whatever was read, one of its words comes out. Its path counts from where the
    // training was started, as those of the data do, wherever the run is evaluated.
    void lexiconsCorrectReadings() {
        ScratchFolder folder;
        writeText(folder / "words.txt", "harbour\nlantern\n");
        VERIFY_CODE(
            runProgram(smallAster() + Arguments{"solve.iterations=3", "evaluate.lexicon=words.txt", "--project", "p"},
                       folder.path()),
            0);
        std::filesystem::create_directory(folder / "elsewhere");
        const auto report = onlyLine(runProgram(
            {"evaluate", "1", "--json", "--project", "../p", "--output", "out.jsonl"}, folder / "elsewhere"));
        QCOMPARE(report.at("metrics").at("word_accuracy").get<double>(), 0.0);
        std::set<std::string> read;
        for (const auto& line : Ended{0, readText(folder / "elsewhere/out.jsonl"), ""}.lines())
            read.insert(line.at("text").get<std::string>());
        for (const std::string& word : read)
            QVERIFY(word == "harbour" || word == "lantern");
        // through a data root
        std::filesystem::create_directory(folder / "lists");
        writeText(folder / "lists/words.txt", "anchor\n");
        VERIFY_CODE(runProgram({"project", "roots", "set", "lists", "lists", "--project", "p"}, folder.path()), 0);
        VERIFY_CODE(runProgram({"evaluate", "1", "--project", "p", "--output", "rooted.jsonl", "--set",
                                "evaluate.lexicon=${lists}/words.txt"},
                               folder.path()),
                    0);
        for (const auto& line : Ended{0, readText(folder / "rooted.jsonl"), ""}.lines())
            QCOMPARE(line.at("text").get<std::string>(), std::string("anchor"));
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
