#include "core/data/DetectionTransforms.h"
#include "core/data/Transforms.h"
#include "core/telemetry/RunLength.h"
#include "tests/core/data/Worlds.h"

#include <cmath>
#include <map>

using namespace trainyard;
using namespace trainyard::testing;

namespace {

void paint(Image& image, const Box& box, std::uint8_t red, std::uint8_t green, std::uint8_t blue) {
    for (int y = int(box.y1); y < int(box.y2); ++y)
        for (int x = int(box.x1); x < int(box.x2); ++x) {
            std::uint8_t* p = image.row(y) + 3 * x;
            p[0] = red, p[1] = green, p[2] = blue;
        }
}

ObjectAnnotation objectAt(const Box& box, int label, int width, int height) {
    ObjectAnnotation object;
    object.id = label + 1;
    object.label = label;
    object.box = box;
    object.area = box.area();
    object.polygons = {{{box.x1, box.y1}, {box.x2, box.y1}, {box.x2, box.y2}, {box.x1, box.y2}}};
    std::vector<std::uint8_t> pixels(std::size_t(width * height), 0);
    for (int y = int(box.y1); y < int(box.y2); ++y)
        for (int x = int(box.x1); x < int(box.x2); ++x)
            pixels[std::size_t(y * width + x)] = 1;
    object.mask = runlength::fromPixels(pixels.data(), width, height);
    object.keypoints = {{{(box.x1 + box.x2) / 2, (box.y1 + box.y2) / 2}, 2}, {{0, 0}, 0}};
    return object;
}

/// A red and a green rectangle on black, with all kinds of annotations.
Sample world(int width = 200, int height = 120) {
    Sample sample;
    sample.image = plainImage(width, height, 3, 0);
    const Box red{20, 10, 80, 50}, green{110, 60, 180, 110};
    paint(sample.image, red, 255, 0, 0);
    paint(sample.image, green, 0, 255, 0);
    sample.objects = {objectAt(red, 0, width, height), objectAt(green, 1, width, height)};
    sample.info.width = width;
    sample.info.height = height;
    sample.info.objects = sample.objects;
    return sample;
}

/// The smallest box around pixels that are mostly of the label's colour.
Box colourBounds(const Image& image, int label) {
    Box box{1e9f, 1e9f, -1, -1};
    for (int y = 0; y < image.height; ++y)
        for (int x = 0; x < image.width; ++x) {
            const std::uint8_t* p = image.row(y) + 3 * x;
            if (p[label] > 150 && p[1 - label] < 80)
                box = {std::min(box.x1, float(x)), std::min(box.y1, float(y)), std::max(box.x2, float(x + 1)),
                       std::max(box.y2, float(y + 1))};
        }
    return box;
}

bool isNear(const Box& a, const Box& b, float slack) {
    return std::abs(a.x1 - b.x1) <= slack && std::abs(a.y1 - b.y1) <= slack && std::abs(a.x2 - b.x2) <= slack &&
           std::abs(a.y2 - b.y2) <= slack;
}

RunConfig detectionConfig() {
    RunConfig config;
    config.model.retinanet.inputSize = 160;
    return config;
}

} // namespace

