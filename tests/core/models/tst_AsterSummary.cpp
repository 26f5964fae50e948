#include "core/models/recognition/Aster.h"
#include "tests/core/models/AsterWorld.h"
#include "tests/support/TestData.h"

using namespace trainyard;
using namespace trainyard::testing;

class tst_AsterSummary : public QObject {
    Q_OBJECT
private Q_SLOTS:
    // Four tags of two pictures: what came in and what was straightened, the first two and the last two of three words.
    void showsWordsBeforeAndAfterStraightening() {
        const AsterConfig config = smallAster();
        Aster model(config, "batch");
        fillLikeAsterReference(model, config);
        model.eval();
        const Batch batch = asterBatch();
        const auto summary = model.summary(batch);
        std::map<std::string, torch::Tensor> pictures(summary.pictures.begin(), summary.pictures.end());
        QCOMPARE(pictures.size(), std::size_t(8));
        for (const char* number : {"1", "2"})
            for (const char* place : {"0", "1"}) {
                const std::string end = std::string(number) + "/image/" + place;
                QCOMPARE(pictures.at("InputImage" + end).sizes().vec(), (std::vector<std::int64_t>{3, 40, 72}));
                QCOMPARE(pictures.at("RectifiedImage" + end).sizes().vec(), (std::vector<std::int64_t>{3, 32, 40}));
            }
        // -1 is black and 1 is white: half way between two bytes at most
        const auto shown = pictures.at("InputImage1/image/1").to(torch::kFloat) / 127.5 - 1;
        QVERIFY(torch::allclose(shown, batch.images[1].clamp(-1, 1), 0, 0.5 / 127.5 + 1e-6));
        QVERIFY(torch::equal(pictures.at("InputImage1/image/1"), pictures.at("InputImage2/image/0"))); // the middle one
        QCOMPARE(summary.values.size(), std::size_t(2));
        QCOMPARE(summary.values[0].first, std::string("fc1"));
        QCOMPARE(summary.values[0].second.sizes().vec(), (std::vector<std::int64_t>{3, 512}));
        QCOMPARE(summary.values[1].second.numel(), std::int64_t(3 * 6 * 2));
    }

    void hasNothingToShowWithoutARectifier() {
        AsterConfig config = smallAster();
        config.rectifier = false;
        config.height = 32;
        Aster model(config, "batch");
        QVERIFY(model.summary({}).pictures.empty());
    }
};

QTEST_GUILESS_MAIN(tst_AsterSummary)
#include "tst_AsterSummary.moc"
