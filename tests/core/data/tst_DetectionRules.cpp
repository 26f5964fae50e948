#include "core/data/KeypointPairs.h"
#include "tests/core/data/Worlds.h"

using namespace trainyard;
using namespace trainyard::testing;

namespace {

/// Pictures a (40 × 20) and b, c without objects; the annotations come in.
struct World {
    ScratchFolder folder;
    explicit World(const std::string& annotations, const std::string& keypoints = "") {
        writeText(folder / "set.json",
                  R"({"images": [{"id": 1, "file_name": "a.png", "width": 40, "height": 20},
                                 {"id": 2, "file_name": "b.png", "width": 40, "height": 20},
                                 {"id": 3, "file_name": "c.png"}],
                      "categories": [{"id": 1, "name": "cat")" +
                      keypoints + R"(}, {"id": 2, "name": "dog"}], "annotations": [)" + annotations + "]}");
        for (const char* name : {"a.png", "b.png", "c.png"})
            writePicture(folder / name);
    }
    Result<std::unique_ptr<Dataset>> open(const RunConfig& config = {}, bool isForTraining = true) const {
        return testing::open(entryOf(folder / "set.json"), TaskKind::Detection, config, isForTraining);
    }
};

std::string object(int id, const std::string& box, const std::string& more = "", int image = 1) {
    return "{\"id\": " + std::to_string(id) + ", \"image_id\": " + std::to_string(image) +
           ", \"category_id\": 1, \"bbox\": " + box + more + "}";
}

std::vector<std::int64_t> idsOf(const SampleInfo& info) {
    std::vector<std::int64_t> ids;
    for (const ObjectAnnotation& one : info.objects)
        ids.push_back(one.id);
    return ids;
}

using Ids = std::vector<std::int64_t>;

} // namespace

