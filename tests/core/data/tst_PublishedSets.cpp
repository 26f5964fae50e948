#include "core/data/MatFile.h"
#include "core/data/PublishedSets.h"
#include "core/data/WordConversion.h"
#include "tests/core/data/Worlds.h"

#include <cmath>

using namespace trainyard;
using namespace trainyard::testing;

namespace {

namespace fs = std::filesystem;

/// A temporary folder with sets in the layouts in which they are published.
struct World {
    QTemporaryDir folder;
    fs::path path = folder.path().toStdString();

    fs::path iiit5k() const {
        fs::create_directories(path / "iiit5k");
        fs::copy_file(testData("text/iiit5k_train.mat"), path / "iiit5k/traindata.mat");
        fs::copy_file(testData("text/iiit5k_test.mat"), path / "iiit5k/testdata.mat");
        for (const char* name : {"train/1_1.png", "train/2_1.png", "test/1_1.png", "test/2_1.png"})
            writePicture(path / "iiit5k" / name);
        return path / "iiit5k";
    }
    fs::path svt() const {
        writeText(
            path / "svt/test.xml",
            "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<tagset>\n <image>\n  <imageName>img/00_01.jpg</imageName>\n"
            "  <address>1 Main Street</address>\n  <lex>LIVING,ROOM,THEATERS</lex>\n"
            "  <Resolution x=\"120\" y=\"80\"/>\n  <taggedRectangles>\n"
            "   <taggedRectangle height=\"20\" width=\"50\" x=\"10\" y=\"30\"><tag>LIVING</tag></taggedRectangle>\n"
            "   <taggedRectangle height=\"10\" width=\"40\" x=\"70\" y=\"0\"><tag>ROOM</tag></taggedRectangle>\n"
            "  </taggedRectangles>\n </image>\n</tagset>\n");
        writePicture(path / "svt/img/00_01.jpg", 120, 80);
        return path / "svt";
    }
    fs::path ic03() const {
        writeText(path / "ic03/words.xml",
                  "<tagset><image><imageName>scene/a.jpg</imageName><resolution x=\"100\" y=\"60\"/><taggedRectangles>"
                  "<taggedRectangle x=\"10.0\" y=\"5.0\" width=\"40.0\" height=\"10.0\" offset=\"0\"><tag>Shop</tag>"
                  "<segmentation><xOff>1</xOff></segmentation></taggedRectangle>"
                  "<taggedRectangle x=\"60.0\" y=\"5.0\" width=\"20.0\" height=\"10.0\"><tag>of</tag></taggedRectangle>"
                  "<taggedRectangle x=\"60.0\" y=\"25.0\" width=\"20.0\" height=\"10.0\"><tag>B&amp;B</tag>"
                  "</taggedRectangle></taggedRectangles></image></tagset>");
        writePicture(path / "ic03/scene/a.jpg", 100, 60);
        return path / "ic03";
    }
    fs::path ic13() const {
        writeText(path / "ic13/gt/gt_img_1.txt", "10, 5, 49, 14, \"Shop\"\n60, 5, 79, 14, \"5%\"\n");
        writePicture(path / "ic13/images/img_1.jpg", 100, 60);
        return path / "ic13";
    }
    fs::path ic15() const {
        writeText(path / "ic15/gt_img_1.txt", "\xEF\xBB\xBF"
                                              "10,5,49,5,49,14,10,14,Shop\r\n60,5,79,5,79,14,60,14,###\r\n");
        writePicture(path / "ic15/img_1.jpg", 100, 60);
        return path / "ic15";
    }
    fs::path svtp() const {
        writeText(path / "svtp/imagelist.txt", "img/1.jpg CAFE 3 CAFE,BAR,INN\nimg/2.jpg inn 2 INN,BAR\n");
        writePicture(path / "svtp/img/1.jpg");
        writePicture(path / "svtp/img/2.jpg");
        return path / "svtp";
    }
    fs::path synth90k() const {
        writeText(path / "synth90k/annotation.txt", "./1/2/3_Lube_45.jpg 45\n./1/2/4_slinking_71.jpg 71\n");
        writePicture(path / "synth90k/1/2/3_Lube_45.jpg");
        writePicture(path / "synth90k/1/2/4_slinking_71.jpg");
        return path / "synth90k";
    }
    fs::path synthText() const {
        fs::create_directories(path / "synthtext");
        fs::copy_file(testData("text/synthtext.mat"), path / "synthtext/gt.mat");
        writePicture(path / "synthtext/8/a.jpg", 140, 80);
        writePicture(path / "synthtext/8/b.jpg", 140, 80);
        return path / "synthtext";
    }
};

std::vector<std::string> transcriptsOf(const Dataset& dataset) {
    std::vector<std::string> transcripts;
    for (std::int64_t i = 0; i < dataset.size(); ++i)
        transcripts.push_back(dataset.info(i).transcript);
    return transcripts;
}

Result<std::unique_ptr<Dataset>> openVerbatim(const DatasetConfig& entry, bool isForTraining = false) {
    RunConfig config;
    config.model.crnn.channels = 3;
    return openDataset(entry, {config, TaskKind::Recognition, isForTraining, {}, true});
}

using Texts = std::vector<std::string>;

} // namespace

