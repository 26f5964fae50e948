#include "app/engine/Predictor.h"
#include "app/engine/Task.h"
#include "core/models/ModelRegistry.h"
#include "tests/core/data/Worlds.h"

#include <cmath>

using namespace trainyard;
using namespace trainyard::testing;

namespace {

/// A RetinaNet of random weights, which finds something everywhere.
RunConfig smallConfig() {
    RunConfig config;
    config.model.type = "retinanet";
    config.model.norm = "group";
    config.model.retinanet.fpnChannels = 32;
    config.model.retinanet.headConvolutions = 1;
    config.model.retinanet.anchorSizes = {16, 32, 48, 64, 96};
    config.model.retinanet.inputSize = 96;
    config.model.retinanet.scoreThreshold = 0;
    config.model.retinanet.maxDetections = 20;
    return config;
}

LoadedModel loaded(const RunConfig& config) {
    LoadedModel model;
    model.config = config;
    model.classes = {"cat", "dog"};
    auto made = makeModel(config, {model.classes, 1});
    if (!made)
        qFatal("%s", made.error().sentence().c_str());
    model.model = *made;
    model.model->eval();
    model.task = Task::make(config, model.classes);
    return model;
}

/// Noise, and the same mirrored.
std::pair<Image, Image> twoImages(int width, int height) {
    Random random(5);
    Image image{width, height, 3, {}};
    for (int i = 0; i < width * height * 3; ++i)
        image.pixels.push_back(std::uint8_t(random.uniform() * 256));
    Image other = image;
    for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x)
            std::copy_n(image.row(y) + 3 * x, 3, other.row(y) + 3 * (width - 1 - x));
    return {image, other};
}

std::vector<Detection> found(const RunConfig& config, const std::string& file) {
    auto predictor = Predictor::make(loaded(config));
    if (!predictor)
        qFatal("%s", predictor.error().sentence().c_str());
    const auto prediction = predictor->predict(file);
    if (!prediction)
        qFatal("%s", prediction.error().sentence().c_str());
    return prediction->prediction.detections;
}

/// The largest distance of a box of `a` from its mirrored partner in `b`, both sorted by score.
double distance(const std::vector<Detection>& a, const std::vector<Detection>& b, int width) {
    double most = a.size() == b.size() ? 0 : 1e9;
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i)
        for (const double one : {double(width) - a[i].box.x2 - b[i].box.x1, double(width) - a[i].box.x1 - b[i].box.x2,
                                 double(a[i].box.y1) - b[i].box.y1, double(a[i].box.y2) - b[i].box.y2})
            most = std::max(most, std::abs(one));
    return most;
}

} // namespace

class tst_Views : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void theFlipOnlyResultIsSymmetric() {
        ScratchFolder folder;
        const auto [image, mirrored] = twoImages(80, 60);
        const std::string one = (folder / "one.png").string(), other = (folder / "other.png").string();
        VERIFY_RESULT(writeImage(one, image));
        VERIFY_RESULT(writeImage(other, mirrored));
        RunConfig config = smallConfig();
        QVERIFY(distance(found(config, one), found(config, other), 80) > 1); // by itself it is not
        config.evaluate.augment.boxes.flip = true;
        const auto a = found(config, one), b = found(config, other);
        QVERIFY(a.size() > 5);
        QVERIFY2(distance(a, b, 80) < 0.01, qPrintable(QString::number(distance(a, b, 80))));
    }

    // Whatever the view, what it finds lies in the pixels of the file: the whole image as one box stays that.
    void everyViewAnswersInPixelsOfTheFile() {
        RunConfig config = smallConfig();
        auto& boxes = config.evaluate.augment.boxes;
        boxes.flip = boxes.scaleFlip = boxes.aspectRatioFlip = true;
        boxes.scales = {64, 160};
        boxes.aspectRatios = {0.5, 2};
        const auto views = planViews(config);
        QCOMPARE(views.size(), std::size_t(1 + 2 * 2 + 2 * 2 + 1));
        const auto [image, mirrored] = twoImages(80, 60);
        for (const PlannedView& view : views) {
            Sample sample;
            sample.image = image;
            sample.info.width = 80;
            sample.info.height = 60;
            Random random(1);
            view.transforms->apply(sample, random);
            QVERIFY(sample.info.scaleX > 0); // a mirrored view tells nobody
            QCOMPARE(sample.info.offsetX, 0.0);
            const bool isTouching = std::abs(sample.info.scaleX * 80 - sample.image.width) < 1 ||
                                    std::abs(sample.info.scaleY * 60 - sample.image.height) < 1;
            QVERIFY(isTouching); // the picture fills its square one way
        }
        QVERIFY(!views.back().view.isMirrored);
        QCOMPARE(views.back().view.enlargement, 1.0);
        QVERIFY(views[0].view.isMirrored);
        QCOMPARE(views[1].view.enlargement, 64.0 / 96);
        QVERIFY(std::abs(views[3].view.enlargement - 160.0 / 96) < 1e-12);
    }

    void eachKindOfResultHasItsViews() {
        RunConfig config = smallConfig();
        config.evaluate.augment.boxes.flip = true;
        config.evaluate.augment.masks.scales = {128};
        config.evaluate.augment.keypoints.flip = true;
        const auto views = planViews(config);
        QCOMPARE(views.size(), std::size_t(3));
        const auto uses = [&](std::size_t i) {
            return std::vector<bool>{views[i].view.forBoxes, views[i].view.forMasks, views[i].view.forKeypoints};
        };
        QVERIFY(uses(0) == (std::vector<bool>{true, false, true}));
        QVERIFY(uses(1) == (std::vector<bool>{false, true, false}));
        QVERIFY(uses(2) == (std::vector<bool>{true, true, true}));
    }

    void wordsAreSeenOnce() {
        RunConfig config;
        config.model.type = "crnn";
        config.evaluate.augment.boxes.flip = true;
        QCOMPARE(planViews(config).size(), std::size_t(1));
    }

    void severalSizesAreUnited() {
        ScratchFolder folder;
        const std::string file = (folder / "one.png").string();
        VERIFY_RESULT(writeImage(file, twoImages(80, 60).first));
        RunConfig config = smallConfig();
        config.model.retinanet.maxDetections = 10000;
        const auto plain = found(config, file);
        config.evaluate.augment.boxes.scales = {64};
        const auto united = found(config, file);
        QVERIFY(united.size() > plain.size()); // some boxes of the other size overlap nothing
        for (const Detection& one : united)
            QVERIFY(one.box.x1 >= 0 && one.box.x2 <= 80 && one.box.y1 >= 0 && one.box.y2 <= 60);
    }
};

QTEST_GUILESS_MAIN(tst_Views)
#include "tst_Views.moc"
