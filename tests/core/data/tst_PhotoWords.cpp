#include "tests/core/data/Worlds.h"

#include "core/base/Text.h"
#include "core/data/LabelFile.h"
#include "core/data/WordOutlines.h"

using namespace trainyard;
using namespace trainyard::testing;

namespace {

namespace fs = std::filesystem;
using Texts = std::vector<std::string>;

RunConfig asciiConfig() {
    RunConfig config;
    config.model.crnn.alphabet.clear();
    for (char c = ' '; c <= '~'; ++c)
        config.model.crnn.alphabet += c;
    config.model.crnn.caseSensitive = true;
    config.model.crnn.channels = 3;
    return config;
}

Result<std::unique_ptr<Dataset>> openWords(const fs::path& path) {
    return open(entryOf(path), TaskKind::Recognition, asciiConfig(), false);
}

Texts transcripts(const Dataset& data) {
    Texts result;
    for (std::int64_t i = 0; i < data.size(); ++i)
        result.push_back(data.info(i).transcript);
    return result;
}

/// A photo in which a pixel's red is its column and its green its row.
void writePhoto(const fs::path& path, int width = 60, int height = 40) {
    Image photo = plainImage(width, height);
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
            photo.row(y)[3 * x] = std::uint8_t(x);
            photo.row(y)[3 * x + 1] = std::uint8_t(y);
        }
    fs::create_directories(path.parent_path());
    QVERIFY(writeImage(path.string(), photo).has_value());
}

/// "x y width height" of a word cut out of writePhoto's picture.
std::string placeOf(const Result<Sample>& sample) {
    const Image& image = sample->image;
    return std::to_string(image.pixels[0]) + " " + std::to_string(image.pixels[1]) + " " + std::to_string(image.width) +
           " " + std::to_string(image.height);
}

int largestDifference(const Image& a, const Image& b) {
    if (a.width != b.width || a.height != b.height || a.channels != b.channels)
        return 256;
    int largest = 0;
    for (std::size_t i = 0; i < a.pixels.size(); ++i)
        largest = std::max(largest, std::abs(int(a.pixels[i]) - int(b.pixels[i])));
    return largest;
}

} // namespace

