#include "tests/core/data/Worlds.h"

using namespace trainyard;
using namespace trainyard::testing;

namespace {

std::string xml(const std::string& objects,
                const std::string& size = "<size><width>40</width><height>20</height></size>") {
    return "<annotation>" + size + objects + "<filename>other.jpg</filename></annotation>";
}

struct World {
    ScratchFolder folder;
    World() {
        // children in any order, decimals, self-closed and missing difficult
        writeText(folder / "Annotations/a.xml",
                  xml("<object><bndbox><ymax>12.5</ymax><xmax>10</xmax><xmin>1</xmin><ymin>3</ymin></bndbox>"
                      "<difficult/><name>dog</name></object>"
                      "<object><name>cat</name><difficult>1</difficult>"
                      "<bndbox><xmin>5</xmin><ymin>5</ymin><xmax>5</xmax><ymax>5</ymax></bndbox></object>"));
        writeText(folder / "Annotations/b c.xml",
                  xml("<object><name>dog</name><difficult>1</difficult>"
                      "<bndbox><xmin>2</xmin><ymin>2</ymin><xmax>4</xmax><ymax>4</ymax></bndbox></object>",
                      ""));
        writePicture(folder / "JPEGImages/a.png");
        writePicture(folder / "JPEGImages/b c.png");
        writeText(folder / "ImageSets/Main/train.txt", "a\r\nmissing\r\n");
        writeText(folder / "ImageSets/Main/test.txt", "b c");
        writeText(folder / "ImageSets/Main/dog_train.txt", "a  1\nb c -1\n");
    }
};

} // namespace

class tst_VocDataset : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void countsPixelsFromOne() {
        const World world;
        const auto opened = open(entryOf(world.folder.path(), "train"), TaskKind::Detection);
        VERIFY_RESULT(opened);
        const Dataset& data = **opened;
        QCOMPARE(data.format(), std::string("voc"));
        QCOMPARE(data.size(), 1);
        QCOMPARE(data.classes(), (std::vector<std::string>{"cat", "dog"}));
        const SampleInfo info = data.info(0);
        QCOMPARE(info.id, std::string("a.png"));
        QCOMPARE(info.objects.size(), std::size_t(1));
        QVERIFY((info.objects[0].box == Box{0, 2, 10, 12.5f})); // xmin 1 is the first pixel, xmax 10 the tenth
        QVERIFY(!info.objects[0].isDifficult);
        QVERIFY(hasProblem(data, "a.png", "Annotation 2 has a box without area"));
        QVERIFY(hasProblem(data, "missing", "no annotation file"));
        VERIFY_RESULT(data.sample(0));
    }

    void takesPartsAndAll() {
        const World world;
        const auto path = world.folder.path();
        QCOMPARE((*open(entryOf(path, "test"), TaskKind::Detection))->info(0).id, std::string("b c.png"));
        QVERIFY((*open(entryOf(path, "test"), TaskKind::Detection))->info(0).objects[0].isDifficult);
        QCOMPARE((*open(entryOf(path, "dog_train"), TaskKind::Detection))->size(), 2);
        QCOMPARE((*open(entryOf(path, "all"), TaskKind::Detection))->size(), 2);
        const auto training = open(entryOf(path), TaskKind::Detection);
        QCOMPARE((*training)->info(0).id, std::string("a.png"));
        QVERIFY(hasProblem(**training, "", "Took the part \"train\""));
        QCOMPARE((*open(entryOf(path), TaskKind::Detection, {}, false))->info(0).id, std::string("b c.png"));
        VERIFY_ERROR(open(entryOf(path, "val"), TaskKind::Detection), "test, train, all");
    }

    void namesTheFileOfMalformedXml() {
        World world;
        writeText(world.folder / "Annotations/bad.xml", "<annotation>\n<object>\n</annotation>");
        const auto opened = open(entryOf(world.folder.path(), "train"), TaskKind::Detection);
        VERIFY_ERROR(opened, "bad.xml");
        VERIFY_ERROR(opened, "line 3");
    }

    void stopsAtABoxWithoutAreaWhenTold() {
        const World world;
        RunConfig config;
        config.data.onZeroArea = "stop";
        const auto opened = open(entryOf(world.folder.path(), "train"), TaskKind::Detection, config);
        VERIFY_ERROR(opened, "a.xml");
        VERIFY_ERROR(opened, "data.on_zero_area");
    }

    void readsBloodCells_data() {
        QTest::addColumn<QString>("part");
        QTest::addColumn<int>("images");
        QTest::newRow("train") << "train" << 205;
        QTest::newRow("val") << "val" << 87;
        QTest::newRow("trainval") << "trainval" << 292;
        QTest::newRow("test") << "test" << 72;
        QTest::newRow("all") << "all" << 364;
        QTest::newRow("nothing said: trainval") << "" << 292;
    }

    void readsBloodCells() {
        NEED_SHARED_DATA(data, "bccd_voc");
        QFETCH(QString, part);
        QFETCH(int, images);
        const auto opened = open(entryOf(data, part.toStdString()), TaskKind::Detection);
        VERIFY_RESULT(opened);
        QCOMPARE((*opened)->size(), images);
        QCOMPARE((*opened)->classes(), (std::vector<std::string>{"Platelets", "RBC", "WBC"}));
    }

    void findsTheBloodCellsWithoutArea() {
        NEED_SHARED_DATA(data, "bccd_voc");
        const auto opened = open(entryOf(data, "all"), TaskKind::Detection);
        VERIFY_RESULT(opened);
        QVERIFY(hasProblem(**opened, "BloodImage_00338.jpg", "without area"));
        QVERIFY(hasProblem(**opened, "BloodImage_00343.jpg", "without area"));
        QCOMPARE(countProblems(**opened, "without area"), 2);
        int counts[3] = {0, 0, 0};
        for (std::int64_t i = 0; i < (*opened)->size(); ++i)
            for (const auto& object : (*opened)->info(i).objects)
                ++counts[object.label];
        QCOMPARE(counts[0], 361);
        QCOMPARE(counts[1] + counts[2], 4155 + 372 - 2);
        VERIFY_RESULT((*opened)->sample(0));
    }
};

QTEST_GUILESS_MAIN(tst_VocDataset)
#include "tst_VocDataset.moc"