class tst_Transforms : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void boxesMasksAndPointsStayOnTheirColours_data() {
        QTest::addColumn<int>("seed");
        for (int seed = 0; seed < 40; ++seed)
            QTest::addRow("seed %d", seed) << seed;
    }

    void boxesMasksAndPointsStayOnTheirColours() {
        QFETCH(int, seed);
        RunConfig config = detectionConfig();
        config.data.brightness = config.data.contrast = config.data.saturation = 0.1;
        config.data.scaleMin = 0.5;
        config.data.scaleMax = 2.0;
        Sample sample = world();
        Random random{std::uint64_t(seed)};
        makeTransforms(config, TaskKind::Detection, true).apply(sample, random);
        QCOMPARE(sample.image.width, 160);
        QCOMPARE(sample.image.height, 160);
        for (const ObjectAnnotation& object : sample.objects) {
            const Box seen = colourBounds(sample.image, object.label);
            QVERIFY2(isNear(object.box, seen, 1.6f), qPrintable(QString("label %1").arg(object.label)));
            QVERIFY(object.mask.has_value());
            QCOMPARE(object.mask->width, 160);
            QVERIFY(isNear(runlength::bounds(*object.mask), seen, 2.f));
            Box outline{1e9f, 1e9f, -1, -1};
            for (const Point& p : object.polygons.at(0))
                outline = {std::min(outline.x1, p.x), std::min(outline.y1, p.y), std::max(outline.x2, p.x),
                           std::max(outline.y2, p.y)};
            QVERIFY(isNear(outline, object.box, 0.01f));
            if (const Keypoint& point = object.keypoints[0]; point.visibility == 2) {
                const std::uint8_t* p =
                    sample.image.row(std::min(159, int(point.at.y))) + 3 * std::min(159, int(point.at.x));
                QVERIFY(p[object.label] > 150);
            }
            // scale and offset still lead from the file to the network
            const Box& whole = sample.info.objects[std::size_t(object.label)].box;
            const double a = whole.x1 * sample.info.scaleX + sample.info.offsetX;
            const double b = whole.x2 * sample.info.scaleX + sample.info.offsetX;
            QVERIFY(std::abs(std::max(0.0, std::min(a, b)) - double(object.box.x1)) < 0.01);
            QVERIFY(std::abs(std::min(160.0, std::max(a, b)) - double(object.box.x2)) < 0.01);
        }
    }

    void sameRandomGivesSameSample() {
        const auto chain = makeTransforms(detectionConfig(), TaskKind::Detection, true);
        Sample a = world(), b = world();
        Random first(5), second(5);
        chain.apply(a, first);
        chain.apply(b, second);
        QVERIFY(a.image.pixels == b.image.pixels);
        QCOMPARE(a.objects.size(), b.objects.size());
        QCOMPARE(first.next(), second.next());
    }

    void validationFitsAtTheTopLeft() {
        Sample sample = world();
        Random random(1);
        makeTransforms(detectionConfig(), TaskKind::Detection, false).apply(sample, random);
        QCOMPARE(sample.info.scaleX, 0.8); // 160 / 200
        QCOMPARE(sample.info.scaleY, 0.8);
        QCOMPARE(sample.info.offsetX, 0.0);
        QVERIFY(isNear(sample.objects[0].box, {16, 8, 64, 40}, 1e-4f));
        QCOMPARE(sample.objects[0].area, 1536.0);
        QCOMPARE(int(sample.image.row(150)[0]), 124);                 // padding below
        QVERIFY((sample.info.objects[0].box == Box{20, 10, 80, 50})); // those stay in file pixels
    }

    void oddSizesKeepTheWayBackExact() {
        Sample sample;
        sample.image = plainImage(333, 127);
        sample.objects = {objectAt({10, 10, 100, 100}, 0, 333, 127)};
        Random random(1);
        FitSquare(160).apply(sample, random);
        QCOMPARE(sample.info.scaleX, 160.0 / 333);
        QCOMPARE(sample.info.scaleY, 61.0 / 127); // 127 * 160 / 333 = 61.02
        QVERIFY(std::abs((sample.objects[0].box.y2 - sample.info.offsetY) / sample.info.scaleY - 100) < 1e-4);
    }

    /// Detectron's rule, by hand: 640 × 800 / 480 = 1066.7; 1333 / 1000 × 400 = 533.2 where 2000 would be too long.
    void scalesTheShorterSide_data() {
        QTest::addColumn<QSize>("file");
        QTest::addColumn<QSize>("scaled");
        QTest::newRow("landscape") << QSize(640, 480) << QSize(1067, 800);
        QTest::newRow("portrait") << QSize(480, 640) << QSize(800, 1067);
        QTest::newRow("long") << QSize(1000, 400) << QSize(1333, 533);
        QTest::newRow("just long enough") << QSize(1666, 1000) << QSize(1333, 800); // 1332.8 rounds to 1333
    }
    void scalesTheShorterSide() {
        QFETCH(QSize, file);
        QFETCH(QSize, scaled);
        Sample sample;
        sample.image = plainImage(file.width(), file.height());
        sample.objects = {objectAt({10, 10, 100, 100}, 0, file.width(), file.height())};
        sample.proposals = {{10, 10, 100, 100}};
        Random random(1);
        ScaleShorterSide({800}, 1333).apply(sample, random);
        QCOMPARE(QSize(sample.image.width, sample.image.height), scaled);
        QCOMPARE(sample.info.scaleX, double(scaled.width()) / file.width());
        QVERIFY(std::abs(sample.objects[0].box.x2 - float(100 * sample.info.scaleX)) < 1e-3f);
        QVERIFY(sample.proposals[0] == sample.objects[0].box);
        QCOMPARE(sample.objects[0].mask->width, scaled.width());
    }

    void drawsItsScaleFromTheList() {
        std::map<int, int> heights;
        Random random(3);
        for (int i = 0; i < 300; ++i) {
            Sample sample;
            sample.image = plainImage(60, 30);
            ScaleShorterSide({40, 60, 90}, 1000).apply(sample, random);
            ++heights[sample.image.height];
        }
        QCOMPARE(heights.size(), std::size_t(3));
        for (const int height : {40, 60, 90})
            QVERIFY(heights[height] > 60); // a hundred each, give or take
    }

    void theChainFollowsTheInput() {
        RunConfig config = detectionConfig();
        config.data.resize.scales = {60};
        config.data.resize.validationScale = 30;
        Sample training = world(), validation = world();
        Random random(1);
        makeTransforms(config, TaskKind::Detection, true).apply(training, random);
        makeTransforms(config, TaskKind::Detection, false).apply(validation, random);
        QCOMPARE(std::min(training.image.width, training.image.height), 60);
        QCOMPARE(validation.image.height, 30);
        QCOMPARE(validation.image.width, 50); // nothing is padded yet
    }

    void flipMirrorsAndSwapsSides() {
        Sample sample = world();
        sample.objects[0].keypoints.assign(17, {});
        sample.objects[0].keypoints[5] = {{30, 20}, 2}; // left shoulder
        Random random(1);
        HorizontalFlip(1.0).apply(sample, random);
        QVERIFY((sample.objects[0].box == Box{120, 10, 180, 50}));
        QCOMPARE(sample.objects[0].keypoints[5].visibility, 0);
        QCOMPARE(sample.objects[0].keypoints[6].at.x, 170.f); // now the right one
        QVERIFY(isNear(colourBounds(sample.image, 0), sample.objects[0].box, 0));
        HorizontalFlip(0.0).apply(sample, random);
        QVERIFY((sample.objects[0].box == Box{120, 10, 180, 50}));
    }

    void whatIsCutOffIsIgnoredOrGone() {
        int ignored = 0, gone = 0, kept = 0;
        for (std::uint64_t seed = 0; seed < 200; ++seed) {
            Sample sample = world();
            Random random(seed);
            RandomWindow(3.0, 3.0).apply(sample, random);
            gone += 2 - int(sample.objects.size());
            for (const auto& object : sample.objects) {
                QVERIFY(object.box.width() >= 1 && object.box.height() >= 1);
                QVERIFY(object.box.x1 >= 0 && object.box.x2 <= float(sample.image.width));
                const double share = object.box.area() / (object.label == 0 ? 60.0 * 40 : 70.0 * 50);
                QCOMPARE(object.isCrowd, share < 0.3);
                ignored += object.isCrowd;
                kept += !object.isCrowd;
            }
        }
        QVERIFY(ignored > 20 && gone > 20 && kept > 20);
    }

    void wordsBecomeTheNetworksSize_data() {
        QTest::addColumn<int>("channels");
        QTest::addColumn<bool>("isForTraining");
        QTest::newRow("grey") << 1 << false;
        QTest::newRow("colour") << 3 << false;
        QTest::newRow("grey, training") << 1 << true;
        QTest::newRow("colour, training") << 3 << true;
    }

    void wordsBecomeTheNetworksSize() {
        QFETCH(int, channels);
        QFETCH(bool, isForTraining);
        RunConfig config;
        config.model.crnn.channels = channels;
        config.data.crop = 0.1;
        config.data.rotate = 5;
        config.data.blur = 1;
        config.data.noise = 0.05;
        const auto chain = makeTransforms(config, TaskKind::Recognition, isForTraining);
        for (const int fileChannels : {1, 3}) {
            Sample sample;
            sample.image = plainImage(57, 23, fileChannels, 128);
            sample.info.transcript = "word";
            Random random(3);
            chain.apply(sample, random);
            QCOMPARE(sample.image.width, 100);
            QCOMPARE(sample.image.height, 32);
            QCOMPARE(sample.image.channels, channels);
            QCOMPARE(sample.image.pixels.size(), std::size_t(100 * 32 * channels));
            QCOMPARE(sample.info.scaleX, 100.0 / 57);
            QCOMPARE(sample.info.scaleY, 32.0 / 23);
            if (!isForTraining)
                QVERIFY(std::all_of(sample.image.pixels.begin(), sample.image.pixels.end(),
                                    [](auto v) { return v == 128; }));
        }
    }

    void noStepIsAddedThatDoesNothing() {
        RunConfig config = detectionConfig();
        config.data.flip = config.data.brightness = config.data.contrast = config.data.saturation = 0;
        config.data.scaleMin = config.data.scaleMax = 1;
        QCOMPARE(makeTransforms(config, TaskKind::Detection, true).transforms().size(), std::size_t(1));
        QCOMPARE(makeTransforms(config, TaskKind::Recognition, true).transforms().size(), std::size_t(1));
    }
};

QTEST_GUILESS_MAIN(tst_Transforms)
#include "tst_Transforms.moc"
