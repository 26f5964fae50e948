#include "core/data/Inspection.h"
#include "core/data/KeypointPairs.h"
#include "core/data/YoloFiles.h"
#include "tests/core/data/Worlds.h"

using namespace trainyard;
using namespace trainyard::testing;

namespace fs = std::filesystem;

namespace {

/// images/train and labels/train with data.yaml; pictures of 40 × 20 pixels.
struct World {
    ScratchFolder folder;
    World() {
        writeText(folder / "data.yaml",
                  "path: .\ntrain: images/train\nval: [images/val]\nnames:\n  0: cat\n  2: dog\n  1: ape\n");
        writePicture(folder / "images/train/a.png");
        writePicture(folder / "images/train/b.png");
        writePicture(folder / "images/val/c.png");
        writeText(folder / "labels/train/a.txt", "0 0.5 0.5 0.5 0.5\n2 0.25 0.5 0.1 0.2\n");
        writeText(folder / "labels/val/c.txt", "");
    }
    Result<std::unique_ptr<Dataset>> open(const std::string& part = "", bool isForTraining = true) const {
        return testing::open(entryOf(folder.path(), part), TaskKind::Detection, {}, isForTraining);
    }
    /// The same with one label file.
    Result<std::unique_ptr<Dataset>> withLabels(const std::string& text) const {
        writeText(folder / "labels/train/a.txt", text);
        return open();
    }
};

} // namespace

