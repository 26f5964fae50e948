#include "core/models/detection/BalancedSample.h"
#include "core/models/detection/RoiLevels.h"
#include "core/models/detection/RoiSampling.h"
#include "core/nn/Threads.h"
#include "tests/core/models/Reference.h"

#include <set>

using namespace trainyard;
using namespace trainyard::testing;

namespace {

torch::Tensor values(const std::string& name, torch::IntArrayRef sizes) {
    return noise(name, sizes).to(torch::kFloat);
}

torch::Tensor referenceBoxes(const std::string& name, std::int64_t count) {
    const auto u = values(name, {count, 4});
    const auto corner = torch::tensor({45.F, 35.F}) + torch::tensor({40.F, 30.F}) * u.slice(1, 0, 2);
    return torch::cat({corner, corner + 17 + 12 * u.slice(1, 2, 4)}, 1);
}

ImageObjects objectsOf(const torch::Tensor& boxes, const std::vector<std::int64_t>& labels) {
    return {boxes, torch::tensor(labels, torch::kLong), torch::zeros({boxes.size(0)}, torch::kBool), 96, 128};
}

/// Objects, and proposals beside and around them.
ImageObjects someObjects() {
    return objectsOf(referenceBoxes("objects 0", 6), {0, 2, 1, 0, 1, 2});
}
torch::Tensor someProposals() {
    const auto near = referenceBoxes("objects 0", 6).repeat({5, 1}) + 2 * values("jitter", {30, 4});
    return torch::cat({referenceBoxes("proposals 0", 30), near});
}

} // namespace

