#include "tests/core/data/Worlds.h"

#include "core/data/TfRecordDataset.h"
#include "core/data/WordConversion.h"

#include <QDir>

#include <lmdb.h>
#include <nlohmann/json.hpp>

using namespace trainyard;
using namespace trainyard::testing;

namespace {

namespace fs = std::filesystem;
using Texts = std::vector<std::string>;

/// What label files trip over: blanks at both ends, quotes, backslashes, commas, tabs, another normal form, a number.
const Texts kTexts{"one  two ", " \"say \\\"hi\\\", you\"", "a,b", "tab\there", "e\u0301Ä", "\\", "12"};

const std::vector<std::pair<std::string, std::string>> kTargets{
    {"out.lmdb", "lmdb"}, {"out.tfrecord", "tfrecord"}, {"out", "icdar-words"}};

void writeSource(const fs::path& folder, const Texts& texts = kTexts) {
    nlohmann::json list = nlohmann::json::array();
    for (std::size_t i = 0; i < texts.size(); ++i) {
        // two folders with the same names in them, one name with a blank, PNG and JPEG
        const std::string name = (i % 2 ? "b c/" : "a/") + std::to_string(i / 2) + (i % 3 ? ".png" : ".jpg");
        writePicture(folder / name, 20 + int(i), 10);
        list.push_back({{"filename", name}, {"text", texts[i]}});
    }
    writeText(folder / "labels.json", list.dump());
}

Result<std::unique_ptr<Dataset>> openVerbatim(const fs::path& path, const RunConfig& given = {}) {
    RunConfig config = given;
    config.model.crnn.channels = 3;
    const DatasetConfig entry = path == "rendered-words" ? entryOf("", "", "rendered-words") : entryOf(path);
    return openDataset(entry, {config, TaskKind::Recognition, true, {}, true});
}

Result<Conversion> convert(const fs::path& from, const fs::path& to, const std::string& format,
                           ConversionOptions options = {}) {
    const auto source = openVerbatim(from);
    if (!source)
        return source.error();
    options.format = format;
    return convertWords(**source, from, to, options);
}

/// Transcripts and image files of a dataset, in order.
std::vector<std::pair<std::string, std::string>> contentsOf(const fs::path& path) {
    std::vector<std::pair<std::string, std::string>> contents;
    const auto opened = openVerbatim(path);
    for (std::int64_t i = 0; opened && i < (*opened)->size(); ++i)
        contents.emplace_back((*opened)->info(i).transcript, (*opened)->encodedImage(i).value_or("damaged"));
    return contents;
}

QStringList namesIn(const fs::path& folder) {
    return QDir(QString::fromStdString(folder.string()))
        .entryList(QDir::AllEntries | QDir::Hidden | QDir::NoDotAndDotDot, QDir::Name);
}

} // namespace

