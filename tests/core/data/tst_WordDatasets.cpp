#include "tests/core/data/Worlds.h"

#include "core/data/TranscriptRules.h"

#include <sys/stat.h>

using namespace trainyard;
using namespace trainyard::testing;

namespace {

/// An alphabet of all printable ASCII, cases apart.
RunConfig asciiConfig() {
    RunConfig config;
    config.model.crnn.alphabet.clear();
    for (char c = ' '; c <= '~'; ++c)
        config.model.crnn.alphabet += c;
    config.model.crnn.caseSensitive = true;
    return config;
}

Result<std::unique_ptr<Dataset>> openWords(const std::filesystem::path& path, const RunConfig& config = asciiConfig(),
                                           bool isForTraining = true) {
    return open(entryOf(path), TaskKind::Recognition, config, isForTraining);
}

std::vector<std::string> transcripts(const Dataset& data) {
    std::vector<std::string> result;
    for (std::int64_t i = 0; i < data.size(); ++i)
        result.push_back(data.info(i).transcript);
    return result;
}

using Texts = std::vector<std::string>;

} // namespace

class tst_WordDatasets : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// What core/base/Letters.h decides: one normal form, compatible characters and lone marks by themselves.
    void transcriptsAreComposed() {
        const ScratchFolder folder;
        writeText(folder / "labels.txt", "1.png cafe\u0301\n2.png caf\u00E9\n3.png \u0301a\n4.png \uFF21\n"
                                         "5.png STRAẞE\n6.png strasse\n7.png \u0130\n8.png ΣΑΣ\n");
        for (int i = 1; i <= 8; ++i)
            writePicture(folder / (std::to_string(i) + ".png"));
        RunConfig config;
        config.model.crnn.alphabet = "acfrste\u0301ßσα\uFF41"; // e and its accent compose here too
        config.model.crnn.caseSensitive = false;
        const auto opened = openWords(folder.path(), config);
        VERIFY_RESULT(opened);
        QCOMPARE(transcripts(**opened), (Texts{"caf\u00E9", "caf\u00E9", "\uFF21", "ΣΑΣ"}));
        QVERIFY(hasProblem(**opened, "3.png", "U+0301"));
        QVERIFY(hasProblem(**opened, "5.png", "\"E\""));
        QVERIFY(hasProblem(**opened, "7.png", "U+0130"));
    }

    /// Nobody writes to the pipe: it must not be waited for.
    void refusesPipes() {
        const ScratchFolder folder;
        for (const char* name : {"labels.txt", "labels.json", "labels.jsonl", "labels.csv"}) {
            const auto pipe = folder / name;
            QCOMPARE(::mkfifo(pipe.c_str(), 0600), 0);
            VERIFY_ERROR(openWords(pipe), "This is a pipe, not a file.");
        }
        VERIFY_ERROR(readImage((folder / "labels.txt").string(), 3, 0), "This is a pipe, not a file.");
        VERIFY_ERROR(readImage(folder.path().string(), 3, 0), "This is a folder, not a file.");
    }

    void readsEveryLabelFile_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QByteArray>("content");
        QTest::newRow("text, BOM, CRLF, no last end") << "labels.txt"
                                                      << QByteArray("\xEF\xBB\xBF"
                                                                    "a.png one  two \r\nb c.png\tthree");
        QTest::newRow("tabs") << "labels.tsv" << QByteArray("image\ttext\na.png\tone  two \nb c.png\tthree\n");
        QTest::newRow("commas") << "labels.csv"
                                << QByteArray("filename,words\na.png,\"one  two \"\n\"b c.png\",three\n");
        QTest::newRow("JSON lines")
            << "labels.jsonl"
            << QByteArray(
                   "{\"filename\": \"a.png\", \"text\": \"one  two \"}\n{\"img\": \"b c.png\", \"label\": \"three\"}");
        QTest::newRow("MMOCR")
            << "labels.json"
            << QByteArray("{\"data_list\": [{\"img_path\": \"a.png\", \"instances\": [{\"text\": \"one  two \"}]},"
                          "{\"img_path\": \"b c.png\", \"instances\": [{\"text\": \"three\"}]}]}");
        QTest::newRow("PaddleOCR") << "rec_gt_train.txt" << QByteArray("a.png\tone  two \n[\"b c.png\"]\tthree\n");
        QTest::newRow("one object") << "labels.json"
                                    << QByteArray("{\"a.png\": \"one  two \", \"b c.png\": \"three\"}");
    }

    void readsEveryLabelFile() {
        QFETCH(QString, name);
        QFETCH(QByteArray, content);
        const ScratchFolder folder;
        writeText(folder / name.toStdString(), content.toStdString());
        writePicture(folder / "imgs/a.png");
        writePicture(folder / "b c.png");
        const auto opened = openWords(folder.path());
        VERIFY_RESULT(opened);
        QCOMPARE((*opened)->format(), std::string("folder+labels"));
        QCOMPARE(transcripts(**opened), (Texts{"one  two ", "three"}));
        QCOMPARE((*opened)->info(1).id, std::string("b c.png"));
        const auto sample = (*opened)->sample(0);
        VERIFY_RESULT(sample);
        QCOMPARE(sample->image.channels, 1);
        // the file itself names the same dataset
        QCOMPARE(transcripts(**openWords(folder / name.toStdString())), (Texts{"one  two ", "three"}));
    }

    /// Jaderberg et al. 2014: the label file has the word's number in the lexicon, the name has the word.
    void readsSynth90k() {
        const ScratchFolder folder;
        writeText(folder / "annotation_train.txt", "./2425/1/115_Lube_45484.jpg 45484\n./1/2/3_o_7.jpg 7\n");
        writePicture(folder / "2425/1/115_Lube_45484.jpg");
        writePicture(folder / "1/2/3_o_7.jpg");
        QCOMPARE(transcripts(**openWords(folder / "annotation_train.txt")), (Texts{"Lube", "o"}));
        // one other line, and the numbers are what they seem to be
        writeText(folder / "annotation_train.txt", "./2425/1/115_Lube_45484.jpg 45484\n./1/2/3_o_7.jpg 8\n");
        QCOMPARE(transcripts(**openWords(folder / "annotation_train.txt")), (Texts{"45484", "8"}));
    }

    void readsTextBesideImages() {
        const ScratchFolder folder;
        writePicture(folder / "x/1.png");
        writeText(folder / "x/1.txt", "hello you\n");
        writePicture(folder / "x/2.png");
        const auto opened = openWords(folder.path());
        VERIFY_RESULT(opened);
        QCOMPARE(transcripts(**opened), Texts{"hello you"});
        QCOMPARE((*opened)->info(0).id, std::string("x/1.png"));
    }

    void readsIcdarWords() {
        const ScratchFolder folder;
        writeText(
            folder / "gt.txt",
            "\xEF\xBB\xBFw1.png, \"say \\\"hi\\\", you\"\r\nw2.png, \"###\"\r\nw3.png, plain\r\nw4.png, \"gone\"");
        for (const char* name : {"w1.png", "w2.png", "w3.png"})
            writePicture(folder / name);
        const auto opened = openWords(folder.path());
        VERIFY_RESULT(opened);
        QCOMPARE((*opened)->format(), std::string("icdar-words"));
        QCOMPARE(transcripts(**opened), (Texts{"say \"hi\", you", "plain"}));
        QVERIFY(hasProblem(**opened, "w4.png", "missing"));
        QVERIFY(hasProblem(**opened, "", "1 samples are marked unreadable"));
    }

    void countsUnknownCharacters_data() {
        QTest::addColumn<QString>("rule");
        QTest::addColumn<QStringList>("expected");
        QTest::newRow("skip") << "skip" << QStringList{"Ok"};
        QTest::newRow("remove") << "remove" << QStringList{"caf", "Ok", "n"};
        QTest::newRow("replace") << "replace" << QStringList{"cafx", "Ok", "xxxn"};
        QTest::newRow("add") << "add" << QStringList{"café", "Ok", "éé-n"};
    }

    void countsUnknownCharacters() {
        QFETCH(QString, rule);
        QFETCH(QStringList, expected);
        const ScratchFolder folder;
        writeText(folder / "labels.txt", "1.png café\n2.png Ok\n3.png éé-n\n");
        for (const char* name : {"1.png", "2.png", "3.png"})
            writePicture(folder / name);
        RunConfig config; // letters and digits, case ignored: "Ok" is known
        config.data.onUnknownCharacter = rule.toStdString();
        config.data.unknownCharacter = "x";
        const auto opened = openWords(folder.path(), config);
        VERIFY_RESULT(opened);
        Texts wanted;
        for (const auto& one : expected)
            wanted.push_back(one.toStdString());
        QCOMPARE(transcripts(**opened), wanted);
        QVERIFY(hasProblem(**opened, "1.png", "\"é\" (U+00E9): 3 times in 2 samples"));
        QVERIFY(hasProblem(**opened, "3.png", "\"-\" (U+002D): 1 times in 1 samples"));
        QCOMPARE((*opened)->newCharacters(), std::string(rule == "add" ? "-é" : ""));
        config.data.onUnknownCharacter = "stop";
        VERIFY_ERROR(openWords(folder.path(), config), "café");
    }

    void listsTranscriptsTooLongForTheWidth() {
        const ScratchFolder folder;
        writeText(folder / "labels.txt", "1.png abcdefgh\n2.png aabbccdd\n3.png abc\n");
        for (const char* name : {"1.png", "2.png", "3.png"})
            writePicture(folder / name);
        RunConfig config;
        config.model.crnn.width = 40; // ten steps: eight characters fit, with four repeats they need twelve
        const auto training = openWords(folder.path(), config);
        VERIFY_RESULT(training);
        QCOMPARE(transcripts(**training), (Texts{"abcdefgh", "abc"}));
        QVERIFY(hasProblem(**training, "2.png", "needs 12 steps"));
        const auto validation = openWords(folder.path(), config, false);
        QCOMPARE((*validation)->size(), 3); // an evaluation counts what cannot be read
        QVERIFY(hasProblem(**validation, "2.png", "needs 12 steps"));
    }

    void namesLongTranscriptsByTheirBeginning() {
        const ScratchFolder folder;
        writeText(folder / "labels.txt", "1.png abc\n2.png " + std::string(1'000'000, 'a') + "\n");
        for (const char* name : {"1.png", "2.png"})
            writePicture(folder / name);
        const auto opened = openWords(folder.path(), RunConfig{});
        VERIFY_RESULT(opened);
        QVERIFY(hasProblem(**opened, "2.png", "\"" + std::string(60, 'a') + "…\" needs 1999999 steps"));
        for (const DataProblem& problem : (*opened)->problems())
            QVERIFY(problem.message.size() < 300);
    }

    // An attention decoder takes a step a character, whatever the width, and one for the end. Its own alphabet counts.
    void asterLeavesOutWhatItsDecoderHasNoStepsFor() {
        const ScratchFolder folder;
        writeText(folder / "labels.txt", "1.png AABBcc\n2.png abcdefg\n3.png Z!\n");
        for (const char* name : {"1.png", "2.png", "3.png"})
            writePicture(folder / name);
        RunConfig config;
        config.model.type = "aster";
        config.model.aster.maxSteps = 7;
        const auto training = openWords(folder.path(), config);
        VERIFY_RESULT(training);
        QCOMPARE(transcripts(**training), (Texts{"AABBcc", "Z!"}));
        QVERIFY(hasProblem(**training, "2.png", "needs 7 steps (a character each), the decoder has 6"));
        config.model.aster.alphabet = "abc";
        config.model.aster.caseSensitive = false;
        config.data.onUnknownCharacter = "stop";
        VERIFY_ERROR(openWords(folder.path(), config), "model.aster.alphabet");
    }

    void saysWhatIsWrong() {
        const ScratchFolder folder;
        writePicture(folder / "a.png");
        writeText(folder / "labels.jsonl", "{\"filename\": \"a.png\", \"text\": \"x\"}\n{oops\n");
        VERIFY_ERROR(openWords(folder.path()),
                     "labels.jsonl:2:2: This is not JSON: a key in quotes or \"}\" is expected");
        writeText(folder / "labels.txt", "a.png\nnowhere.png text\n");
        VERIFY_ERROR(openWords(folder.path()), "None of the 1 images was found");
        writeText(folder / "labels.txt", "a.png\na.png text\na.png again\n");
        const auto opened = openWords(folder.path());
        VERIFY_RESULT(opened);
        QVERIFY(hasProblem(**opened, "labels.txt", "Line 1 has no transcript"));
        QVERIFY(hasProblem(**opened, "a.png", "listed twice"));
        writeText(folder / "labels.txt", "\n");
        VERIFY_ERROR(openWords(folder.path()), "no labels");
    }

    void readsRealIcdarWords() {
        NEED_SHARED_DATA(data, "icdar2015_words");
        RunConfig config = asciiConfig();
        config.model.crnn.alphabet += "É´é";
        config.model.crnn.width = 400;
        const auto train = openWords(data / "train", config);
        const auto test = openWords(data, config, false); // its folder test is found by the purpose
        VERIFY_RESULT(train);
        VERIFY_RESULT(test);
        QCOMPARE((*train)->size(), 3400);
        QCOMPARE((*test)->size(), 448);
        int quotes = 0, blanks = 0, alphanumeric = 0;
        std::size_t longest = 0;
        for (const std::string& text : transcripts(**train)) {
            quotes += text.find('"') != std::string::npos;
            blanks += text.find(' ') != std::string::npos;
            alphanumeric += std::all_of(text.begin(), text.end(), [](unsigned char c) { return std::isalnum(c); });
            longest = std::max(longest, text.size());
        }
        QCOMPARE(quotes, 6);
        QCOMPARE(blanks, 26);
        QCOMPARE(alphanumeric, 3069);
        QCOMPARE(longest, std::size_t(19));
        QCOMPARE((*train)->info(0).transcript, std::string("Genaxis Theatre"));
        VERIFY_RESULT((*test)->sample(0));
        // letters and digits alone: the usual protocol
        QCOMPARE((*openWords(data / "test", {}, false))->size(), 417);
    }

    void readsTextSamples() {
        NEED_SHARED_DATA(data, "text_samples");
        const auto toy = openWords(data / "mmocr_rec_toy");
        VERIFY_RESULT(toy);
        QCOMPARE((*toy)->size(), 10);
        for (const char* name : {"old_label.txt", "old_label.jsonl", "labels.json"})
            QCOMPARE(transcripts(**openWords(data / "mmocr_rec_toy" / name)), transcripts(**toy));
        for (int i = 0; i < 10; ++i)
            VERIFY_RESULT((*toy)->sample(i));
        VERIFY_ERROR(readImage((data / "mmocr_rec_toy/broken.jpg").string(), 3, 1'000'000), "broken.jpg");
        QCOMPARE(transcripts(**openWords(data / "clovaai_demo")).front(), std::string("available"));
        RunConfig chinese;
        chinese.model.crnn.alphabet = "韩国小馆实力活西湾监管";
        QCOMPARE(transcripts(**openWords(data / "paddleocr_ch", chinese)), (Texts{"韩国小馆", "实力活力", "西湾监管"}));
    }

    void readsFrakturLines() {
        NEED_SHARED_DATA(data, "archiscribe_lines");
        RunConfig config = asciiConfig();
        config.data.onUnknownCharacter = "remove";
        const auto opened = openWords(data, config, false);
        VERIFY_RESULT(opened);
        QCOMPARE((*opened)->size(), 180);
        for (int i = 0; i < 180; ++i) // 44 of them are JPEG with a PNG's name
            VERIFY_RESULT((*opened)->sample(i));
    }
};

QTEST_GUILESS_MAIN(tst_WordDatasets)
#include "tst_WordDatasets.moc"
