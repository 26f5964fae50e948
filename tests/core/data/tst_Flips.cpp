#include "core/data/DetectionTransforms.h"
#include "core/data/FlippedCopies.h"
#include "core/telemetry/RunLength.h"
#include "tests/core/data/Worlds.h"

#include <cmath>

using namespace trainyard;
using namespace trainyard::testing;

namespace {

/// A picture of an odd size with noise in it and one object of every kind.
Sample noisySample(int width = 37, int height = 23) {
    Sample sample;
    sample.image = plainImage(width, height);
    Random random(7);
    for (auto& byte : sample.image.pixels)
        byte = std::uint8_t(random.integer(0, 255));
    ObjectAnnotation object;
    object.box = {2.25f, 3.5f, 20.75f, 19};
    object.area = 123;
    object.polygons = {{{2.25f, 3.5f}, {20.75f, 4}, {11, 19}}, {{5, 5}, {6.5f, 5}, {6, 7}}};
    std::vector<std::uint8_t> pixels(std::size_t(width * height));
    for (auto& pixel : pixels)
        pixel = random.chance(0.4);
    object.mask = runlength::fromPixels(pixels.data(), width, height);
    object.keypoints.resize(17);
    object.keypoints[0] = {{10.5f, 6}, 2};  // nose
    object.keypoints[5] = {{4, 12.25f}, 2}; // left shoulder
    object.keypoints[6] = {{18, 12}, 1};    // right shoulder
    sample.objects = {object};
    sample.proposals = {{0, 0, 7, 9}, {3, 4, 37, 23}};
    sample.info.width = width;
    sample.info.height = height;
    return sample;
}

bool isNear(const Point& a, const Point& b) {
    return std::abs(a.x - b.x) < 1e-4f && std::abs(a.y - b.y) < 1e-4f;
}

bool isNear(const Box& a, const Box& b) {
    return isNear(Point{a.x1, a.y1}, Point{b.x1, b.y1}) && isNear(Point{a.x2, a.y2}, Point{b.x2, b.y2});
}

} // namespace

