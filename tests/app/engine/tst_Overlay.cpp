#include "app/engine/DetectionTask.h"
#include "app/engine/Overlay.h"

#include <QtTest>

#include <array>

using namespace trainyard;

namespace {
Image grey(int width, int height) {
    return {width, height, 1, std::vector<std::uint8_t>(std::size_t(width) * std::size_t(height), 128)};
}
} // namespace

class TestOverlay : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void drawsBoxesOnACopy() {
        const Image image = grey(100, 80);
        Detection found;
        found.score = 0.5f;
        found.box = {20, 40, 60, 70};
        const Image drawn = drawDetections(image, {found}, {"cell"});
        QCOMPARE(image.pixels[0], 128); // untouched
        QCOMPARE(drawn.width, 100);
        QCOMPARE(drawn.channels, 3);
        const std::uint8_t* edge = drawn.row(69) + 40 * 3; // the last row inside the box, in the first class's blue
        QCOMPARE(edge[0], 0);
        QCOMPARE(edge[1], 114);
        QCOMPARE(edge[2], 178);
        QCOMPARE(int(drawn.row(75)[90 * 3]), 128); // away from the box nothing changes
    }

    void coversWhatAMaskSets() {
        Detection found;
        found.box = {0, 0, 60, 60};
        found.mask = RunLengthMask{60, 60, {2450, 1, 1149}}; // column by column: x = 40, y = 50
        const Image drawn = drawDetections(grey(60, 60), {found}, {});
        // 128 * 0.65 + the first class's blue (0, 114, 178) * 0.35, by hand
        const std::uint8_t* pixel = drawn.row(50) + 40 * 3;
        QVERIFY(std::abs(int(pixel[0]) - 83) <= 1);
        QVERIFY(std::abs(int(pixel[1]) - 123) <= 1);
        QVERIFY(std::abs(int(pixel[2]) - 146) <= 1);
        QCOMPARE(int(drawn.row(50)[41 * 3]), 128);    // the one beside it
        found.mask = RunLengthMask{20, 20, {0, 400}}; // of another picture: left out
        QCOMPARE(int(drawDetections(grey(60, 60), {found}, {}).row(50)[40 * 3]), 128);
    }

    void marksKeypoints() {
        Detection found;
        found.box = {0, 0, 60, 60};
        found.keypoints = {{{20, 20}, 2}, {{40, 40}, 0}};
        const Image drawn = drawDetections(grey(60, 60), {found}, {});
        QCOMPARE(int(drawn.row(20)[20 * 3 + 2]), 178); // blue in its middle
        QCOMPARE(int(drawn.row(40)[40 * 3]), 128);     // one that is not labelled
    }

    void survivesBoxesOutsideTheImage() {
        Detection found;
        found.box = {-500, -20, 4000, 9000};
        found.label = 12;
        const Image drawn = drawDetections(grey(10, 10), {found}, {});
        QCOMPARE(drawn.height, 10);
    }

    void writesWrongReadingsInRed() {
        const auto hasRed = [](const Image& image) {
            for (std::size_t i = 0; i < image.pixels.size(); i += 3)
                if (image.pixels[i] > 180 && image.pixels[i + 1] < 60 && image.pixels[i + 2] < 60)
                    return true;
            return false;
        };
        const Image word = grey(64, 32);
        QVERIFY(!hasRed(drawReading(word, "lamp", 0.9, "lamp")));
        QVERIFY(hasRed(drawReading(word, "lamb", 0.9, "lamp")));
        QVERIFY(!hasRed(drawReading(word, "l\xc3\xa4mp", 0.9))); // no truth, nothing wrong
        QVERIFY(drawReading(word, "lamp", 0.9).height > 64);     // drawn twice as large, with a strip beneath
    }

    // Drawn twice as large with 4 pixels around: a point at (10, 12) stands at (24, 28); the word twice as large
    // beneath.
    void showsControlPointsAndTheStraightenedWord() {
        Rectification straight{
            20, 10, 1, std::vector<std::uint8_t>(200, 250), {{10, 12}, {90, 12}, {10, 40}, {90, 40}}};
        const Image drawn = drawRectification(grey(100, 48), straight);
        QCOMPARE(drawn.width, 200 + 8);
        QCOMPARE(drawn.height, 96 + 8 + 20 + 4);
        const auto colourAt = [&](int x, int y) {
            const std::uint8_t* pixel = drawn.row(y) + 3 * x;
            return std::array<int, 3>{pixel[0], pixel[1], pixel[2]};
        };
        QCOMPARE(colourAt(24, 28), (std::array<int, 3>{213, 94, 0})); // the upper edge
        QCOMPARE(colourAt(24, 84), (std::array<int, 3>{0, 114, 178}));
        QCOMPARE(colourAt(100, 56), (std::array<int, 3>{128, 128, 128})); // the image between them
        QCOMPARE(colourAt(4 + 20, 104 + 10), (std::array<int, 3>{250, 250, 250}));
        straight.points.front().x = -10; // 20 pixels drawn: as much room on each side
        QCOMPARE(drawRectification(grey(100, 48), straight).width, 200 + 2 * 24);
    }

    void sheetIsAsLargeAsItsPictures() {
        const Image sheet = contactSheet({grey(100, 50), grey(40, 80), grey(1000, 500)}, 2, 200, 200);
        // columns of 200 (the third picture, scaled down) and 40, rows of 80 and 100, gaps of 12
        QCOMPARE(sheet.width, 12 + 200 + 12 + 40 + 12);
        QCOMPARE(sheet.height, 12 + 80 + 12 + 100 + 12);
    }

    /// Of hundreds of boxes that an evaluation keeps, a picture beside the truth shows the sure ones; three at least.
    void picturesBesideTheTruthShowTheSure() {
        const Image grey{200, 100, 3, std::vector<std::uint8_t>(200 * 100 * 3, 128)};
        Prediction prediction;
        for (int i = 0; i < 50; ++i)
            prediction.detections.push_back(
                {0, 0.05f + 0.008f * float(i), {float(3 * i), 40, float(3 * i + 30), 90}, {}, {}});
        const DetectionTask task(RunConfig(), {"cell"});
        const SampleInfo nothing;
        const auto best = prediction.detections;
        QVERIFY(task.picture(grey, prediction, &nothing).pixels ==
                drawDetections(grey, {best[47], best[48], best[49]}, {"cell"}).pixels);
        for (int i = 10; i < 15; ++i)
            prediction.detections[std::size_t(i)].score = 0.9f;
        const auto from = prediction.detections.begin() + 10;
        QVERIFY(task.picture(grey, prediction, &nothing).pixels ==
                drawDetections(grey, {from, from + 5}, {"cell"}).pixels);
        QVERIFY(task.picture(grey, prediction, nullptr).pixels == // asked for by `predict`: all of them
                drawDetections(grey, prediction.detections, {"cell"}).pixels);
    }
};

QTEST_GUILESS_MAIN(TestOverlay)
#include "tst_Overlay.moc"