class tst_YoloDataset : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void readsBoxesAsSharesOfThePicture() {
        const World world;
        const auto opened = world.open();
        VERIFY_RESULT(opened);
        const Dataset& data = **opened;
        QCOMPARE(data.format(), std::string("yolo"));
        QCOMPARE(data.size(), 2);
        QCOMPARE(data.classes(), (std::vector<std::string>{"cat", "ape", "dog"}));
        QCOMPARE(data.categoryIds(), (std::vector<std::int64_t>{0, 1, 2}));
        const SampleInfo info = data.info(0);
        QCOMPARE(info.id, std::string("images/train/a.png"));
        QCOMPARE(info.width, 40);
        QCOMPARE(info.objects.size(), std::size_t(2));
        QVERIFY((info.objects[0].box == Box{10, 5, 30, 15})); // centre 20 10, size 20 10
        QCOMPARE(info.objects[1].label, 2);
        QCOMPARE(data.info(1).objects.size(), std::size_t(0)); // without a label file
        QCOMPARE(countProblems(data, "1 images have no label file"), 1);
        VERIFY_RESULT(data.sample(0));
        QCOMPARE((*world.open("", false))->info(0).id, std::string("images/val/c.png"));
        QCOMPARE((*world.open("valid"))->size(), 1);
        QCOMPARE((*world.open("all"))->size(), 3);
        VERIFY_ERROR(world.open("test"), "train, val, all");
    }

    void readsLinesOfAnyEnding_data() {
        QTest::addColumn<QString>("ending");
        QTest::newRow("LF") << "\n";
        QTest::newRow("CRLF") << "\r\n";
        QTest::newRow("CR") << "\r";
    }
    void readsLinesOfAnyEnding() {
        QFETCH(QString, ending);
        const World world;
        const auto end = ending.toStdString();
        const auto data = world.withLabels("0 0.5 0.5 0.5 0.5" + end + "1 0.5 0.5 0.2 0.2" + end);
        VERIFY_RESULT(data);
        QCOMPARE((*data)->info(0).objects.size(), std::size_t(2));
        QCOMPARE((*data)->info(0).objects[1].id, 2); // its line
        QCOMPARE(countProblems(**data, "Annotation"), 0);
    }

    void namesWhatIsWrongByFileAndLine() {
        const World world;
        writeText(world.folder / "labels/train/gone.txt", "0 0.5 0.5 0.1 0.1\n");
        writeText(world.folder / "labels/train/classes.txt", "cat\n");
        const auto opened =
            world.withLabels("9 0.5 0.5 0.1 0.1\n0 0.5 0.5\n0 0.5 0.5 0 0.1\n0 0.9 0.5 0.6 0.1\n"
                             "0 a b c d\n0 0.5 0.5 0.1 0.1 0.2\n1 0.5 0.5 0.1 0.1\n1 0.5 0.5 0.1 0.1\n");
        VERIFY_RESULT(opened);
        const Dataset& data = **opened;
        const std::string a = "images/train/a.png", file = (world.folder / "labels/train/a.txt").string();
        QVERIFY(hasProblem(data, a, "Annotation 1 has the unknown class 9"));
        QVERIFY(hasProblem(data, a, "Annotation 2 is not a class and four or more numbers"));
        QVERIFY(hasProblem(data, a, "Annotation 3 has a box without area"));
        QVERIFY(hasProblem(data, a, "Annotation 4 leaves the image"));
        QVERIFY(hasProblem(data, a, "Annotation 5 is not a class"));
        QVERIFY(hasProblem(data, a, "Annotation 6 has 6 numbers"));
        QVERIFY(hasProblem(data, a, "Annotation 8 repeats annotation 7"));
        QVERIFY(hasProblem(data, "gone", "The image of this label file is missing."));
        QCOMPARE(data.info(0).objects.size(), std::size_t(3));
        for (const DataProblem& problem : data.problems())
            if (problem.sample == a)
                QCOMPARE(problem.file, file);
        QCOMPARE(inspectDataset(data).errors(), 1);
    }

    void readsOutlines() {
        const World world;
        const auto data = world.withLabels("1 0.25 0.5 0.75 0.5 0.75 0.9\n");
        VERIFY_RESULT(data);
        const ObjectAnnotation object = (*data)->info(0).objects.at(0);
        QVERIFY((object.box == Box{10, 10, 30, 18}));
        QCOMPARE(object.polygons.at(0).size(), std::size_t(3));
        QCOMPARE(object.area, 80.0); // half of 20 times 8
    }

    void readsKeypoints() {
        const World world;
        writeText(world.folder / "data.yaml",
                  "train: images/train\nnames: [cat, ape]\nkpt_shape: [3, 3]\nflip_idx: [0, 2, 1]\n");
        const auto data = world.withLabels("1 0.5 0.5 0.5 0.5 0.25 0.5 2 0.5 0.5 1 0 0 0\n");
        VERIFY_RESULT(data);
        const ObjectAnnotation object = (*data)->info(0).objects.at(0);
        QCOMPARE(object.keypoints.size(), std::size_t(3));
        QCOMPARE(object.keypoints[0].at.x, 10.f);
        QCOMPARE(object.keypoints[1].visibility, 1);
        QCOMPARE(object.keypoints[2].visibility, 0);
        QVERIFY(*(*data)->sample(0)->keypointPairs == (KeypointPairs{{1, 2}}));
        const auto boxAlone = world.withLabels("1 0.5 0.5 0.5 0.5\n");
        QVERIFY(hasProblem(**boxAlone, "images/train/a.png", "Annotation 1 has 5 numbers"));
    }

    /// Folders without data.yaml, either way round, and Roboflow's paths that leave the folder.
    void findsPartsInEitherOrder() {
        const ScratchFolder folder;
        writeText(folder / "classes.txt", "cat\nape\n");
        writePicture(folder / "train/images/a.png");
        writeText(folder / "train/labels/a.txt", "1 0.5 0.5 0.5 0.5");
        writePicture(folder / "valid/images/b.png");
        writeText(folder / "valid/labels/b.txt", "0 0.5 0.5 0.5 0.5");
        QCOMPARE(*findFormat(folder.path().string()), std::string("yolo"));
        const auto train = open(entryOf(folder.path()), TaskKind::Detection);
        VERIFY_RESULT(train);
        QCOMPARE((*train)->info(0).id, std::string("train/images/a.png"));
        QCOMPARE((*train)->info(0).objects.at(0).label, 1);
        QCOMPARE((*open(entryOf(folder.path(), "val"), TaskKind::Detection))->info(0).id,
                 std::string("valid/images/b.png"));
        writeText(folder / "data.yaml", "train: ../train/images\nval: ../valid/images\nnames: ['one', 'two']\n");
        const auto exported = open(entryOf(folder / "data.yaml"), TaskKind::Detection, {}, false);
        VERIFY_RESULT(exported);
        QCOMPARE((*exported)->size(), 1);
        QCOMPARE((*exported)->classes(), (std::vector<std::string>{"one", "two"}));
    }

    void readsListsOfImages() {
        const World world;
        writeText(world.folder / "train.txt", "./images/train/b.png\nimages/train/lost.png\n");
        writeText(world.folder / "data.yaml", "train: train.txt\nnames: [cat]\n");
        const auto data = world.open();
        VERIFY_RESULT(data);
        QCOMPARE((*data)->size(), 1);
        QCOMPARE((*data)->info(0).id, std::string("images/train/b.png"));
        QVERIFY(hasProblem(**data, "images/train/lost.png", "The image file is missing."));
    }

    void saysWhatIsMissing() {
        const World world;
        writeText(world.folder / "data.yaml", "train: images/train\nnames: []\n");
        VERIFY_ERROR(world.open(), "names no classes");
        writeText(world.folder / "data.yaml", "train: nowhere\nnames: [cat]\n");
        VERIFY_ERROR(world.open(), "nowhere");
        writeText(world.folder / "data.yaml", "train: images/train\nnames: {cat: 0}\n");
        VERIFY_ERROR(world.open(), "data.yaml:2:");
        QCOMPARE(yoloLabelFile("/x/images/y/images/z/a.jpg"), fs::path("/x/images/y/labels/z/a.txt"));
        QCOMPARE(yoloLabelFile("/x/y/a.jpg"), fs::path("/x/y/a.txt"));
    }
};

QTEST_GUILESS_MAIN(tst_YoloDataset)
#include "tst_YoloDataset.moc"