class tst_WordConversion : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void keepsEveryByte_data() {
        QTest::addColumn<QString>("format");
        QTest::addColumn<QString>("target");
        QTest::addColumn<QString>("labels");
        QTest::addColumn<bool>("holdsLineEnds");
        QTest::newRow("LMDB") << "lmdb"
                              << "out.lmdb"
                              << "" << true;
        QTest::newRow("TFRecord") << "tfrecord"
                                  << "out.tfrecord"
                                  << "" << true;
        QTest::newRow("ICDAR") << "icdar-words"
                               << "out"
                               << "" << false;
        QTest::newRow("tabs") << "folder+labels"
                              << "out"
                              << "labels.tsv" << false;
        QTest::newRow("text") << "folder+labels"
                              << "out"
                              << "labels.txt" << false;
        QTest::newRow("commas") << "folder+labels"
                                << "out"
                                << "labels.csv" << true;
        QTest::newRow("JSON lines") << "folder+labels"
                                    << "out"
                                    << "labels.jsonl" << true;
        QTest::newRow("MMOCR") << "folder+labels"
                               << "out"
                               << "labels.json" << true;
    }

    void keepsEveryByte() {
        QFETCH(QString, format);
        QFETCH(QString, target);
        QFETCH(QString, labels);
        QFETCH(bool, holdsLineEnds);
        const ScratchFolder folder;
        writeSource(folder / "in");
        const std::string before = stateOf(folder / "in");
        ConversionOptions options;
        if (!labels.isEmpty())
            options.labels = labels.toStdString();
        const auto done = convert(folder / "in", folder / target.toStdString(), format.toStdString(), options);
        VERIFY_RESULT(done);
        QCOMPARE(done->written, std::int64_t(kTexts.size()));
        const auto contents = contentsOf(folder / target.toStdString());
        QCOMPARE(contents.size(), kTexts.size());
        QCOMPARE(contents, contentsOf(folder / "in"));
        for (std::size_t i = 0; i < kTexts.size(); ++i)
            QCOMPARE(contents[i].first, kTexts[i]);
        const auto opened = openVerbatim(folder / target.toStdString());
        QCOMPARE((*opened)->format(), format.toStdString());
        QVERIFY((*opened)->problems().empty());
        QCOMPARE(stateOf(folder / "in"), before);
        QCOMPARE(namesIn(folder.path()), (QStringList{"in", target}));

        writeSource(folder / "lines", {"two\nlines", "x"});
        const auto more =
            convert(folder / "lines", folder / ("more-" + target.toStdString()), format.toStdString(), options);
        if (holdsLineEnds)
            QCOMPARE(contentsOf(folder / ("more-" + target.toStdString())).at(0).first, std::string("two\nlines"));
        else
            VERIFY_ERROR(more, "has a line end");
    }

    void goesRoundInACircle() {
        const ScratchFolder folder;
        writeSource(folder / "in");
        VERIFY_RESULT(convert(folder / "in", folder / "1.lmdb", "lmdb"));
        VERIFY_RESULT(convert(folder / "1.lmdb", folder / "2.tfrecord", "tfrecord"));
        VERIFY_RESULT(convert(folder / "2.tfrecord", folder / "3", "icdar-words"));
        VERIFY_RESULT(convert(folder / "3", folder / "4", "folder+labels"));
        QCOMPARE(contentsOf(folder / "4"), contentsOf(folder / "in"));
    }

    /// LMDB's own library finds what this one wrote.
    void lmdbReadsIt() {
        const ScratchFolder folder;
        writeSource(folder / "in");
        VERIFY_RESULT(convert(folder / "in", folder / "out", "lmdb"));
        QCOMPARE(namesIn(folder / "out"), QStringList{"data.mdb"});
        MDB_env* environment = nullptr;
        QCOMPARE(::mdb_env_create(&environment), 0);
        QCOMPARE(::mdb_env_open(environment, (folder / "out").c_str(), MDB_RDONLY | MDB_NOLOCK, 0), 0);
        MDB_txn* transaction = nullptr;
        QCOMPARE(::mdb_txn_begin(environment, nullptr, MDB_RDONLY, &transaction), 0);
        MDB_dbi database = 0;
        QCOMPARE(::mdb_dbi_open(transaction, nullptr, 0, &database), 0);
        const auto value = [&](std::string key) {
            MDB_val name{key.size(), key.data()}, data{};
            return ::mdb_get(transaction, database, &name, &data) == 0
                       ? std::string(static_cast<const char*>(data.mv_data), data.mv_size)
                       : std::string("missing");
        };
        QCOMPARE(value("num-samples"), std::string("7"));
        const auto contents = contentsOf(folder / "in");
        for (std::size_t i = 0; i < contents.size(); ++i) {
            QCOMPARE(value("label-00000000" + std::to_string(i + 1)), contents[i].first);
            QCOMPARE(value("image-00000000" + std::to_string(i + 1)), contents[i].second);
        }
        QCOMPARE(value("image-000000008"), std::string("missing"));
        ::mdb_txn_abort(transaction);
        ::mdb_env_close(environment);
    }

    void recordsHaveAstersFeatures() {
        const ScratchFolder folder;
        writeSource(folder / "in");
        VERIFY_RESULT(convert(folder / "in", folder / "out.tfrecord", "tfrecord"));
        auto reader = TfRecordReader::open(folder / "out.tfrecord");
        VERIFY_RESULT(reader);
        VERIFY_RESULT(reader->next());
        const auto second = reader->next();
        VERIFY_RESULT(second);
        const auto example = TfExample::parse(second->data);
        QVERIFY(example.has_value());
        const WordExample word = WordExample::of(*example);
        QCOMPARE(word.format, std::string_view("png"));
        QCOMPARE(word.filename, std::string_view("b c/0.png"));
        QCOMPARE(word.width, std::int64_t(21));
        QCOMPARE(word.height, std::int64_t(10));
        QCOMPARE(example->integer("image/channels"), std::int64_t(3));
        QCOMPARE(example->bytes("image/colorspace"), std::string_view("rgb"));
    }

    void replacesOnlyWhenTold() {
        const ScratchFolder folder;
        writeSource(folder / "in");
        writeSource(folder / "other", {"z"});
        for (const auto& [name, format] : kTargets) {
            const fs::path target = folder / name;
            VERIFY_RESULT(convert(folder / "other", target, format));
            VERIFY_ERROR(convert(folder / "in", target, format), "The target exists.");
            QCOMPARE(contentsOf(target).size(), std::size_t(1));
            ConversionOptions options;
            options.overwrites = true;
            VERIFY_RESULT(convert(folder / "in", target, format, options));
            QCOMPARE(contentsOf(target), contentsOf(folder / "in"));
        }
        QCOMPARE(namesIn(folder.path()), (QStringList{"in", "other", "out", "out.lmdb", "out.tfrecord"}));
    }

    /// Being told to overwrite is no leave to delete what is no such dataset.
    void replacesNothingElse() {
        const ScratchFolder folder;
        writeSource(folder / "in");
        ConversionOptions options;
        options.overwrites = true;
        writeText(folder / "home/thesis.tex", "years");
        VERIFY_ERROR(convert(folder / "in", folder / "home", "lmdb", options), "something else: thesis.tex");
        VERIFY_ERROR(convert(folder / "in", folder / "home", "tfrecord", options), "The target is no file.");
        VERIFY_ERROR(convert(folder / "in", folder / "home/thesis.tex", "lmdb", options), "The target is no folder.");
        fs::create_directory_symlink(folder / "home", folder / "link");
        VERIFY_ERROR(convert(folder / "in", folder / "link", "lmdb", options), "The target is no folder.");
        VERIFY_ERROR(convert(folder / "in", folder / "nowhere/out", "lmdb", options), "does not exist");
        QCOMPARE(*readFile(folder / "home/thesis.tex"), std::string("years"));
    }

    void writesNothingIntoItsSource() {
        const ScratchFolder folder;
        writeSource(folder / "in");
        ConversionOptions options;
        options.overwrites = true;
        for (const char* target : {"in", "in/out.lmdb", "in/a/../out", "."}) {
            VERIFY_ERROR(convert(folder / "in", folder / target, "lmdb", options), "lies in the dataset");
            VERIFY_ERROR(convert(folder / "in/labels.json", folder / target, "folder+labels", options), "lies in the");
        }
        VERIFY_RESULT(convert(folder / "in", folder / "out.tfrecord", "tfrecord"));
        VERIFY_ERROR(convert(folder / "out.tfrecord", folder / "out.tfrecord", "tfrecord", options), "lies in the");
        VERIFY_RESULT(convert(folder / "out.tfrecord", folder / "out.lmdb", "lmdb", options));
    }

    /// A conversion that fails half way leaves what was there, and nothing beside it.
    void appearsWholeOrNotAtAll() {
        const ScratchFolder folder;
        writeSource(folder / "in");
        writeSource(folder / "old", {"old"});
        for (const auto& [name, format] : kTargets) {
            const fs::path target = folder / name;
            ConversionOptions options;
            options.overwrites = true;
            options.progress = [&](std::int64_t done, std::int64_t) {
                if (done == 3)
                    options.cancellation.cancel();
            };
            VERIFY_ERROR(convert(folder / "in", target, format, options), "was stopped");
            QVERIFY(!fs::exists(target));
            VERIFY_RESULT(convert(folder / "old", target, format));
            VERIFY_ERROR(convert(folder / "in", target, format, options), "was stopped");
            QCOMPARE(contentsOf(target).at(0).first, std::string("old"));
        }
        QCOMPARE(namesIn(folder.path()), (QStringList{"in", "old", "out", "out.lmdb", "out.tfrecord"}));
    }

    void leavesOutWhatIsDamaged() {
        const ScratchFolder folder;
        writeSource(folder / "in");
        writeText(folder / "in/b c/0.png", readFile(folder / "in/b c/0.png")->substr(0, 60));
        const auto done = convert(folder / "in", folder / "out", "folder+labels");
        VERIFY_RESULT(done);
        QCOMPARE(done->written, std::int64_t(kTexts.size() - 1));
        QCOMPARE(done->problems.size(), std::size_t(1));
        QCOMPARE(done->problems[0].sample, std::string("b c/0.png"));
        ConversionOptions strict;
        strict.stopsOnDamage = true;
        VERIFY_ERROR(convert(folder / "in", folder / "strict", "folder+labels", strict), "b c/0.png");
        QVERIFY(!fs::exists(folder / "strict"));
    }

    /// Words of a photo become pictures of their own, with the pixels that they were read with.
    void cutsWordsOut() {
        const ScratchFolder folder;
        writePicture(folder / "in/img_1.png", 60, 40);
        writeText(folder / "in/gt_img_1.txt",
                  "3,4,12,4,12,9,3,9,one\n1,1,5,1,5,5,1,5,###\n20,20,29,20,29,39,20,39,two\n");
        VERIFY_RESULT(convert(folder / "in", folder / "out.tfrecord", "tfrecord"));
        const auto opened = openVerbatim(folder / "out.tfrecord");
        VERIFY_RESULT(opened);
        QCOMPARE((*opened)->size(), 2);
        QCOMPARE((*opened)->info(1).id, std::string("img_1.png#3"));
        QCOMPARE((*opened)->sample(1)->image.width, 10);
        QCOMPARE((*opened)->sample(1)->image.height, 20);
        QCOMPARE((*opened)->sample(0)->image.pixels, (*openVerbatim(folder / "in"))->sample(0)->image.pixels);
    }

    void drawsAsManyWordsAsAsked() {
        const ScratchFolder folder;
        VERIFY_ERROR(convert("rendered-words", folder / "out.lmdb", "lmdb"), "--count");
        RunConfig config;
        config.model.crnn.channels = 3;
        const auto source = openVerbatim("rendered-words", config);
        VERIFY_RESULT(source);
        ConversionOptions options;
        options.format = "lmdb";
        options.count = 4;
        VERIFY_RESULT(convertWords(**source, "", folder / "out.lmdb", options));
        const auto opened = openVerbatim(folder / "out.lmdb");
        VERIFY_RESULT(opened);
        QCOMPARE((*opened)->size(), 4);
        for (int i = 0; i < 4; ++i) {
            const auto drawn = (*source)->sample(i);
            VERIFY_RESULT(drawn);
            QCOMPARE((*opened)->info(i).transcript, drawn->info.transcript);
            QCOMPARE((*opened)->sample(i)->image.pixels, drawn->image.pixels);
        }
    }
};

QTEST_GUILESS_MAIN(tst_WordConversion)
#include "tst_WordConversion.moc"
