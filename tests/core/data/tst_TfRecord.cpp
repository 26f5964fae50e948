#include "tests/core/data/Worlds.h"

#include "core/base/Text.h"
#include "core/data/TfRecordDataset.h"

#include <set>

using namespace trainyard;
using namespace trainyard::testing;

namespace {

namespace fs = std::filesystem;

RunConfig wideConfig() {
    RunConfig config;
    config.model.crnn.alphabet = "abcdefghijklmnopqrstuvwxyzü ";
    return config;
}

Result<std::unique_ptr<Dataset>> openWords(const fs::path& path, const RunConfig& config = wideConfig()) {
    return open(entryOf(path), TaskKind::Recognition, config, false);
}

std::vector<std::string> transcripts(const Dataset& data) {
    std::vector<std::string> result;
    for (std::int64_t i = 0; i < data.size(); ++i)
        result.push_back(data.info(i).transcript);
    return result;
}
using Texts = std::vector<std::string>;

/// words.tfrecord with one byte changed, cut to `length` where that is given.
void writeDamaged(const fs::path& path, std::size_t at, std::size_t length = 0) {
    std::string bytes = *readFile(testData("text/words.tfrecord"));
    bytes.at(at) = char(bytes[at] ^ 0x55);
    if (length > 0)
        bytes.resize(length);
    writeText(path, bytes);
}

std::vector<TfRecord> recordsOf(const fs::path& path) {
    std::vector<TfRecord> records;
    auto reader = TfRecordReader::open(path);
    while (reader && !reader->atEnd()) {
        auto record = reader->next();
        if (!record)
            break;
        records.push_back(std::move(*record));
    }
    return records;
}

} // namespace

