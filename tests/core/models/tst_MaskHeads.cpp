#include "core/models/detection/KeypointHead.h"
#include "core/models/detection/MaskHead.h"
#include "core/nn/Threads.h"
#include "core/telemetry/RunLength.h"
#include "tests/core/models/Reference.h"

using namespace trainyard;
using namespace trainyard::testing;

namespace {

torch::Tensor values(const std::string& name, torch::IntArrayRef sizes) {
    return noise(name, sizes).to(torch::kFloat);
}

} // namespace

class tst_MaskHeads : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { configureThreads(1); }

    /// D66: names and values of the head, plain and dilated; an output of twice the size.
    void maskHeadEqualsTorchvision() {
        const torch::NoGradGuard noGradients;
        const auto expected = reference("mask_heads.json");
        const auto pooled = values("mask pooled", {2, 4, 5, 5});
        MaskHead plain(MaskHeadShape{4, 8, 2}), dilated(MaskHeadShape{4, 8, 3, 2});
        MaskPredictor predictor(8, 6, 3);
        for (torch::nn::Module* module : std::vector<torch::nn::Module*>{&plain, &dilated, &predictor})
            fillLikeReference(*module);
        QVERIFY(largestDifference(dilated.forward(pooled), tensorOf(expected["dilated"], {2, 8, 5, 5})) < 1e-5);
        const auto masks = predictor.forward(plain.forward(pooled));
        QVERIFY(largestDifference(masks, tensorOf(expected["masks"], {2, 3, 10, 10})) < 1e-5);
    }

    void normsReplaceTheBias() {
        const MaskHead head(MaskHeadShape{4, 32, 1, 1, "group"});
        QCOMPARE(namesAndShapes(head.named_parameters()),
                 (std::vector<std::string>{"0.0.weight [32,4,3,3]", "0.1.weight [32]", "0.1.bias [32]"}));
    }

    /// A kernel that looks at its lower right corner alone shifts the map by the dilation. Detectron's head of this
    /// kind pads for the dilation and does not dilate, so that its maps grow.
    void aNormalisedHeadDilatesToo() {
        const torch::NoGradGuard noGradients;
        MaskHead head(MaskHeadShape{32, 32, 1, 2, "group"});
        const auto regions = values("mask regions", {2, 32, 7, 7});
        head.named_parameters()["0.0.weight"].zero_().select(3, 2).select(2, 2).copy_(torch::eye(32));
        const auto shifted = torch::constant_pad_nd(regions.slice(2, 2).slice(3, 2), {0, 2, 0, 2});
        const auto expected = torch::relu(torch::group_norm(shifted, 32));
        const auto found = head.forward(regions);
        QCOMPARE(found.sizes().vec(), (std::vector<std::int64_t>{2, 32, 7, 7}));
        QVERIFY(largestDifference(found, expected) < 1e-5);
    }

    void masksAreLaidIntoThePicture() {
        const auto expected = reference("mask_heads.json");
        const auto masks = values("small masks", {4, 6, 6}) * 0.5 + 0.5;
        for (std::int64_t i = 0; i < 4; ++i) {
            const auto box = expected["boxes"][std::size_t(i)].get<std::vector<float>>();
            const Box place{box[0], box[1], box[2], box[3]};
            const auto picture = tensorOf(expected["pasted"][std::size_t(i)], {30, 40});
            QVERIFY(largestDifference(pastedMask(masks[i], place, 30, 40), picture) < 2e-5);
            const auto pixels = runlength::pixels(maskInPicture(masks[i], place, 30, 40));
            for (std::int64_t p = 0; p < 30 * 40; ++p)
                if (const double value = picture.view(-1)[p].item<double>(); std::abs(value - 0.5) > 1e-4)
                    QCOMPARE(pixels[std::size_t(p)] > 0, value > 0.5);
        }
        QCOMPARE(runlength::area(maskInPicture(masks[0], {100, 100, 120, 130}, 30, 40)), std::int64_t(0));
    }

    /// D67: the head, and where its maps are highest.
    void keypointHeadEqualsTorchvision() {
        const torch::NoGradGuard noGradients;
        const auto expected = reference("mask_heads.json");
        KeypointHead head(4, 8, 2);
        KeypointPredictor predictor(8, 3);
        fillLikeReference(head);
        fillLikeReference(predictor);
        const auto heat = predictor.forward(head.forward(values("mask pooled", {2, 4, 5, 5})));
        QVERIFY(largestDifference(heat, tensorOf(expected["heat"], {2, 3, 20, 20})) < 1e-5);
    }

    void keypointsAreWhereTorchvisionFindsThem() {
        const auto expected = reference("mask_heads.json");
        const auto u = values("people", {5, 4});
        const auto corner = torch::tensor({45.F, 35.F}) + torch::tensor({40.F, 30.F}) * u.slice(1, 0, 2);
        const auto people = torch::cat({corner, corner + 17 + 12 * u.slice(1, 2, 4)}, 1);
        const auto found = keypointsOf(values("heat", {5, 3, 8, 8}) * 4, people);
        const auto points = tensorOf(expected["points"], {5, 3, 3});
        QVERIFY(largestDifference(found.slice(2, 0, 2), points.slice(2, 0, 2)) < 1e-3);
        QVERIFY(largestDifference(found.select(2, 2), tensorOf(expected["scores"], {5, 3})) < 1e-4);
    }

    void nothingGivesNothing() {
        const torch::NoGradGuard noGradients;
        QCOMPARE(keypointsOf(torch::zeros({0, 3, 8, 8}), torch::zeros({0, 4})).sizes().vec(),
                 std::vector<std::int64_t>({0, 3, 3}));
        MaskHead head(MaskHeadShape{4, 8, 2});
        MaskPredictor predictor(8, 6, 3);
        QCOMPARE(predictor.forward(head.forward(torch::zeros({0, 4, 5, 5}))).sizes().vec(),
                 std::vector<std::int64_t>({0, 3, 10, 10}));
    }
};

QTEST_GUILESS_MAIN(tst_MaskHeads)
#include "tst_MaskHeads.moc"
