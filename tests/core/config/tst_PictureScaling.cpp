#include "core/config/PictureScaling.h"
#include "tests/support/TestData.h"

using namespace trainyard;

using Sides = std::vector<std::int64_t>;

class tst_PictureScaling : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void aModelHasItsSquareUnlessScalesAreGiven() {
        RunConfig config;
        config.model.type = "retinanet";
        config.model.retinanet.inputSize = 256;
        QCOMPARE(pictureScaling(config, true).square, 256);
        QCOMPARE(pictureScaling(config, true).padTo, 1);
        config.data.resize.scales = {480, 512};
        config.data.resize.maxSize = 900;
        const PictureScaling scaling = pictureScaling(config, true);
        QCOMPARE(scaling.square, 0);
        QCOMPARE(scaling.scales, (Sides{480, 512}));
        QCOMPARE(scaling.maxSize, 900);
        QCOMPARE(scaling.padTo, 32);
    }

    void outsideTrainingOneScaleIsUsed() {
        RunConfig config;
        config.model.type = "retinanet";
        config.data.resize.scales = {640, 672, 800};
        QCOMPARE(pictureScaling(config, false).scales, Sides{800});
        QCOMPARE(pictureScaling(config, false).maxSize, 1333);
        config.data.resize.validationScale = 500;
        config.data.resize.validationMaxSize = 833;
        QCOMPARE(pictureScaling(config, false).scales, Sides{500});
        QCOMPARE(pictureScaling(config, false).maxSize, 833);
        QCOMPARE(pictureScaling(config, true).scales, (Sides{640, 672, 800}));
    }
};

QTEST_GUILESS_MAIN(tst_PictureScaling)
#include "tst_PictureScaling.moc"