class tst_PublishedSets : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void formatsAreFoundByLooking() {
        const World world;
        QCOMPARE(findFormat(world.iiit5k().string()).value(), std::string("iiit5k"));
        QCOMPARE(findFormat(world.svt().string()).value(), std::string("tagged-words"));
        QCOMPARE(findFormat(world.ic03().string()).value(), std::string("tagged-words"));
        QCOMPARE(findFormat(world.ic13().string()).value(), std::string("icdar-photos"));
        QCOMPARE(findFormat(world.svtp().string()).value(), std::string("image-list"));
        QCOMPARE(findFormat(world.synthText().string()).value(), std::string("synthtext"));
    }

    void iiit5kHasTwoLexicons_data() {
        QTest::addColumn<QString>("part");
        QTest::addColumn<int>("words");
        QTest::newRow("test") << "test" << 2;
        QTest::newRow("test-1k") << "test-1k" << 3;
    }
    void iiit5kHasTwoLexicons() {
        QFETCH(QString, part);
        QFETCH(int, words);
        const World world;
        const auto dataset = openVerbatim(entryOf(world.iiit5k(), part.toStdString())).value();
        QCOMPARE(transcriptsOf(*dataset), (Texts{"SALON", "CAFÉ"}));
        QCOMPARE(dataset->info(0).lexicon.size(), std::size_t(words));
        QCOMPARE(dataset->info(1).lexicon[words == 2 ? 0 : 1], std::string("CAFÉ"));
    }

    void iiit5kHasATrainingPart() {
        const World world;
        const auto dataset = openVerbatim(entryOf(world.iiit5k()), true).value();
        QCOMPARE(transcriptsOf(*dataset), (Texts{"ROAD", "7UP"}));
        VERIFY_ERROR(openVerbatim(entryOf(world.path / "iiit5k", "test-50")), "IIIT5K has no part \"test-50\".");
    }

    // 20 high with a margin of 0.05: one pixel on each side; at the upper edge there is none above.
    void svtWordsAreCutWithTheirMargin() {
        const World world;
        DatasetConfig entry = entryOf(world.svt());
        entry.margin = 0.05;
        const auto dataset = openVerbatim(entry).value();
        QCOMPARE(transcriptsOf(*dataset), (Texts{"LIVING", "ROOM"}));
        QCOMPARE(dataset->info(0).lexicon, (Texts{"LIVING", "ROOM", "THEATERS"}));
        const auto first = dataset->sample(0).value();
        QCOMPARE(first.image.width, 52);
        QCOMPARE(first.image.height, 22);
        entry.margin = 0;
        QCOMPARE(openVerbatim(entry).value()->sample(0).value().image.width, 50);
    }

    void wordsThatDoNotMatchAreLeftOut_data() {
        QTest::addColumn<QString>("set");
        QTest::addColumn<QString>("matching");
        QTest::addColumn<QStringList>("words");
        QTest::newRow("ICDAR 2003, all") << "ic03"
                                         << "" << QStringList{"Shop", "of", "B&B"};
        QTest::newRow("ICDAR 2003, as published") << "ic03"
                                                  << "\\w{3,}" << QStringList{"Shop"};
        QTest::newRow("ICDAR 2013, as published") << "ic13"
                                                  << "\\w+" << QStringList{"Shop"};
        QTest::newRow("ICDAR 2015") << "ic15"
                                    << "" << QStringList{"Shop"}; // the other is marked unreadable
    }
    void wordsThatDoNotMatchAreLeftOut() {
        QFETCH(QString, set);
        QFETCH(QString, matching);
        QFETCH(QStringList, words);
        const World world;
        DatasetConfig entry = entryOf(set == "ic03" ? world.ic03() : set == "ic13" ? world.ic13() : world.ic15());
        entry.matching = matching.toStdString();
        const auto dataset = openVerbatim(entry).value();
        QStringList found;
        for (const std::string& transcript : transcriptsOf(*dataset))
            found += QString::fromStdString(transcript);
        QCOMPARE(found, words);
        entry.matching = "(";
        QVERIFY(!openVerbatim(entry).has_value());
    }

    void listsHaveLexicons() {
        const World world;
        const auto dataset = openVerbatim(entryOf(world.svtp())).value();
        QCOMPARE(transcriptsOf(*dataset), (Texts{"CAFE", "inn"}));
        QCOMPARE(dataset->info(1).lexicon, (Texts{"INN", "BAR"}));
        QCOMPARE(dataset->info(0).id, std::string("img/1.jpg"));
    }

    void synth90kIsReadByItsNames() {
        const World world;
        DatasetConfig entry = entryOf(world.synth90k() / "annotation.txt");
        QCOMPARE(transcriptsOf(*openVerbatim(entry).value()), (Texts{"Lube", "slinking"}));
    }

    // The characters stand under y = 20 + 0.004 (x - 60)²: so do the upper points of every outline of three letters or
    // more; those of "to" lie on it too, since two letters have four corners there.
    void synthTextWordsHaveOutlines() {
        const World world;
        const auto dataset = openVerbatim(entryOf(world.synthText())).value();
        QCOMPARE(transcriptsOf(*dataset), (Texts{"to", "bee", "x", "hi"}));
        const auto info = dataset->info(1);
        const auto& outline = info.objects.at(0).polygons.at(0);
        QCOMPARE(outline.size(), std::size_t(128));
        QVERIFY(std::abs(outline[0].x - 50) < 1e-3F && std::abs(outline[63].x - 80) < 1e-3F);
        for (std::size_t i = 0; i < 64; ++i) {
            const double away = double(outline[i].x) - 60;
            QVERIFY(std::abs(double(outline[i].y) - (20 + 0.004 * away * away)) < 1e-3);
            QVERIFY(std::abs(outline[127 - i].y - outline[i].y - 10) < 1e-3F); // the lower edge runs back
        }
        // 30 wide and 11.6 high (20 … 31.6): a tenth of the root of the area is 1.865 on each side
        const auto sample = dataset->sample(1).value();
        QCOMPARE(sample.image.width, 35);                                  // 48.135 … 81.865: pixels 48 to 82
        QCOMPARE(sample.image.height, 16);                                 // 18.135 … 33.465: pixels 18 to 33
        QVERIFY(std::abs(sample.objects[0].polygons[0][0].x - 2) < 1e-3F); // 50 - 48
    }

    void setsBecomeTfRecordsWithAllTheyHave_data() {
        QTest::addColumn<QString>("set");
        QTest::addColumn<int>("count");
        QTest::addColumn<int>("lexicon"); // of the first word
        QTest::addColumn<int>("points");
        QTest::newRow("iiit5k") << "iiit5k" << 2 << 2 << 0;
        QTest::newRow("svt") << "svt" << 2 << 3 << 0;
        QTest::newRow("ic03") << "ic03" << 3 << 0 << 0;
        QTest::newRow("ic13") << "ic13" << 2 << 0 << 0;
        QTest::newRow("ic15") << "ic15" << 1 << 0 << 0;
        QTest::newRow("svtp") << "svtp" << 2 << 3 << 0;
        QTest::newRow("synthtext") << "synthtext" << 4 << 0 << 128;
    }
    void setsBecomeTfRecordsWithAllTheyHave() {
        QFETCH(QString, set);
        QFETCH(int, count);
        QFETCH(int, lexicon);
        QFETCH(int, points);
        const World world;
        const fs::path from = set == "iiit5k" ? world.iiit5k()
                              : set == "svt"  ? world.svt()
                              : set == "ic03" ? world.ic03()
                              : set == "ic13" ? world.ic13()
                              : set == "ic15" ? world.ic15()
                              : set == "svtp" ? world.svtp()
                                              : world.synthText();
        const auto source = openVerbatim(entryOf(from)).value();
        ConversionOptions options;
        options.format = "tfrecord";
        const fs::path to = world.path / "out.tfrecord";
        QCOMPARE(convertWords(*source, from, to, options).value().written, std::int64_t(count));
        const auto target = openVerbatim(entryOf(to)).value();
        QCOMPARE(transcriptsOf(*target), transcriptsOf(*source));
        QCOMPARE(target->info(0).lexicon, source->info(0).lexicon);
        QCOMPARE(int(target->info(0).lexicon.size()), lexicon);
        const auto was = source->sample(0).value(), is = target->sample(0).value();
        QCOMPARE(is.image.width, was.image.width);
        QCOMPARE(is.objects.empty() ? 0 : int(is.objects[0].polygons[0].size()), points);
        for (int i = 0; i < points; ++i)
            QCOMPARE(is.objects[0].polygons[0][std::size_t(i)], was.objects[0].polygons[0][std::size_t(i)]);
    }

    void lexiconsTravelInJsonLines() {
        const World world;
        const auto source = openVerbatim(entryOf(world.svtp())).value();
        ConversionOptions options;
        options.format = "folder+labels";
        options.labels = "labels.jsonl";
        QVERIFY(convertWords(*source, world.path / "svtp", world.path / "out", options).has_value());
        QCOMPARE(openVerbatim(entryOf(world.path / "out")).value()->info(0).lexicon, (Texts{"CAFE", "BAR", "INN"}));
    }

    void damagedFilesAreSentences() {
        const World world;
        const fs::path folder = world.iiit5k();
        const auto whole = readFile(folder / "testdata.mat").value();
        writeText(folder / "testdata.mat", "no MATLAB file");
        VERIFY_ERROR(openVerbatim(entryOf(folder)), "The file is no MATLAB file, or it is damaged.");
        writeText(folder / "testdata.mat", whole.substr(0, 200));
        VERIFY_ERROR(openVerbatim(entryOf(folder)), "Copy it again from where it is published."); // cut off
        writeText(world.path / "svt/test.xml", "<tagset><image>");
        VERIFY_ERROR(openVerbatim(entryOf(world.path / "svt", "", "tagged-words")), "The file is no XML");
        writeText(world.path / "list/imagelist.txt", "a.jpg\n");
        VERIFY_ERROR(openVerbatim(entryOf(world.path / "list")), "Line 1 has no word.");
    }
};

QTEST_GUILESS_MAIN(tst_PublishedSets)
#include "tst_PublishedSets.moc"
