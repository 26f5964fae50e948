#include "tests/core/data/Worlds.h"

using namespace trainyard;
using namespace trainyard::testing;

namespace {

/// Two images, categories 7 and 3 (in this order), one of each kind of annotation.
const char* const kWorld = R"({
  "images": [{"id": 10, "file_name": "a.png", "width": 40, "height": 20},
             {"id": "twenty", "file_name": "b.png", "width": 40, "height": 20}],
  "categories": [{"id": 7, "name": "cat"}, {"id": 3, "name": "ape"}],
  "annotations": [
    {"id": 1, "image_id": 10, "category_id": 7, "bbox": [1, 2, 10, 5], "area": 42.5, "iscrowd": 0,
     "segmentation": [[1, 2, 11, 2, 11, 7, 1, 7]], "keypoints": [3, 4, 2, 0, 0, 0]},
    {"id": 2, "image_id": 10, "category_id": 3, "bbox": [5, 5, 0, 3], "area": 0},
    {"id": 3, "image_id": 10, "category_id": 3, "bbox": [30, 10, 20, 30], "area": 600},
    {"id": 4, "image_id": "twenty", "category_id": 3, "bbox": [0, 0, 4, 4], "iscrowd": 1,
     "segmentation": {"size": [20, 40], "counts": [0, 4, 796]}},
    {"id": 5, "image_id": "twenty", "category_id": 3, "bbox": [2, 2, 4, 4], "area": -1,
     "segmentation": [[2, 2, 6, 2, 6, 6, 2, 6]]},
    {"id": 6, "image_id": "twenty", "category_id": 3, "bbox": [2, 2, 4, 4]},
    {"id": 7, "image_id": 99, "category_id": 3, "bbox": [2, 2, 4, 4]},
    {"id": 8, "image_id": 10, "category_id": 99, "bbox": [2, 2, 4, 4]},
    {"id": 10, "image_id": 10, "category_id": 3, "bbox": [2, 2, 4, 4], "iscrowd": 1,
     "segmentation": {"size": [30, 40], "counts": [0, 4, 1196]}},
    {"id": 9, "image_id": 10, "category_id": 3, "bbox": [2, 2, "x", 4]}
  ]})";

struct World {
    ScratchFolder folder;
    World(const std::string& json = kWorld) {
        writeText(folder / "annotations/instances_train.json", json);
        writePicture(folder / "train/a.png");
        writePicture(folder / "train/b.png");
    }
};

} // namespace

