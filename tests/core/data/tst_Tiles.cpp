#include "core/data/Tiles.h"
#include "core/telemetry/PolygonMask.h"
#include "core/telemetry/RunLength.h"
#include "tests/core/data/Worlds.h"

using namespace trainyard;
using namespace trainyard::testing;

namespace {

TilesConfig squares(std::int64_t size, std::int64_t overlap) {
    TilesConfig config;
    config.size = size;
    config.overlap = overlap;
    return config;
}

Detection found(const Box& box, float score, int label = 0) {
    Detection detection;
    detection.box = box;
    detection.score = score;
    detection.label = label;
    return detection;
}

} // namespace

/// Large pictures in pieces.
class tst_Tiles : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void coverThePictureEvenly_data() {
        QTest::addColumn<int>("width");
        QTest::addColumn<QList<int>>("beginnings");
        QTest::newRow("fits") << 100 << QList<int>{0};
        QTest::newRow("a pixel more") << 101 << QList<int>{0, 1};
        QTest::newRow("two with the overlap") << 180 << QList<int>{0, 80};
        QTest::newRow("one more pixel, one more tile") << 181 << QList<int>{0, 41, 81}; // 40.5 rounds up
        QTest::newRow("three") << 260 << QList<int>{0, 80, 160};
    }
    void coverThePictureEvenly() {
        QFETCH(int, width);
        QFETCH(QList<int>, beginnings);
        QList<int> got;
        for (const Tile& tile : tilesOf(width, 90, squares(100, 20))) {
            got.push_back(tile.x);
            QCOMPARE(tile.y, 0);
            QCOMPARE(tile.width, 100);
            QCOMPARE(tile.height, 90);
        }
        QCOMPARE(got, beginnings);
    }

    void aPictureThatFitsIsWhole() {
        QCOMPARE(tilesOf(80, 90, squares(100, 20)), (std::vector<Tile>{{0, 0, 80, 90}}));
        QCOMPARE(tilesOf(8000, 900, squares(0, 20)), (std::vector<Tile>{{0, 0, 8000, 900}}));
        QCOMPARE(tilesOf(150, 150, squares(100, 20)).size(), std::size_t(4));
    }

    void objectsAreCutAlong() {
        Sample sample;
        sample.image = plainImage(60, 40);
        sample.image.row(10)[3 * 35] = 7; // a pixel at 35 10
        ObjectAnnotation across, elsewhere;
        across.box = {20, 10, 50, 30};
        across.area = 600;
        across.polygons = {{{20, 10}, {50, 10}, {50, 30}, {20, 30}}};
        across.keypoints = {{{25, 15}, 2}, {{45, 15}, 2}};
        elsewhere.box = {0, 0, 9, 9};
        sample.objects = {across, elsewhere};
        sample.info.width = 60;
        sample.info.height = 40;
        sample.info.objects = sample.objects;
        const Sample tile = cutTile(sample, {30, 5, 30, 30});
        QCOMPARE(tile.image.width, 30);
        QCOMPARE(int(tile.image.row(5)[3 * 5]), 7);
        QCOMPARE(tile.objects.size(), std::size_t(1));
        QVERIFY((tile.objects[0].box == Box{0, 5, 20, 25}));
        QCOMPARE(tile.objects[0].area, 400.0);
        QVERIFY(!tile.objects[0].isCrowd); // two thirds of it are here
        QCOMPARE(tile.objects[0].keypoints[0].visibility, 0);
        QCOMPARE(tile.objects[0].keypoints[1].at.x, 15.f);
        QCOMPARE(tile.info.width, 60);
        QCOMPARE(tile.info.offsetX, -30.0);
        QCOMPARE(tile.info.offsetY, -5.0);
        QCOMPARE(tile.info.objects.size(), std::size_t(2));
        QVERIFY(cutTile(sample, {0, 5, 25, 30}).objects[0].isCrowd); // a sixth: an ignore region
    }

    void aDatasetIsSeenTileByTile() {
        const ScratchFolder folder;
        writeText(folder / "a.json", R"({"images": [{"id": 1, "file_name": "a.png", "width": 60, "height": 40},
                                                   {"id": 2, "file_name": "b.png", "width": 30, "height": 20}],
            "categories": [{"id": 1, "name": "x"}],
            "annotations": [{"id": 1, "image_id": 1, "category_id": 1, "bbox": [35, 5, 20, 20]}]})");
        writePicture(folder / "a.png", 60, 40);
        writePicture(folder / "b.png", 30, 20);
        const std::shared_ptr<const Dataset> whole = std::move(*open(entryOf(folder / "a.json"), TaskKind::Detection));
        const TiledDataset tiles(whole, squares(40, 10));
        QCOMPARE(tiles.size(), 3); // 0 and 20 of a, b whole
        QVERIFY(!tiles.isLast(0) && tiles.isLast(1) && tiles.isLast(2));
        QCOMPARE(tiles.info(1).imageId, 1);
        QCOMPARE(tiles.sample(0)->objects.size(), std::size_t(1)); // 5 of 20 columns: an ignore region
        QVERIFY(tiles.sample(0)->objects[0].isCrowd);
        QVERIFY((tiles.sample(1)->objects.at(0).box == Box{15, 5, 35, 25}));
        QCOMPARE(tiles.sample(2)->image.width, 30);
        QVERIFY(tiles.fingerprint() != whole->fingerprint());
    }

    void whatTwoTilesSawWholeIsOne() {
        const auto merged = mergeTiles({{found({10, 10, 30, 30}, 0.8f)}, {found({11, 10, 31, 30}, 0.9f)}}, 0.5);
        QCOMPARE(merged.size(), std::size_t(1));
        QVERIFY((merged[0].box == Box{11, 10, 31, 30})); // the better
        QCOMPARE(merged[0].score, 0.9f);
    }

    void piecesGrowTogether() {
        // an object from 10 to 90; the tiles end at 50 and begin at 30
        const auto merged = mergeTiles({{found({10, 10, 50, 30}, 0.9f)}, {found({30, 10, 90, 30}, 0.7f)}}, 0.4);
        QCOMPARE(merged.size(), std::size_t(1)); // they share half of the smaller one
        QVERIFY((merged[0].box == Box{10, 10, 90, 30}));
        QCOMPARE(mergeTiles({{found({10, 10, 50, 30}, 0.9f)}, {found({30, 10, 90, 30}, 0.7f)}}, 0.6).size(),
                 std::size_t(2));
    }

    void othersStayApart() {
        const Box box{10, 10, 30, 30};
        QCOMPARE(mergeTiles({{found(box, 0.9f, 0)}, {found(box, 0.8f, 1)}}, 0.5).size(), std::size_t(2)); // classes
        QCOMPARE(mergeTiles({{found(box, 0.9f), found(box, 0.8f)}, {}}, 0.5).size(), std::size_t(2));     // of one tile
        const auto ordered = mergeTiles({{found({0, 0, 9, 9}, 0.2f)}, {found({50, 0, 60, 9}, 0.7f)}}, 0.5);
        QCOMPARE(ordered[0].score, 0.7f);
    }

    void masksGrowTogether() {
        Detection left = found({10, 10, 50, 30}, 0.9f), right = found({30, 10, 90, 30}, 0.7f);
        left.mask = masks::fromBox(10, 10, 40, 20, 100, 40);
        right.mask = masks::fromBox(30, 10, 60, 20, 100, 40);
        const auto merged = mergeTiles({{left}, {right}}, 0.4);
        QCOMPARE(merged[0].mask->counts, masks::fromBox(10, 10, 80, 20, 100, 40).counts);
        QVERIFY(runlength::isWhole(*merged[0].mask));
    }
};

QTEST_GUILESS_MAIN(tst_Tiles)
#include "tst_Tiles.moc"