class tst_TfRecord : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// words.tfrecord was written by make_tfrecord.py, which prints where its records begin.
    void readsWhatPythonWrote() {
        const auto opened = openWords(testData("text/words.tfrecord"));
        VERIFY_RESULT(opened);
        const Dataset& data = **opened;
        QCOMPARE(data.format(), std::string("tfrecord"));
        QCOMPARE(transcripts(data), (Texts{"Für dich", "plain", "single", "last"}));
        QCOMPARE(data.info(0).id, std::string("für dich.png"));
        QCOMPARE(data.info(1).id, std::string("words.tfrecord#2"));
        QCOMPARE(data.info(3).id, std::string("z"));
        QVERIFY(hasProblem(data, "silent.png", "transcript is empty"));
        QVERIFY(hasProblem(data, "words.tfrecord#5", "record 5 at byte 1547 has no image"));
        RunConfig colour = wideConfig();
        colour.model.crnn.channels = 3;
        const auto inColour = openWords(testData("text/words.tfrecord"), colour);
        for (const auto& [index, red] : {std::pair(3, 90), std::pair(0, 10), std::pair(2, 70)}) { // in any order
            const auto sample = (*inColour)->sample(index);
            VERIFY_RESULT(sample);
            QCOMPARE(int(sample->image.pixels[0]), red);
            QCOMPARE(sample->image.width, 24);
        }
    }

    void readsEveryFeature() {
        const auto records = recordsOf(testData("text/words.tfrecord"));
        QCOMPARE(records.size(), std::size_t(6));
        const auto example = TfExample::parse(records[0].data);
        QVERIFY(example.has_value());
        const WordExample word = WordExample::of(*example);
        QCOMPARE(word.format, std::string_view("png"));
        QCOMPARE(word.sourceId, std::string_view("7"));
        QCOMPARE(word.height, std::int64_t(10));
        QCOMPARE(word.width, std::int64_t(24));
        QCOMPARE(word.keypoints, (std::vector<float>{0, 1, 24, 1, 24, 9.5f, 0, 9.5f}));
        QCOMPARE(word.lexicon, (std::vector<std::string_view>{"one", "two words", "F"}));
        const auto unpacked = TfExample::parse(records[3].data); // numbers one by one, not packed
        QVERIFY(unpacked.has_value());
        QCOMPARE(unpacked->allIntegers("image/width"), (std::vector<std::int64_t>{24, 5}));
        QCOMPARE(unpacked->allFloats("image/keypoints"), (std::vector<float>{1.5f, -2.f}));
    }

    void missingFeaturesTakeDefaults() {
        const auto records = recordsOf(testData("text/words.tfrecord"));
        const auto example = TfExample::parse(records.at(4).data);
        QVERIFY(example.has_value());
        const WordExample word = WordExample::of(*example);
        QCOMPARE(word.encoded, std::string_view(""));
        QCOMPARE(word.format, std::string_view("jpeg"));
        QCOMPARE(word.filename, std::string_view(""));
        QCOMPARE(word.sourceId, std::string_view(""));
        QCOMPARE(word.transcript, std::string_view(""));
        QCOMPARE(word.height, std::int64_t(1));
        QCOMPARE(word.width, std::int64_t(1));
        QVERIFY(word.keypoints.empty());
        QVERIFY(word.lexicon.empty());
    }

    /// The last record again, byte for byte as Google's packages wrote it.
    void writesTheSameBytes() {
        const auto records = recordsOf(testData("text/words.tfrecord"));
        const auto example = TfExample::parse(records.at(5).data);
        QVERIFY(example.has_value());
        TfExampleWriter writer;
        for (const char* name : {"image/encoded", "image/source_id", "image/transcript"})
            writer.add(name, example->bytes(name));
        const std::string file = *readFile(testData("text/words.tfrecord"));
        QCOMPARE(asTfRecord(writer.message()), file.substr(1563));
        TfExampleWriter numbers;
        numbers.add("n", std::int64_t(-3));
        numbers.add("f", std::vector<float>{0.5f, -1e9f});
        const std::string message = numbers.message();
        const auto again = TfExample::parse(message);
        QVERIFY(again.has_value());
        QCOMPARE(again->integer("n"), std::int64_t(-3));
        QCOMPARE(again->allFloats("f"), (std::vector<float>{0.5f, -1e9f}));
    }

    void namesRecordAndOffsetOfDamage_data() {
        QTest::addColumn<int>("byte");
        QTest::addColumn<int>("length");
        QTest::addColumn<QString>("sentence");
        QTest::addColumn<QStringList>("left");
        QTest::newRow("data") << 700 << 0 << "record 2 at byte 441 is damaged: its checksum does not match"
                              << QStringList{"Für dich", "single", "last"};
        QTest::newRow("its checksum") << 1152 << 0 << "record 2 at byte 441 is damaged"
                                      << QStringList{"Für dich", "single", "last"};
        QTest::newRow("length") << 441 << 0 << "checksum of the length does not match) in record 2 at byte 441"
                                << QStringList{"Für dich"};
        QTest::newRow("the first length") << 0 << 0 << "" << QStringList{};
        QTest::newRow("cut, whole before")
            << 1700 << 1720 << "cut off in record 6 at byte 1563" << QStringList{"Für dich", "plain", "single"};
        QTest::newRow("cut in the head") << 1160 << 1162 << "cut off in record 3 at byte 1155"
                                         << QStringList{"Für dich", "plain"};
    }

    void namesRecordAndOffsetOfDamage() {
        QFETCH(int, byte);
        QFETCH(int, length);
        QFETCH(QString, sentence);
        QFETCH(QStringList, left);
        const std::string part = sentence.toStdString();
        const ScratchFolder folder;
        writeDamaged(folder / "words.tfrecord", std::size_t(byte), std::size_t(length));
        DatasetConfig entry = entryOf(folder / "words.tfrecord", "", "tfrecord");
        const auto opened = open(entry, TaskKind::Recognition, wideConfig(), false);
        if (left.isEmpty()) { // the very first length: nothing can be read, and the sentence says where
            VERIFY_ERROR(opened, "record 1 at byte 0");
            return;
        }
        VERIFY_RESULT(opened);
        Texts wanted;
        for (const QString& one : left)
            wanted.push_back(one.toStdString());
        QCOMPARE(transcripts(**opened), wanted);
        QVERIFY(hasProblem(**opened, "words.tfrecord", part));
        RunConfig strict = wideConfig();
        strict.data.onDamaged = "stop";
        const auto stopped = open(entry, TaskKind::Recognition, strict, false);
        VERIFY_ERROR(stopped, part);
        QCOMPARE(stopped.error().where, (folder / "words.tfrecord").string());
    }

    /// A message that lies about its lengths is no example, whatever it is cut or changed to.
    void survivesMalformedMessages() {
        const std::string whole = recordsOf(testData("text/words.tfrecord")).at(0).data;
        for (std::size_t length = 1; length < whole.size(); ++length)
            QVERIFY(!TfExample::parse(std::string_view(whole).substr(0, length)));
        Random random(11);
        for (int i = 0; i < 5000; ++i) {
            std::string changed = whole;
            for (int k = 0; k < 4; ++k)
                changed[std::size_t(random.integer(0, std::int64_t(whole.size()) - 1))] = char(random.integer(0, 255));
            if (const auto example = TfExample::parse(changed))
                WordExample::of(*example);
        }
    }

    void readsShards() {
        const ScratchFolder folder;
        fs::copy_file(testData("text/words.tfrecord"), folder / "words.tfrecord-00001-of-00002");
        const std::string bytes = *readFile(testData("text/words.tfrecord"));
        writeText(folder / "words.tfrecord-00000-of-00002", bytes.substr(1563));
        writeText(folder / "notes.txt", "nothing\n");
        const auto opened = openWords(folder.path());
        VERIFY_RESULT(opened);
        QCOMPARE(transcripts(**opened), (Texts{"last", "Für dich", "plain", "single", "last"}));
        std::set<std::string> ids;
        for (std::int64_t i = 0; i < (*opened)->size(); ++i)
            ids.insert((*opened)->info(i).id);
        QCOMPARE(ids.size(), std::size_t(5)); // "z" is there twice; the second is named by its place
    }

    void refusesWhatItCannotRead() {
        const ScratchFolder folder;
        writeText(folder / "words.tfrecord", std::string("\x1F\x8B\x08\0 and more", 13));
        VERIFY_ERROR(open(entryOf(folder / "words.tfrecord", "", "tfrecord"), TaskKind::Recognition), "compressed");
        TfExampleWriter writer;
        writer.add("pixels", "x");
        writer.add("target", std::int64_t(4));
        writeText(folder / "words.tfrecord", asTfRecord(writer.message()));
        VERIFY_ERROR(openWords(folder.path()), "No record has image/transcript; their features are pixels, target.");
        writeText(folder / "words.tfrecord", asTfRecord("no message at all"));
        VERIFY_ERROR(openWords(folder.path()), "record 1 at byte 0 is no tf.train.Example");
    }

    /// TensorFlow's own checksums, and boxes that lie in pixels in a table beside the records.
    void readsRaccoons() {
        NEED_SHARED_DATA(data, "tfrecord_raccoon");
        const std::string before = stateOf(data);
        const auto opened = open(entryOf(data), TaskKind::Detection, {}, false);
        VERIFY_RESULT(opened);
        QCOMPARE((*opened)->format(), std::string("tfrecord-boxes"));
        QCOMPARE((*opened)->size(), 40);
        QCOMPARE((*opened)->classes(), std::vector<std::string>{"raccoon"});
        QCOMPARE((*opened)->categoryIds(), std::vector<std::int64_t>{1});
        std::multiset<std::string> boxes, expected;
        for (std::int64_t i = 0; i < 40; ++i) {
            const auto sample = (*opened)->sample(i);
            VERIFY_RESULT(sample);
            for (const ObjectAnnotation& object : sample->objects)
                boxes.insert(
                    (*opened)->info(i).id + "," + std::to_string(sample->image.width) + "," +
                    std::to_string(sample->image.height) + ",raccoon," + std::to_string(std::lround(object.box.x1)) +
                    "," + std::to_string(std::lround(object.box.y1)) + "," +
                    std::to_string(std::lround(object.box.x2)) + "," + std::to_string(std::lround(object.box.y2)));
        }
        const std::string table = *readFile(data / "test_labels.csv");
        const auto lines = text::lines(table);
        for (std::size_t i = 1; i < lines.size(); ++i)
            if (!lines[i].empty())
                expected.insert(std::string(lines[i]));
        QCOMPARE(boxes, expected);
        QCOMPARE((*open(entryOf(data / "test.record"), TaskKind::Detection))->size(), 40);
        VERIFY_ERROR(openWords(data), "has boxes (tfrecord-boxes), but the model reads words");
        VERIFY_ERROR(open(entryOf(data, "", "tfrecord"), TaskKind::Recognition), "have boxes");
        QCOMPARE(stateOf(data), before);
    }
};

QTEST_GUILESS_MAIN(tst_TfRecord)
#include "tst_TfRecord.moc"