class tst_CocoDataset : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void readsAllKindsOfAnnotations() {
        const World world;
        const auto opened = open(entryOf(world.folder.path()), TaskKind::Detection);
        VERIFY_RESULT(opened);
        const Dataset& data = **opened;
        QCOMPARE(data.format(), std::string("coco"));
        QCOMPARE(data.size(), 2);
        QCOMPARE(data.classes(), (std::vector<std::string>{"ape", "cat"})); // by rising id
        QCOMPARE(data.categoryIds(), (std::vector<std::int64_t>{3, 7}));
        const SampleInfo a = data.info(0), b = data.info(1);
        QCOMPARE(a.imageId, 10);
        QCOMPARE(a.id, std::string("a.png"));
        QCOMPARE(a.objects.size(), std::size_t(2));
        QCOMPARE(a.objects[0].label, 1);
        QVERIFY((a.objects[0].box == Box{1, 2, 11, 7}));
        QCOMPARE(a.objects[0].area, 42.5);
        QCOMPARE(a.objects[0].polygons[0].size(), std::size_t(4));
        QCOMPARE(a.objects[0].keypoints.size(), std::size_t(2));
        QCOMPARE(a.objects[0].keypoints[0].visibility, 2);
        QVERIFY((a.objects[1].box == Box{30, 10, 40, 20})); // clipped
        QCOMPARE(b.objects.size(), std::size_t(3));
        QVERIFY(b.objects[0].isCrowd);
        QCOMPARE(b.objects[0].area, 4.0);  // of its mask
        QCOMPARE(b.objects[1].area, 16.0); // of its polygon, as -1 is none
        const auto sample = data.sample(0);
        VERIFY_RESULT(sample);
        QCOMPARE(sample->image.channels, 3);
        QCOMPARE(sample->objects.size(), std::size_t(2));
    }

    void reportsWhatIsWrongWithFileAndAnnotation() {
        const World world;
        const auto opened = open(entryOf(world.folder.path()), TaskKind::Detection);
        VERIFY_RESULT(opened);
        const Dataset& data = **opened;
        QVERIFY(hasProblem(data, "a.png", "Annotation 2 has a box without area"));
        QVERIFY(hasProblem(data, "a.png", "Annotation 3 leaves the image"));
        QVERIFY(hasProblem(data, "b.png", "Annotation 6 repeats annotation 5"));
        QVERIFY(hasProblem(data, "", "Annotation 7 belongs to image 99"));
        QVERIFY(hasProblem(data, "a.png", "Annotation 8 has the unknown category 99"));
        QVERIFY(hasProblem(data, "a.png", "Annotation 9 is malformed"));
        QVERIFY(hasProblem(data, "a.png", "Annotation 10 has a mask of 40 x 30 pixels"));
        QCOMPARE(data.problems().size(), std::size_t(7));
    }

    void stopsAtABoxWithoutAreaWhenTold() {
        const World world;
        RunConfig config;
        config.data.onZeroArea = "stop";
        const auto opened = open(entryOf(world.folder.path()), TaskKind::Detection, config);
        VERIFY_ERROR(opened, "Annotation 2");
        QCOMPARE(opened.error().kind, ErrorKind::Data);
    }

    void mapsMergesAndDropsClasses() {
        const World world;
        RunConfig config;
        config.data.classes = {{"cat", "animal"}, {"ape", "animal"}};
        const auto merged = open(entryOf(world.folder.path()), TaskKind::Detection, config);
        VERIFY_RESULT(merged);
        QCOMPARE((*merged)->classes(), std::vector<std::string>{"animal"});
        QCOMPARE((*merged)->categoryIds(), std::vector<std::int64_t>{3});
        config.data.classes = {{"ape", ""}};
        const auto dropped = open(entryOf(world.folder.path()), TaskKind::Detection, config);
        VERIFY_RESULT(dropped);
        QCOMPARE((*dropped)->classes(), std::vector<std::string>{"cat"});
        QCOMPARE((*dropped)->info(0).objects.size(), std::size_t(1));
        config.data.classes = {{"cat", "cat"}, {"*", ""}};
        const auto only = open(entryOf(world.folder.path()), TaskKind::Detection, config);
        VERIFY_RESULT(only);
        QCOMPARE((*only)->classes(), std::vector<std::string>{"cat"});
        config.data.classes = {{"dog", "animal"}};
        const auto strange = open(entryOf(world.folder.path()), TaskKind::Detection, config);
        VERIFY_ERROR(strange, "dog");
        VERIFY_ERROR(strange, "ape, cat");
    }

    void dropsImagesWithoutBoxesFromTrainingOnly() {
        const World world(R"({"images": [{"id": 1, "file_name": "a.png"}, {"id": 2, "file_name": "b.png"}],
            "categories": [{"id": 0, "name": "x"}],
            "annotations": [{"id": 0, "image_id": 1, "category_id": 0, "bbox": [0, 0, 5, 5]}]})");
        RunConfig config;
        config.data.onEmpty = "drop";
        const auto entry = entryOf(world.folder / "annotations/instances_train.json");
        QCOMPARE((*open(entry, TaskKind::Detection, config))->size(), 1);
        QCOMPARE((*open(entry, TaskKind::Detection, config, false))->size(), 2);
        QCOMPARE((*open(entry, TaskKind::Detection))->size(), 2);
        QCOMPARE((*open(entry, TaskKind::Detection))->info(0).objects.size(), std::size_t(1)); // category 0 is a class
    }

    void reportsMissingImages() {
        World world;
        std::filesystem::remove(world.folder / "train/b.png");
        const auto opened = open(entryOf(world.folder.path()), TaskKind::Detection);
        VERIFY_RESULT(opened);
        QCOMPARE((*opened)->size(), 1);
        QVERIFY(hasProblem(**opened, "b.png", "missing"));
        std::filesystem::remove(world.folder / "train/a.png");
        VERIFY_ERROR(open(entryOf(world.folder.path()), TaskKind::Detection), "None of the 2 images was found");
    }

    void refusesAnAnnotatedSizeThatIsNotTheImages() {
        World world;
        writePicture(world.folder / "train/a.png", 20, 40); // as if EXIF had turned it
        const auto opened = open(entryOf(world.folder.path()), TaskKind::Detection);
        VERIFY_RESULT(opened);
        VERIFY_ERROR((*opened)->sample(0), "The annotations say 40 x 20 pixels, the upright image has 20 x 40");
    }

    void namesLineAndColumnOfMalformedJson() {
        const World world("{\n  \"images\": [},\n}");
        const auto opened =
            open(entryOf(world.folder / "annotations/instances_train.json", "", "coco"), TaskKind::Detection);
        VERIFY_ERROR(opened, "instances_train.json:2:14: This is not JSON: a value");
        VERIFY_ERROR(opened, "instances_train.json");
        const World huge("{\"images\": [1e999]}");
        VERIFY_ERROR(open(entryOf(huge.folder / "annotations/instances_train.json", "", "coco"), TaskKind::Detection),
                     "A number in the JSON is beyond all bounds.");
        const World other("{\"images\": []}");
        VERIFY_ERROR(open(entryOf(other.folder / "annotations/instances_train.json", "", "coco"), TaskKind::Detection),
                     "no list \"annotations\"");
    }

    void partChoosesTheFile() {
        World world;
        writeText(
            world.folder / "annotations/instances_val.json",
            R"({"images": [{"id": 1, "file_name": "c.png"}], "categories": [{"id": 1, "name": "x"}], "annotations": []})");
        writePicture(world.folder / "val/c.png");
        const auto path = world.folder.path();
        QCOMPARE((*open(entryOf(path), TaskKind::Detection))->size(), 2);
        QCOMPARE((*open(entryOf(path), TaskKind::Detection, {}, false))->size(), 1);
        QCOMPARE((*open(entryOf(path, "val"), TaskKind::Detection))->size(), 1);
        VERIFY_ERROR(open(entryOf(path, "test"), TaskKind::Detection), "train, val");
    }

    void fingerprintKnowsContentNotPlace() {
        World world;
        const std::string before = (*open(entryOf(world.folder.path()), TaskKind::Detection))->fingerprint();
        const ScratchFolder elsewhere;
        std::filesystem::copy(world.folder.path(), elsewhere / "moved", std::filesystem::copy_options::recursive);
        QCOMPARE((*open(entryOf(elsewhere / "moved"), TaskKind::Detection))->fingerprint(), before);
        std::string altered = kWorld;
        altered.replace(altered.find("[1, 2, 10, 5]"), 13, "[1, 2, 10, 6]");
        writeText(world.folder / "annotations/instances_train.json", altered);
        QVERIFY((*open(entryOf(world.folder.path()), TaskKind::Detection))->fingerprint() != before);
    }

    void readsCocoSmall() {
        NEED_SHARED_DATA(data, "coco_small");
        const auto train = open(entryOf(data, "train"), TaskKind::Detection);
        const auto val = open(entryOf(data, "val"), TaskKind::Detection);
        VERIFY_RESULT(train);
        VERIFY_RESULT(val);
        QCOMPARE((*train)->size(), 46);
        QCOMPARE((*val)->size(), 20);
        QCOMPARE((*train)->classes().size(), std::size_t(80));
        QCOMPARE((*train)->categoryIds().front(), 1);
        QCOMPARE((*train)->categoryIds().back(), 90);
        int objects = 0, crowds = 0, empty = 0;
        for (int i = 0; i < 46; ++i) {
            const SampleInfo info = (*train)->info(i);
            objects += int(info.objects.size());
            empty += info.objects.empty();
            for (const auto& object : info.objects) {
                crowds += object.isCrowd;
                QCOMPARE(object.mask.has_value(), object.isCrowd);
            }
            VERIFY_RESULT((*train)->sample(i));
        }
        QCOMPARE(objects, 320);
        QCOMPARE(crowds, 4);
        QCOMPARE(empty, 1);
        const auto points = open(entryOf(data / "annotations/person_keypoints_train.json"), TaskKind::Detection);
        VERIFY_RESULT(points);
        QCOMPARE((*points)->size(), 13);
    }

    void readsBalloonsOfCategoryZero() {
        NEED_SHARED_DATA(data, "balloon_coco");
        const auto train = open(entryOf(data), TaskKind::Detection);
        const auto val = open(entryOf(data), TaskKind::Detection, {}, false);
        VERIFY_RESULT(train);
        VERIFY_RESULT(val);
        QCOMPARE((*train)->size(), 31);
        QCOMPARE((*val)->size(), 7);
        QCOMPARE((*train)->categoryIds(), std::vector<std::int64_t>{0});
        std::size_t objects = 0;
        for (int i = 0; i < 31; ++i)
            for (const auto& object : (*train)->info(i).objects) {
                ++objects;
                QCOMPARE(object.label, 0);
                QVERIFY(object.area > 0);
            }
        QCOMPARE(objects, std::size_t(144));
    }
};

QTEST_GUILESS_MAIN(tst_CocoDataset)
#include "tst_CocoDataset.moc"
