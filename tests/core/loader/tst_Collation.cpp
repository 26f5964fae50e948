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

    /// Pictures of 800 × 1067 and 600 × 900 become a batch of 800 × 1088: multiples of 32.
    void padsToAMultipleOfTheStride() {
        RunConfig config;
        config.model.type = "retinanet";
        config.data.resize.scales = {800};
        config.data.normalise = {"rgb", {0, 0, 0}, {1, 1, 1}};
        std::vector<Sample> samples = {picture(1067, 800, {9, 9, 9}), picture(900, 600, {9, 9, 9})};
        const Batch batch = Collation(config, TaskKind::Detection).collate(std::move(samples), 1).front();
        QCOMPARE(batch.images.sizes().vec(), (std::vector<std::int64_t>{2, 3, 800, 1088}));
        QCOMPARE(batch.images[0].to(at::kDouble).sum().item<double>(), 9.0 * 3 * 800 * 1067); // all else is zero
        QCOMPARE(batch.images[1].to(at::kDouble).sum().item<double>(), 9.0 * 3 * 600 * 900);
        QCOMPARE(valuesOf<std::int64_t>(batch.targets.at("sizes")), (std::vector<std::int64_t>{800, 1067, 600, 900}));
    }

    /// Detectron's: blue first, its means taken off, nothing divided.
    void subtractsTheMeansOfTheConfiguration() {
        RunConfig config;
        config.data.normalise = {"bgr", {102.9801, 115.9465, 122.7717}, {1, 1, 1}};
        std::vector<Sample> samples = {picture(1, 1, {255, 100, 7})};
        const auto values = valuesOf<float>(Collation(config, TaskKind::Detection).collate(samples, 1)[0].images);
        const double expected[] = {7 - 102.9801, 100 - 115.9465, 255 - 122.7717};
        for (std::size_t i = 0; i < 3; ++i)
            QVERIFY(std::abs(double(values[i]) - expected[i]) < 1e-5);
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

    /// Rows of keypoints, outlines and boxes are those of the same objects; what has no area is none.
    void listsKeypointsOutlinesAndProposals() {
        RunConfig config;
        config.model.type = "mask_keypoint_rcnn";
        config.model.rcnn.keypoint.keypoints = 2;
        config.model.rcnn.proposals = "given";
        std::vector<Sample> samples(2, picture(8, 8, {0, 0, 0}));
        samples[0].objects = {thing({0, 0, 4, 4}, 1), thing({2, 2, 2, 5}, 0), thing({1, 1, 6, 6}, 0)};
        samples[0].objects[0].keypoints = {{{1, 2}, 2}, {{3, 1}, 1}};
        samples[0].objects[1].keypoints = {{{9, 9}, 2}};
        samples[0].objects[2].keypoints = {{{5, 5}, 2}}; // one is missing
        samples[0].objects[2].polygons = {{{1, 1}, {6, 1}, {6, 6}}};
        samples[0].objects[0].mask = RunLengthMask{8, 8, {0, 8, 56}};
        samples[0].proposals = {{0, 0, 3, 3}, {1, 1, 7, 7}};
        samples[1].proposals = {{2, 2, 8, 8}};
        const Batch batch = Collation(config, TaskKind::Detection).collate(samples, 1).front();
        QCOMPARE(batch.targets.at("keypoints").sizes().vec(), (std::vector<std::int64_t>{2, 2, 3}));
        QCOMPARE(valuesOf<float>(batch.targets.at("keypoints")),
                 (std::vector<float>{1, 2, 2, 3, 1, 1, 5, 5, 2, 0, 0, 0}));
        QCOMPARE(batch.shapes.size(), std::size_t(2));
        QCOMPARE(batch.shapes[0].mask->counts, (std::vector<std::uint32_t>{0, 8, 56}));
        QCOMPARE(batch.shapes[1].polygons[0].size(), std::size_t(3));
        QCOMPARE(valuesOf<float>(batch.targets.at("proposals")),
                 (std::vector<float>{0, 0, 3, 3, 1, 1, 7, 7, 2, 2, 8, 8}));
        QCOMPARE(valuesOf<std::int64_t>(batch.targets.at("proposal_counts")), (std::vector<std::int64_t>{2, 1}));
        config.model.type = "retinanet"; // learns nothing of it
        const Batch plain = Collation(config, TaskKind::Detection).collate(samples, 1).front();
        QVERIFY(plain.shapes.empty() && !plain.targets.contains("keypoints") && !plain.targets.contains("proposals"));
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