/// A mirror image, and what is known of it.
class tst_Flips : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void twiceIsAsBefore() {
        const Sample before = noisySample();
        Sample after = before;
        mirror(after);
        QVERIFY(after.image.pixels != before.image.pixels);
        mirror(after);
        QVERIFY(after.image.pixels == before.image.pixels);
        const ObjectAnnotation &a = before.objects[0], &b = after.objects[0];
        QVERIFY(isNear(a.box, b.box));
        QCOMPARE(a.area, b.area);
        QCOMPARE(a.polygons.size(), b.polygons.size());
        for (std::size_t i = 0; i < a.polygons.size(); ++i)
            for (std::size_t j = 0; j < a.polygons[i].size(); ++j)
                QVERIFY(isNear(a.polygons[i][j], b.polygons[i][j]));
        QCOMPARE(a.mask->counts, b.mask->counts);
        for (std::size_t i = 0; i < a.keypoints.size(); ++i) {
            QCOMPARE(a.keypoints[i].visibility, b.keypoints[i].visibility);
            QVERIFY(isNear(a.keypoints[i].at, b.keypoints[i].at));
        }
        for (std::size_t i = 0; i < before.proposals.size(); ++i)
            QVERIFY(isNear(before.proposals[i], after.proposals[i]));
        QCOMPARE(after.info.scaleX, 1.0);
        QCOMPARE(after.info.offsetX, 0.0);
    }

    /// By hand, in a picture 37 pixels wide: x becomes 37 - x.
    void onceIsMirrored() {
        Sample sample = noisySample();
        const RunLengthMask before = *sample.objects[0].mask;
        mirror(sample);
        const ObjectAnnotation& object = sample.objects[0];
        QVERIFY(isNear(object.box, Box{16.25f, 3.5f, 34.75f, 19}));
        QVERIFY(isNear(object.polygons[0][2], Point{26, 19}));
        QVERIFY(isNear(object.keypoints[0].at, Point{26.5f, 6}));
        QVERIFY(isNear(object.keypoints[6].at, Point{33, 12.25f})); // the left shoulder is the right one in a mirror
        QCOMPARE(object.keypoints[6].visibility, 2);
        QVERIFY(isNear(object.keypoints[5].at, Point{19, 12}));
        QCOMPARE(object.keypoints[1].visibility, 0);
        QVERIFY(isNear(object.keypoints[1].at, Point{0, 0})); // what is not there is nowhere
        QVERIFY(isNear(sample.proposals[1], Box{0, 4, 34, 23}));
        const auto a = runlength::pixels(before), b = runlength::pixels(*object.mask);
        for (std::size_t y = 0; y < 23; ++y)
            for (std::size_t x = 0; x < 37; ++x)
                QCOMPARE(b[y * 37 + x], a[y * 37 + 36 - x]);
    }

    /// {"size": [2, 3], "counts": [1, 2, 3]}: the second pixel of the first column and the first of the second.
    void masksOfAnyWritingAreMirrored_data() {
        QTest::addColumn<QString>("mask");
        QTest::newRow("uncompressed") << R"({"size": [2, 3], "counts": [1, 2, 3]})";
        QTest::newRow("compressed") << R"({"size": [2, 3], "counts": "123"})"; // COCO's text of 1, 2, 3
    }
    void masksOfAnyWritingAreMirrored() {
        QFETCH(QString, mask);
        const ScratchFolder folder;
        writeText(folder / "a.json", R"({"images": [{"id": 1, "file_name": "a.png", "width": 3, "height": 2}],
            "categories": [{"id": 1, "name": "x"}], "annotations": [{"id": 1, "image_id": 1, "category_id": 1,
            "bbox": [0, 0, 2, 2], "iscrowd": 1, "segmentation": )" +
                                         mask.toStdString() + "}]}");
        writePicture(folder / "a.png", 3, 2);
        const auto data = open(entryOf(folder / "a.json"), TaskKind::Detection);
        VERIFY_RESULT(data);
        auto sample = (*data)->sample(0);
        VERIFY_RESULT(sample);
        QCOMPARE(sample->objects[0].mask->counts, (std::vector<std::uint32_t>{1, 2, 3}));
        mirror(*sample);
        QCOMPARE(sample->objects[0].mask->counts, (std::vector<std::uint32_t>{2, 1, 2, 1}));
        mirror(*sample);
        QCOMPARE(sample->objects[0].mask->counts, (std::vector<std::uint32_t>{1, 2, 3}));
    }

    void pairsOfTheDataChangePlaces() {
        Sample sample = noisySample();
        sample.keypointPairs = std::make_shared<const KeypointPairs>(KeypointPairs{{0, 6}, {5, 90}});
        mirror(sample);
        const auto& keypoints = sample.objects[0].keypoints;
        QVERIFY(isNear(keypoints[6].at, Point{26.5f, 6}));
        QVERIFY(isNear(keypoints[0].at, Point{19, 12}));
        QVERIFY(isNear(keypoints[5].at, Point{33, 12.25f})); // its partner is not there
    }

    void copiesDoubleTheEntries() {
        const ScratchFolder folder;
        writeText(folder / "a.json", R"({"images": [{"id": 1, "file_name": "a.png"}, {"id": 2, "file_name": "b.png"}],
            "categories": [{"id": 1, "name": "x"}],
            "annotations": [{"id": 1, "image_id": 2, "category_id": 1, "bbox": [3, 2, 10, 5]}]})");
        writePicture(folder / "a.png");
        writePicture(folder / "b.png");
        const std::shared_ptr<const Dataset> whole = std::move(*open(entryOf(folder / "a.json"), TaskKind::Detection));
        const FlippedCopies twice(whole);
        QCOMPARE(twice.size(), 4);
        for (int i = 0; i < 4; ++i)
            QCOMPARE(twice.info(i).id, whole->info(i % 2).id); // originals first
        QVERIFY((twice.sample(1)->objects[0].box == Box{3, 2, 13, 7}));
        QVERIFY((twice.sample(3)->objects[0].box == Box{27, 2, 37, 7})); // in 40 pixels
        QCOMPARE(twice.sample(3)->info.scaleX, -1.0);
        QVERIFY(twice.fingerprint() != whole->fingerprint());
    }
};

QTEST_GUILESS_MAIN(tst_Flips)
#include "tst_Flips.moc"