class tst_PhotoWords : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void readsEveryLine_data() {
        QTest::addColumn<QByteArray>("line");
        QTest::addColumn<QString>("outline");
        QTest::addColumn<QString>("transcript");
        QTest::newRow("2015") << QByteArray("377,117,463,117,465,130,378,130,Genaxis Theatre")
                              << "377,117 463,117 465,130 378,130"
                              << "Genaxis Theatre";
        QTest::newRow("commas and quotes stay") << QByteArray("1,2,30,2,30,9,1,9,\"a\", b,") << "1,2 30,2 30,9 1,9"
                                                << "\"a\", b,";
        QTest::newRow("first blank stays") << QByteArray("1,2,3,2,3,9,1,9, x") << "1,2 3,2 3,9 1,9"
                                           << " x";
        QTest::newRow("digits") << QByteArray("1,2,3,2,3,9,1,9,12,5") << "1,2 3,2 3,9 1,9"
                                << "12,5";
        QTest::newRow("blanks after commas, below zero")
            << QByteArray("-1, 2.5, 30, 2, 30, 9, 1, 9, x") << "-1,2.5 30,2 30,9 1,9"
            << " x";
        QTest::newRow("2013") << QByteArray("38, 43, 920, 215, \"Tired, \\\"so\\\"\"") << "38,43 920,43 920,215 38,215"
                              << "Tired, \"so\"";
        QTest::newRow("2013, blanks") << QByteArray("38 43 920 215 \"Tiredness\"") << "38,43 920,43 920,215 38,215"
                                      << "Tiredness";
        QTest::newRow("seven numbers") << QByteArray("1,2,3,4,5,6,7,\"x\"") << ""
                                       << "";
        QTest::newRow("plain text") << QByteArray("10 20 30 40 words") << ""
                                    << "";
        QTest::newRow("no number") << QByteArray("nan,2,3,2,3,9,1,9,x") << ""
                                   << "";
    }

    void readsEveryLine() {
        QFETCH(QByteArray, line);
        QFETCH(QString, outline);
        QFETCH(QString, transcript);
        const OutlinedWords read = readOutlines("\xEF\xBB\xBF" + line.toStdString() + "\r\n");
        QCOMPARE(read.words.size(), std::size_t(outline.isEmpty() ? 0 : 1));
        QCOMPARE(read.problems.size(), std::size_t(outline.isEmpty() ? 1 : 0));
        if (outline.isEmpty())
            return;
        QStringList corners;
        for (const Point& corner : read.words[0].outline)
            corners << QStringLiteral("%1,%2").arg(double(corner.x)).arg(double(corner.y));
        QCOMPARE(corners.join(' '), outline);
        QCOMPARE(QString::fromStdString(read.words[0].transcript), transcript);
    }

    void scriptsGoWhereEveryWordHasOne() {
        const std::string first = "1,2,3,2,3,9,1,9,Latin,a, b\n1,2,3,2,3,9,1,9,None,###\n";
        std::vector<OutlinedWords> photos{readOutlines(first), readOutlines("1,2,3,2,3,9,1,9,Korean,c\n")};
        dropScripts(photos);
        QCOMPARE(photos[0].words[0].transcript, std::string("a, b"));
        QCOMPARE(photos[0].words[1].transcript, std::string("###"));
        QCOMPARE(photos[1].words[0].transcript, std::string("c"));
        std::vector<OutlinedWords> plain{readOutlines(first), readOutlines("1,2,3,2,3,9,1,9,Greek,c\n")};
        dropScripts(plain);
        QCOMPARE(plain[0].words[0].transcript, std::string("Latin,a, b"));
    }

    /// Corner pixels belong to the word; what leaves the photo is cut; "###" is nobody's word.
    void cutsWordsOutOfPhotos() {
        const ScratchFolder folder;
        writePhoto(folder / "images/img_10.png");
        writePhoto(folder / "images/img_2.png");
        writeText(folder / "labels/gt_img_10.txt", "50,30,70,28,70,35,50,39,late\n100,5,120,5,120,9,100,9,outside\n");
        writeText(folder / "labels/gt_img_2.txt",
                  "10,12,20,11,21,15,9,16,tilted\n1,1,5,1,5,5,1,5,###\nnothing\n3,4,7,4,7,6,3,6,\"x\"\n");
        writeText(folder / "labels/gt_img_3.txt", "1,1,5,1,5,5,1,5,lost\n");
        const auto opened = openWords(folder.path());
        VERIFY_RESULT(opened);
        const Dataset& data = **opened;
        QCOMPARE(data.format(), std::string("icdar-photos"));
        QCOMPARE(transcripts(data), (Texts{"tilted", "\"x\"", "late", "outside"}));
        QCOMPARE(data.info(0).id, std::string("img_2.png#1"));
        QCOMPARE(data.info(1).id, std::string("img_2.png#3"));
        QCOMPARE(placeOf(data.sample(0)), std::string("9 11 13 6"));
        QCOMPARE(placeOf(data.sample(1)), std::string("3 4 5 3"));
        QCOMPARE(placeOf(data.sample(2)), std::string("50 28 10 12"));
        QCOMPARE(data.sample(2)->info.width, 10);
        VERIFY_ERROR(data.sample(3), "img_10.png#2: The word lies outside its photo.");
        QVERIFY(hasProblem(data, "", "1 samples are marked unreadable"));
        QVERIFY(hasProblem(data, "gt_img_2.txt", "Line 3 has no outline"));
        QVERIFY(hasProblem(data, "img_3", "The photo is missing"));
    }

    void refusesPartsInOneFolder() {
        const ScratchFolder folder;
        for (const char* part : {"train_gt", "test_gt"})
            writeText(folder / part / "gt_img_1.txt", "1,1,5,1,5,5,1,5,word\n");
        writePhoto(folder / "images/img_1.png");
        VERIFY_ERROR(openWords(folder.path()), "several parts lie in one folder");
    }

    void anotherOutlineIsAnotherDataset() {
        const ScratchFolder folder;
        writePhoto(folder / "img_1.png");
        std::vector<std::string> prints;
        for (const char* line : {"1,1,5,1,5,5,1,5,word\n", "1,1,5,1,5,6,1,6,word\n", "1,1,5,1,5,5,1,5,word\n"}) {
            writeText(folder / "gt_img_1.txt", line);
            prints.push_back((*openWords(folder.path()))->fingerprint());
        }
        QVERIFY(prints[0] != prints[1]);
        QCOMPARE(prints[0], prints[2]);
    }

    /// PaddleOCR's detection labels and MMOCR's polygons; a list in a transcript that is none of them stays text.
    void readsOutlinesInLabelFiles_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QByteArray>("content");
        QTest::newRow("PaddleOCR") << "labels.txt"
                                   << QByteArray("photo.png\t[{\"transcription\": \"one two\", \"points\": "
                                                 "[[3,4],[9,4],[9,8],[3,8]]}, {\"transcription\": \"###\", \"points\": "
                                                 "[[1,1],[2,1],[2,2],[1,2]]}, {\"transcription\": \"b\", \"points\": "
                                                 "[[20,10],[29,11],[29,20],[20,19]], \"difficult\": false}]\n");
        QTest::newRow("MMOCR") << "labels.json"
                               << QByteArray("{\"data_list\": [{\"img_path\": \"photo.png\", \"instances\": ["
                                             "{\"text\": \"one two\", \"polygon\": [3,4,9,4,9,8,3,8]},"
                                             "{\"text\": \"no\", \"polygon\": [1,1,2,1,2,2,1,2], \"ignore\": true},"
                                             "{\"text\": \"b\", \"polygon\": [20,10,29,11,29,20,20,19]}]}]}");
    }

    void readsOutlinesInLabelFiles() {
        QFETCH(QString, name);
        QFETCH(QByteArray, content);
        const ScratchFolder folder;
        writePhoto(folder / "photo.png");
        writeText(folder / name.toStdString(), content.toStdString());
        const auto opened = openWords(folder.path());
        VERIFY_RESULT(opened);
        QCOMPARE((*opened)->format(), std::string("folder+labels"));
        QCOMPARE(transcripts(**opened), (Texts{"one two", "b"}));
        QCOMPARE((*opened)->info(1).id, std::string("photo.png#3"));
        QCOMPARE(placeOf((*opened)->sample(0)), std::string("3 4 7 5"));
        QCOMPARE(placeOf((*opened)->sample(1)), std::string("20 10 10 11"));
        const LabelFile text = readTextLabels("a.png [{\"x\": 1}]\n", [](const std::string&) { return true; });
        QCOMPARE(text.labels.at(0).transcript, std::string("[{\"x\": 1}]"));
    }

    /// The words of the photos are the official crops 1 to 144 of the word task, pixel for pixel.
    void agreesWithTheOfficialCrops() {
        NEED_SHARED_DATA(photos, "icdar2015_full");
        NEED_SHARED_DATA(words, "icdar2015_words");
        RunConfig config = asciiConfig();
        config.model.crnn.alphabet += "É";
        const auto cut = open(entryOf(photos), TaskKind::Recognition, config, false);
        VERIFY_RESULT(cut);
        QCOMPARE((*cut)->format(), std::string("icdar-photos"));
        QCOMPARE((*cut)->size(), 144);
        QVERIFY(hasProblem(**cut, "", "318 samples are marked unreadable"));
        const auto official = open(entryOf(words / "test"), TaskKind::Recognition, config, false);
        VERIFY_RESULT(official);
        for (std::int64_t i = 0; i < 144; ++i) {
            const auto ours = (*cut)->sample(i), theirs = (*official)->sample(i);
            VERIFY_RESULT(ours);
            VERIFY_RESULT(theirs);
            QCOMPARE(ours->info.transcript, theirs->info.transcript);
            QVERIFY2(largestDifference(ours->image, theirs->image) <= 2, ours->info.id.c_str());
        }
    }

    /// Every file of the samples is a dataset with words, a picture, or refused with a sentence.
    void everySampleIsReadOrRefused_data() {
        QTest::addColumn<QString>("file");
        for (const char* folder : {"text_samples", "tfrecord_raccoon"})
            if (const auto data = sharedData(folder))
                for (const auto& entry : fs::recursive_directory_iterator(*data))
                    if (entry.is_regular_file()) {
                        const std::string name = entry.path().lexically_relative(data->parent_path()).string();
                        QTest::newRow(name.c_str()) << QString::fromStdString(name);
                    }
    }

    void everySampleIsReadOrRefused() {
        NEED_SHARED_DATA(samples, "text_samples");
        QFETCH(QString, file);
        const fs::path path = samples.parent_path() / file.toStdString();
        const std::map<std::string, int> datasets{{"text_samples/mmocr_rec_toy/labels.json", 10},
                                                  {"text_samples/mmocr_rec_toy/old_label.txt", 10},
                                                  {"text_samples/mmocr_rec_toy/old_label.jsonl", 10},
                                                  {"text_samples/mmocr_rec_toy/imgs.lmdb/data.mdb", 10},
                                                  {"text_samples/mmocr_rec_toy/label.lmdb/data.mdb", 10},
                                                  {"text_samples/mmocr_rec_toy/broken.lmdb/data.mdb", 1},
                                                  {"text_samples/clovaai_demo/labels.txt", 7},
                                                  {"text_samples/paddleocr_ch/labels.txt", 4},
                                                  {"tfrecord_raccoon/test.record", 40}};
        RunConfig config = asciiConfig();
        config.model.crnn.alphabet += "韩国小馆汉阳鹦鹉家居建材市场区号实力活西湾监管";
        const bool hasBoxes = path.extension() == ".record";
        if (hasBoxes)
            VERIFY_ERROR(open(entryOf(path), TaskKind::Recognition, config, false), "but the model reads words");
        const auto opened = open(entryOf(path), hasBoxes ? TaskKind::Detection : TaskKind::Recognition, config, false);
        const auto known = datasets.find(file.toStdString());
        if (known != datasets.end()) {
            VERIFY_RESULT(opened);
            QCOMPARE((*opened)->size(), known->second);
            for (std::int64_t i = 0; i < (*opened)->size(); ++i) {
                const auto sample = (*opened)->sample(i);
                if (file.contains("broken"))
                    VERIFY_ERROR(sample, "image-000000001: The image is damaged or cut off");
                else
                    VERIFY_RESULT(sample);
            }
            return;
        }
        VERIFY_ERROR(opened, path.string());
        QVERIFY(opened.error().what.ends_with('.') && !opened.error().remedy.empty());
        const bool isPicture = path.extension() == ".jpg" || path.extension() == ".png";
        const auto picture = readImage(path.string(), 3, 0);
        QCOMPARE(picture.has_value(), isPicture && path.stem() != "broken");
        if (!picture)
            VERIFY_ERROR(picture, isPicture ? "damaged or cut off" : "no picture of a known kind");
    }
};

QTEST_GUILESS_MAIN(tst_PhotoWords)
#include "tst_PhotoWords.moc"
