#include "core/loader/Collation.h"
#include "tests/support/TestData.h"

#include <ATen/ATen.h>

using namespace trainyard;

namespace {

Sample picture(int width, int height, std::vector<std::uint8_t> pixel) {
    Sample sample;
    sample.image = {width, height, int(pixel.size()), {}};
    for (int i = 0; i < width * height; ++i)
        sample.image.pixels.insert(sample.image.pixels.end(), pixel.begin(), pixel.end());
    return sample;
}

ObjectAnnotation thing(Box box, int label, bool isCrowd = false) {
    ObjectAnnotation object;
    object.box = box;
    object.label = label;
    object.isCrowd = isCrowd;
    return object;
}

template <class T>
std::vector<T> valuesOf(const at::Tensor& tensor) {
    const at::Tensor flat = tensor.contiguous().view(-1);
    return std::vector<T>(flat.data_ptr<T>(), flat.data_ptr<T>() + flat.numel());
}

} // namespace

class tst_Collation : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void normalisesForDetection() {
        RunConfig config;
        std::vector<Sample> samples = {picture(2, 1, {255, 0, 128})};
        const Batch batch = Collation(config, TaskKind::Detection).collate(samples, 1).front();
        QCOMPARE(batch.images.sizes().vec(), (std::vector<std::int64_t>{1, 3, 1, 2}));
        QVERIFY(batch.images.is_contiguous(at::MemoryFormat::ChannelsLast));
        // by hand: (1 - 0.485) / 0.229, (0 - 0.456) / 0.224, (128 / 255 - 0.406) / 0.225
        const std::vector<double> expected = {2.2489083, -2.0357143, 0.4264924};
        for (int channel = 0; channel < 3; ++channel)
            for (int x = 0; x < 2; ++x)
                QVERIFY(std::abs(batch.images[0][channel][0][x].item<double>() - expected[std::size_t(channel)]) <
                        1e-6);
    }

    void followsTheRecogniserAtHand() {
        RunConfig config;
        config.model.type = "aster"; // colour, 94 characters, cases apart
        std::vector<Sample> samples = {picture(1, 1, {0, 255, 51})};
        samples[0].info.transcript = "0aA~";
        const Batch batch = Collation(config, TaskKind::Recognition).collate(samples, 1).front();
        QCOMPARE(valuesOf<float>(batch.images), (std::vector<float>{-1.0f, 1.0f, -0.6f}));
        QCOMPARE(valuesOf<std::int64_t>(batch.targets.at("labels")), (std::vector<std::int64_t>{1, 11, 37, 94}));
    }

    void normalisesForRecognition() {
        RunConfig config;
        std::vector<Sample> samples = {picture(1, 1, {255}), picture(1, 1, {0}), picture(1, 1, {51})};
        const Batch batch = Collation(config, TaskKind::Recognition).collate(samples, 1).front();
        QCOMPARE(valuesOf<float>(batch.images), (std::vector<float>{1.0f, -1.0f, -0.6f}));
    }

    void convertsGreyAndColour() {
        RunConfig config;
        config.model.crnn.channels = 3;
        std::vector<Sample> grey = {picture(1, 1, {255})};
        QCOMPARE(valuesOf<float>(Collation(config, TaskKind::Recognition).collate(grey, 1)[0].images),
                 (std::vector<float>{1, 1, 1}));
        config.model.crnn.channels = 1;
        std::vector<Sample> green = {picture(1, 1, {0, 255, 0})}; // 0.587 of 255 is 150
        const float value = Collation(config, TaskKind::Recognition).collate(green, 1)[0].images.item<float>();
        QVERIFY(std::abs(value - (150 / 255.0 - 0.5) / 0.5) < 1e-6);
    }

    void padsEveryPartToOneSizeWithZeros() {
        RunConfig config;
        std::vector<Sample> samples = {picture(2, 3, {9, 9, 9}), picture(5, 1, {9, 9, 9})};
        samples[0].info.width = 4; // scaled by half
        samples[0].info.height = 6;
        samples[0].info.scaleX = samples[0].info.scaleY = 0.5;
        const auto parts = Collation(config, TaskKind::Detection).collate(samples, 2);
        for (const Batch& part : parts)
            QCOMPARE(part.images.sizes().vec(), (std::vector<std::int64_t>{1, 3, 3, 5}));
        QCOMPARE(parts[0].images.slice(3, 2).abs().sum().item<float>(), 0.0f);
        QCOMPARE(parts[1].images.slice(2, 1).abs().sum().item<float>(), 0.0f);
        QCOMPARE(valuesOf<std::int64_t>(parts[0].targets.at("sizes")), (std::vector<std::int64_t>{3, 2}));
        QCOMPARE(valuesOf<std::int64_t>(parts[1].targets.at("sizes")), (std::vector<std::int64_t>{1, 5}));
    }

    void aMirroredPictureEndsAtItsOffset() {
        std::vector<Sample> samples = {picture(8, 8, {9, 9, 9})};
        samples[0].info.width = samples[0].info.height = 12;
        samples[0].info.scaleX = -0.5;
        samples[0].info.offsetX = 6;
        samples[0].info.scaleY = 0.5;
        const Batch batch = Collation({}, TaskKind::Detection).collate(samples, 1).front();
        QCOMPARE(valuesOf<std::int64_t>(batch.targets.at("sizes")), (std::vector<std::int64_t>{6, 6}));
    }

    void listsObjectsImageByImage() {
        RunConfig config;
        std::vector<Sample> samples(3, picture(4, 4, {0, 0, 0}));
        samples[0].objects = {thing({0, 0, 2, 2}, 1), thing({1, 1, 1, 3}, 5),
                              thing({0, 1, 4, 4}, 0, true)}; // the second has no area
        samples[2].objects = {thing({1, 2, 3, 4}, 2)};
        const Batch batch = Collation(config, TaskKind::Detection).collate(samples, 1).front();
        QCOMPARE(valuesOf<float>(batch.targets.at("boxes")), (std::vector<float>{0, 0, 2, 2, 0, 1, 4, 4, 1, 2, 3, 4}));
        QCOMPARE(valuesOf<std::int64_t>(batch.targets.at("labels")), (std::vector<std::int64_t>{1, 0, 2}));
        QCOMPARE(valuesOf<std::int64_t>(batch.targets.at("counts")), (std::vector<std::int64_t>{2, 0, 1}));
        QCOMPARE(valuesOf<bool>(batch.targets.at("crowd")), (std::vector<bool>{false, true, false}));
    }

    void makesABatchWithoutObjects() {
        RunConfig config;
        std::vector<Sample> samples = {picture(4, 4, {0, 0, 0})};
        const Batch batch = Collation(config, TaskKind::Detection).collate(samples, 1).front();
        QCOMPARE(batch.targets.at("boxes").sizes().vec(), (std::vector<std::int64_t>{0, 4}));
    }

    void numbersCharactersFromOne() {
        RunConfig config;
        config.model.crnn.alphabet = "abcß";
        std::vector<Sample> samples(3, picture(1, 1, {0}));
        samples[0].info.transcript = "Cab";
        samples[1].info.transcript = "";
        samples[2].info.transcript = "ßa?b"; // the unknown one stands for nothing
        const Batch batch = Collation(config, TaskKind::Recognition).collate(samples, 1).front();
        QCOMPARE(valuesOf<std::int64_t>(batch.targets.at("labels")), (std::vector<std::int64_t>{3, 1, 2, 4, 1, 2}));
        QCOMPARE(valuesOf<std::int64_t>(batch.targets.at("lengths")), (std::vector<std::int64_t>{3, 0, 3}));
    }
};

QTEST_GUILESS_MAIN(tst_Collation)
#include "tst_Collation.moc"