class tst_RegionSampling : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { configureThreads(1); }

    void drawsWithoutReplacement() {
        std::vector<std::int64_t> labels(100, 0);
        for (std::size_t i = 0; i < 100; i += 5)
            labels[i] = i % 10 == 0 ? 3 : -1; // 10 objects, 10 of neither kind
        Random random(1), same(1);
        const auto sample = drawBalanced(labels, 30, 4, random);
        QCOMPARE(sample.positives.size(), std::size_t(4));
        QCOMPARE(sample.negatives.size(), std::size_t(26));
        for (const auto row : sample.positives)
            QCOMPARE(labels[std::size_t(row)], std::int64_t(3));
        for (const auto row : sample.negatives)
            QCOMPARE(labels[std::size_t(row)], std::int64_t(0));
        QCOMPARE(std::set(sample.negatives.begin(), sample.negatives.end()).size(), std::size_t(26));
        const auto again = drawBalanced(labels, 30, 4, same);
        QCOMPARE(again.positives, sample.positives);
        QCOMPARE(again.negatives, sample.negatives);
        const auto all = drawBalanced(labels, 1000, 1000, random);
        QCOMPARE(all.positives.size(), std::size_t(10));
        QCOMPARE(all.negatives.size(), std::size_t(80));
    }

    void everyRowIsDrawnAsOften() {
        const std::vector<std::int64_t> labels(10, 0);
        std::vector<int> counts(10, 0);
        Random random(5);
        for (int i = 0; i < 2000; ++i)
            for (const auto row : drawBalanced(labels, 3, 0, random).negatives)
                ++counts[std::size_t(row)];
        for (const int count : counts) // 600 expected, deviation 20
            QVERIFY(count > 500 && count < 700);
    }

    /// D63 in torchvision's convention, with objects and without.
    void samplesEqualTorchvision() {
        RoiSamplingRules rules;
        rules.regionsAnImage = 1000000;
        rules.foregroundShare = 1;
        Random random(1);
        const auto expected = reference("rpn.json")["sampling"];
        const std::vector<RoiSample> samples = {
            sampleRois(someProposals(), someObjects(), rules, random),
            sampleRois(referenceBoxes("proposals 1", 40), objectsOf(torch::zeros({0, 4}), {}), rules, random)};
        for (std::size_t i = 0; i < 2; ++i) {
            const auto labels = tensorOf(expected[i]["labels"], {-1});
            const auto isObject = labels > 0;
            QVERIFY(largestDifference(samples[i].labels, labels) == 0);
            QVERIFY(largestDifference(samples[i].boxes, tensorOf(expected[i]["boxes"], {-1, 4})) < 1e-4);
            const auto owners =
                torch::where(isObject, tensorOf(expected[i]["owners"], {-1}), torch::full_like(labels, -1));
            QVERIFY(largestDifference(samples[i].owners, owners) == 0);
        }
        const auto offsets = tensorOf(expected[0]["offsets"], {-1, 4}) * (samples[0].labels > 0).unsqueeze(1);
        QVERIFY(largestDifference(samples[0].offsets, offsets) < 1e-4);
        QVERIFY(samples[1].offsets.abs().max().item<float>() == 0);
    }

    /// D63: at most a quarter are objects; labels are right; the seed decides.
    void detectronDrawsAQuarterOfObjects() {
        RoiSamplingRules rules;
        rules.convention = BoxConvention::Detectron;
        rules.regionsAnImage = 30; // a quarter is 7.5: rounded to the even 8
        const auto image = someObjects();
        Random random(7), same(7), other(8);
        const auto sample = sampleRois(someProposals(), image, rules, random);
        QCOMPARE(sample.labels.size(0), std::int64_t(30));
        QCOMPARE((sample.labels > 0).sum().item<std::int64_t>(), std::int64_t(8));
        const auto iou = pairwiseIou(sample.boxes, image.boxes, BoxConvention::Detectron);
        for (std::int64_t i = 0; i < 30; ++i) {
            const auto best = iou[i].argmax().item<std::int64_t>();
            const bool isObject = iou[i][best].item<float>() >= 0.5F;
            QCOMPARE(isObject, i < 8); // objects first
            QCOMPARE(sample.labels[i].item<std::int64_t>(), isObject ? image.labels[best].item<std::int64_t>() + 1 : 0);
            QCOMPARE(sample.owners[i].item<std::int64_t>(), isObject ? best : -1);
        }
        const auto again = sampleRois(someProposals(), image, rules, same);
        QVERIFY(isEqual(again.boxes, sample.boxes) && isEqual(again.labels, sample.labels));
        QVERIFY(!isEqual(sampleRois(someProposals(), image, rules, other).boxes, sample.boxes));
        // D50: the targets lead back to the objects.
        const BoxCoder coder{{10, 10, 5, 5}, BoxCoder{}.largestLogSize, BoxConvention::Detectron};
        const auto decoded = coder.decode(sample.offsets, sample.boxes).slice(0, 0, 8);
        QVERIFY(largestDifference(decoded, image.boxes.index_select(0, sample.owners.slice(0, 0, 8))) < 1e-3);
    }

    void backgroundHasAFloorAndCrowdsAreLeftOut() {
        auto image = objectsOf(torch::tensor({0.F, 0.F, 20.F, 20.F, 50.F, 50.F, 90.F, 90.F}).reshape({2, 4}), {0, 0});
        image.isCrowd[1] = true;
        const auto proposals = torch::tensor({55.F, 55.F, 70.F, 70.F,   // inside the crowd
                                              85.F, 85.F, 110.F, 110.F, // a corner of it
                                              0.F, 10.F, 20.F, 40.F,    // overlaps the object by a quarter
                                              30.F, 0.F, 40.F, 20.F})   // touches nothing
                                   .reshape({4, 4});
        RoiSamplingRules rules;
        rules.regionsAnImage = 10;
        Random random(1);
        const auto sample = sampleRois(proposals, image, rules, random);
        QVERIFY(isEqual(sample.labels, torch::tensor({0, 0, 0, 1}, torch::kLong)));
        QVERIFY(isEqual(sample.boxes.slice(0, 0, 3), proposals.slice(0, 1, 4)));
        rules.leastBackgroundIou = 0.1;
        const auto hard = sampleRois(proposals, image, rules, random);
        QVERIFY(isEqual(hard.boxes.slice(0, 0, 1), proposals.slice(0, 2, 3)));
        QCOMPARE(hard.labels.size(0), std::int64_t(2));
        rules.leastBackgroundIou = 0;
        rules.crowdShare = 2;
        QCOMPARE(sampleRois(proposals, image, rules, random).labels.size(0), std::int64_t(5));
    }

    /// D62: each region on its level, in the order of the regions.
    void poolingOverLevelsEqualsTorchvision() {
        const auto expected = reference("rpn.json")["pooling"];
        std::vector<torch::Tensor> features;
        for (int i = 0; i < 4; ++i)
            features.push_back(values("pool level " + std::to_string(i), {2, 3, 64 >> i, 80 >> i}));
        const auto corner = 60 * (values("pool corners", {2, 12, 2}) + 1);
        const auto size = torch::pow(2, 7 + 2.2 * values("pool sizes", {2, 12, 2}));
        auto boxes = torch::cat({corner, corner + size}, 2);
        boxes[0][0].copy_(torch::tensor({0.F, 0.F, 224.F, 224.F}));
        boxes[0][1].copy_(torch::tensor({0.F, 0.F, 111.9F, 112.F}));
        const auto rois = roisOf({boxes[0], boxes[1]});
        QVERIFY(largestDifference(levelsOf(rois.slice(1, 1, 5), {}), tensorOf(expected["levels"], {24})) == 0);
        const auto pooled = alignOnLevels(features, rois, {3, 3, 1, 2, false}, {});
        QVERIFY(largestDifference(pooled, tensorOf(expected["values"], {24, 3, 3, 3})) < 1e-5);
    }

    void detectronLevelsByHand() {
        RoiLevelRules rules;
        rules.convention = BoxConvention::Detectron;
        // Sides of 224, 223, 448, 112, 111, 3 and 2000 pixels, end pixels included.
        const auto sides = torch::tensor({223.F, 222.F, 447.F, 111.F, 110.F, 2.F, 1999.F}).unsqueeze(1);
        const auto boxes = torch::cat({torch::zeros({7, 2}), sides, sides}, 1);
        QVERIFY(isEqual(levelsOf(boxes, rules), torch::tensor({2, 1, 3, 1, 0, 0, 3}, torch::kLong)));
    }

    void noRegionsArePooledToNothing() {
        const std::vector<torch::Tensor> features = {torch::ones({1, 3, 8, 8}), torch::ones({1, 3, 4, 4}),
                                                     torch::ones({1, 3, 2, 2}), torch::ones({1, 3, 1, 1})};
        const auto pooled = alignOnLevels(features, torch::zeros({0, 5}), {7, 7, 1, 2, false}, {});
        QCOMPARE(pooled.sizes().vec(), std::vector<std::int64_t>({0, 3, 7, 7}));
        QCOMPARE(roisOf({torch::zeros({0, 4}), torch::ones({1, 4})})[0][0].item<float>(), 1.F);
    }
};

QTEST_GUILESS_MAIN(tst_RegionSampling)
#include "tst_RegionSampling.moc"