/// What becomes of ground truth on its way in.
class tst_DetectionRules : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void boxesWithoutAreaAreSkippedMendedOrStop() {
        const World world(object(1, "[5, 5, 0, 4]") + "," + object(2, "[39.5, 19.5, 0, 0]") + "," +
                          object(3, "[1, 1, 3, 3]"));
        RunConfig config;
        QCOMPARE(idsOf((*world.open(config))->info(0)), (Ids{3}));
        config.data.onZeroArea = "fix";
        const auto mended = world.open(config);
        QCOMPARE(idsOf((*mended)->info(0)), (Ids{1, 2, 3}));
        QVERIFY(((*mended)->info(0).objects[0].box == Box{4.5f, 5, 5.5f, 9})); // a pixel around x = 5
        QVERIFY(((*mended)->info(0).objects[1].box == Box{39, 19, 40, 20}));   // and inside
        QVERIFY(hasProblem(**mended, "a.png", "Annotation 1 has a box without area (5 5 5 9); it is made a pixel"));
        config.data.onZeroArea = "stop";
        VERIFY_ERROR(world.open(config), "Annotation 1 of a.png has a box without area");
    }

    void boxesOutsideAreClippedSkippedOrStop() {
        const World world(object(1, "[30, 10, 20, 5]") + "," + object(2, "[50, 1, 5, 5]") + "," +
                          object(3, "[-0.5, 0, 41, 20]"));
        RunConfig config;
        const auto clipped = world.open(config);
        QCOMPARE(idsOf((*clipped)->info(0)), (Ids{1, 3})); // nothing of 2 is inside; 3 is out by less than a pixel
        QVERIFY(((*clipped)->info(0).objects[0].box == Box{30, 10, 40, 15}));
        QVERIFY(hasProblem(**clipped, "a.png", "Annotation 1 leaves the image of 40 x 20 pixels"));
        QVERIFY(hasProblem(**clipped, "a.png", "Annotation 2 lies outside the image"));
        QCOMPARE((*clipped)->problems().size(), std::size_t(2));
        QCOMPARE((*clipped)->problems()[0].annotation, std::string("1"));
        QCOMPARE((*clipped)->problems()[0].file, (world.folder / "set.json").string());
        config.data.onOutside = "skip";
        QCOMPARE(idsOf((*world.open(config))->info(0)), (Ids{3}));
        config.data.onOutside = "stop";
        VERIFY_ERROR(world.open(config), "Annotation 1 of a.png leaves the image");
    }

    void duplicatesAreKeptSkippedOrStop() {
        const World world(object(1, "[1, 1, 3, 3]") + "," + object(2, "[1, 1, 3, 3]") + "," +
                          object(3, "[1, 1, 3, 3]", ", \"iscrowd\": 1"));
        RunConfig config;
        QCOMPARE(idsOf((*world.open(config))->info(0)), (Ids{1, 2, 3}));
        config.data.onDuplicate = "skip";
        const auto once = world.open(config);
        QCOMPARE(idsOf((*once)->info(0)), (Ids{1, 3})); // a crowd there is something else
        QVERIFY(hasProblem(**once, "a.png", "Annotation 2 repeats annotation 1"));
        config.data.onDuplicate = "stop";
        VERIFY_ERROR(world.open(config), "Annotation 2 of a.png repeats annotation 1");
    }

    void whatIsMarkedToIgnoreIsNotLearnt() {
        const World world(object(1, "[1, 1, 3, 3]", ", \"ignore\": 1") + "," +
                          object(2, "[4, 4, 3, 3]", ", \"ignore\": 0"));
        const auto training = world.open();
        QCOMPARE(idsOf((*training)->info(0)), (Ids{2}));
        QVERIFY(hasProblem(**training, "", "1 annotations are marked with ignore"));
        QCOMPARE(idsOf((*world.open({}, false))->info(0)), (Ids{1, 2})); // COCO's evaluation knows iscrowd alone
    }

    void smallObjectsAreLeftOutOfTraining() {
        const World world(object(1, "[1, 1, 3, 3]", ", \"area\": 4.5") + "," +
                          object(2, "[4, 4, 3, 3]", ", \"area\": 5"));
        RunConfig config;
        config.data.minArea = 5;
        const auto training = world.open(config);
        QCOMPARE(idsOf((*training)->info(0)), (Ids{2}));
        QVERIFY(hasProblem(**training, "", "1 objects with an area below 5"));
        QCOMPARE(idsOf((*world.open(config, false))->info(0)), (Ids{1, 2}));
    }

    void imagesWithoutObjectsAreGoneAndCounted() {
        const World world(object(1, "[1, 1, 3, 3]") + "," + object(2, "[1, 1, 3, 3]", ", \"iscrowd\": 1", 2));
        RunConfig config;
        config.data.onEmpty = "drop";
        const auto training = world.open(config);
        QCOMPARE((*training)->size(), 1); // b has a crowd alone, c nothing
        QVERIFY(hasProblem(**training, "", "1 of 3 images are left to train on: 2 have no object to learn"));
        QCOMPARE((*world.open(config, false))->size(), 3);
        DatasetConfig entry = entryOf(world.folder / "set.json");
        entry.proposals = "proposals.json"; // their regions are background to learn from
        QCOMPARE((*testing::open(entry, TaskKind::Detection, config))->size(), 3);
    }

    void imagesWithFewKeypointsAreGoneAndCounted() {
        const World world(object(1, "[1, 1, 9, 9]", ", \"keypoints\": [2, 2, 2, 3, 3, 1, 0, 0, 0]") + "," +
                          object(2, "[1, 1, 9, 9]", ", \"keypoints\": [2, 2, 2, 0, 0, 0, 0, 0, 0]", 2) + "," +
                          object(3, "[1, 1, 9, 9]", ", \"iscrowd\": 1, \"keypoints\": [2, 2, 2, 3, 3, 1, 4, 4, 1]", 2));
        RunConfig config;
        config.data.minKeypoints = 2;
        const auto training = world.open(config);
        QCOMPARE((*training)->size(), 1);
        QCOMPARE((*training)->info(0).id, std::string("a.png"));
        QVERIFY(hasProblem(**training, "", "0 have no object to learn, 2 fewer than 2 visible keypoints"));
    }

    void idsThatRepeatAndShortPolygonsAreNamed() {
        const World world(object(7, "[1, 1, 3, 3]", ", \"segmentation\": [[1, 1, 4, 4], [1, 1, 4, 1, 4, 4]]") + "," +
                          object(7, "[5, 1, 3, 3]"));
        const auto data = world.open();
        QCOMPARE(idsOf((*data)->info(0)), (Ids{7, 7}));
        QCOMPARE((*data)->info(0).objects[0].polygons.size(), std::size_t(1));
        QVERIFY(hasProblem(**data, "a.png", "Annotation 7 has the id of another annotation"));
        QVERIFY(hasProblem(**data, "a.png", "Annotation 7 has a polygon of fewer than three points"));
    }

    void keypointPairsComeFromTheirNames() {
        const World world(object(1, "[1, 1, 9, 9]", ", \"keypoints\": [2, 2, 2, 3, 3, 1, 0, 0, 0]"),
                          R"(, "keypoints": ["nose", "Left-Ear", "right_ear"])");
        const auto sample = (*world.open())->sample(0);
        QVERIFY(sample->keypointPairs && *sample->keypointPairs == (KeypointPairs{{1, 2}}));
        RunConfig config;
        config.data.keypointPairs = {0, 2};
        QVERIFY(*(*world.open(config))->sample(0)->keypointPairs == (KeypointPairs{{0, 2}}));
    }

    void cocoPersonsPairByName() {
        // the names of COCO's person_keypoints files, in their order
        const std::vector<std::string> names{
            "nose",           "left_eye",   "right_eye",   "left_ear",   "right_ear",   "left_shoulder",
            "right_shoulder", "left_elbow", "right_elbow", "left_wrist", "right_wrist", "left_hip",
            "right_hip",      "left_knee",  "right_knee",  "left_ankle", "right_ankle"};
        QVERIFY(pairsByName(names) == cocoPersonPairs());
        QVERIFY(pairsOfSwaps({0, 2, 1, 4, 3, 6, 5, 8, 7, 10, 9, 12, 11, 14, 13, 16, 15}) == cocoPersonPairs());
        QVERIFY(pairsOf({1, 2, 3, 4, 5}) == (KeypointPairs{{1, 2}, {3, 4}}));
        QVERIFY(pairsByName({"tail", "left"}).empty());
    }
};

QTEST_GUILESS_MAIN(tst_DetectionRules)
#include "tst_DetectionRules.moc"
