#include "core/models/detection/BoxHead.h"
#include "core/nn/Threads.h"
#include "tests/core/models/Reference.h"

using namespace trainyard;
using namespace trainyard::testing;

namespace {

torch::Tensor values(const std::string& name, torch::IntArrayRef sizes) {
    return noise(name, sizes).to(torch::kFloat);
}

/// The boxes of make_rpn_reference.py.
torch::Tensor referenceBoxes(const std::string& name, std::int64_t count) {
    const auto u = values(name, {count, 4});
    const auto corner = torch::tensor({45.F, 35.F}) + torch::tensor({40.F, 30.F}) * u.slice(1, 0, 2);
    return torch::cat({corner, corner + 17 + 12 * u.slice(1, 2, 4)}, 1);
}

RoiSample sampleOf(const torch::Tensor& labels, const torch::Tensor& offsets) {
    return {torch::zeros({labels.size(0), 4}), labels, labels, offsets};
}

/// What make_box_head_reference.py has its networks say.
BoxOutput referenceOutput() {
    TwoLayerHead head(4 * 3 * 3, 16);
    BoxPredictor predictor(16, 3, false);
    fillLikeReference(head);
    fillLikeReference(predictor);
    // Channels-last, as regions are pooled: the same values all the same.
    return predictor.forward(
        head.forward(values("pooled", {30, 4, 3, 3}).contiguous(torch::MemoryFormat::ChannelsLast)));
}

/// Detectron's two losses from their formulas, one region at a time.
std::pair<double, double> lossesByFormula(const torch::Tensor& logits, const torch::Tensor& offsets,
                                          const torch::Tensor& labels, const torch::Tensor& targets) {
    double entropy = 0, distance = 0;
    for (std::int64_t r = 0; r < labels.size(0); ++r) {
        const auto label = labels[r].item<std::int64_t>();
        double sum = 0;
        for (std::int64_t c = 0; c < logits.size(1); ++c)
            sum += std::exp(logits[r][c].item<double>());
        entropy += std::log(sum) - logits[r][label].item<double>();
        for (std::int64_t i = 0; label > 0 && i < 4; ++i) {
            const auto column = (offsets.size(1) == 8 ? 4 : 4 * label) + i;
            const double x = std::abs((offsets[r][column] - targets[r][i]).item<double>());
            distance += x < 1 ? 0.5 * x * x : x - 0.5;
        }
    }
    return {entropy / double(labels.size(0)), distance / double(labels.size(0))};
}

/// One class, of these probabilities, and boxes that stay where their regions are.
BoxOutput certain(const std::vector<float>& probabilities) {
    const auto p = torch::tensor(probabilities);
    return {torch::stack({torch::zeros_like(p), (p / (1 - p)).log()}, 1), torch::zeros({p.size(0), 8})};
}

} // namespace

class tst_BoxHead : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { configureThreads(1); }

    /// D76: soft suppression and box voting as the configuration asks for them.
    void suppressesAndVotesAsAsked() {
        const auto regions = torch::tensor({{0.F, 0.F, 10.F, 10.F}, {0.F, 0.F, 10.F, 8.F}}); // they share 80 of 100
        const BoxOutput output = certain({0.9F, 0.8F});
        BoxDetectionRules rules;
        const auto found = [&] { return detectionsOf(output, regions, {20, 20, 1}, rules); };
        QCOMPARE(found().size(), std::size_t(1));
        QCOMPARE(found()[0].box, (Box{0, 0, 10, 10}));
        rules.voting = BoxVotingRules{0.5, BoxVotingRules::Scoring::Unchanged, 1, BoxConvention::Torchvision};
        QVERIFY(std::abs(double(found()[0].box.y2) - (0.9 * 10 + 0.8 * 8) / 1.7) < 1e-5);
        rules.voting->scoring = BoxVotingRules::Scoring::Mean;
        QVERIFY(std::abs(double(found()[0].score) - 0.85) < 1e-6);
        rules.voting.reset();
        rules.softening = SoftNmsRules{SoftNmsRules::Method::Linear, 0.5, 0.5, 1e-4, BoxConvention::Torchvision};
        QCOMPARE(found().size(), std::size_t(2));
        QVERIFY(std::abs(double(found()[1].score) - 0.8 * (1 - 0.8)) < 1e-6);
        rules.softening->method = SoftNmsRules::Method::Gaussian;
        QVERIFY(std::abs(double(found()[1].score) - 0.8 * std::exp(-0.64 / 0.5)) < 1e-6);
    }

    /// D65 in torchvision's convention.
    void headAndLossesEqualTorchvision() {
        const torch::NoGradGuard noGradients;
        const auto expected = reference("box_head.json");
        const auto output = referenceOutput();
        QVERIFY(largestDifference(output.logits, tensorOf(expected["logits"], {30, 4})) < 1e-5);
        const auto labels = torch::tensor({0, 1, 0, 2, 3, 0, 0, 1, 0, 0}, torch::kLong).repeat({3});
        const auto targets = values("offset targets", {30, 4});
        const std::vector<RoiSample> samples = {sampleOf(labels.slice(0, 0, 12), targets.slice(0, 0, 12)),
                                                sampleOf(labels.slice(0, 12), targets.slice(0, 12))};
        for (const auto& [name, loss] : boxLosses(output, samples, BoxConvention::Torchvision))
            QVERIFY2(relativeError(loss.item<double>(), expected[name].get<double>()) < 1e-5, name.c_str());
    }

    void detectionsEqualTorchvision() {
        const torch::NoGradGuard noGradients;
        const auto expected = reference("box_head.json");
        auto output = referenceOutput();
        output.logits = output.logits * 2;
        const BoxDetectionRules rules{BoxConvention::Torchvision, 0.05, 0.3, 20, {10, 10, 5, 5}, {}, {}};
        const auto found = detectionsOf(output, referenceBoxes("regions", 30), {90, 120, 1}, rules);
        const auto boxes = tensorOf(expected["boxes"], {-1, 4});
        QCOMPARE(found.size(), expected["labels"].size());
        for (std::size_t i = 0; i < found.size(); ++i) {
            QCOMPARE(found[i].label + 1, expected["labels"][i].get<int>()); // ours count from 0, theirs have background
            QVERIFY(std::abs(double(found[i].score) - expected["scores"][i].get<double>()) < 1e-6);
            const auto box = torch::tensor({found[i].box.x1, found[i].box.y1, found[i].box.x2, found[i].box.y2});
            QVERIFY(largestDifference(box, boxes[std::int64_t(i)]) < 1e-3);
        }
    }

    /// D65: loss values and gradients against the formula, with and without a box for each class.
    void detectronLossesEqualTheirFormulas_data() {
        QTest::addColumn<int>("columns");
        QTest::newRow("a box for each class") << 16;
        QTest::newRow("one box") << 8;
    }
    void detectronLossesEqualTheirFormulas() {
        QFETCH(int, columns);
        const auto labels = torch::tensor({2, 0, 1, 3, 0, 2}, torch::kLong);
        const auto targets = noise("formula targets", {6, 4});
        const auto logits = noise("formula logits", {6, 4}).mul(3).set_requires_grad(true);
        const auto offsets = noise("formula offsets", {6, columns}).mul(2).set_requires_grad(true);
        const auto losses = boxLosses({logits, offsets}, {sampleOf(labels, targets)}, BoxConvention::Detectron);
        const auto [entropy, distance] = lossesByFormula(logits, offsets, labels, targets);
        QCOMPARE(losses[0].first, std::string("loss_cls"));
        QCOMPARE(losses[1].first, std::string("loss_bbox"));
        QVERIFY(relativeError(losses[0].second.item<double>(), entropy) < 1e-9);
        QVERIFY(relativeError(losses[1].second.item<double>(), distance) < 1e-9);

        (losses[0].second + losses[1].second).backward();
        for (const auto& leaf : {logits, offsets}) {
            for (std::int64_t i = 0; i < leaf.numel(); ++i) {
                const auto totalAt = [&](double step) {
                    const torch::NoGradGuard noGradients;
                    auto moved = leaf.detach().clone();
                    moved.view(-1)[i] += step;
                    const auto [e, d] = lossesByFormula(leaf.is_same(logits) ? moved : logits,
                                                        leaf.is_same(offsets) ? moved : offsets, labels, targets);
                    return e + d;
                };
                const double slope = (totalAt(1e-5) - totalAt(-1e-5)) / 2e-5;
                QVERIFY(std::abs(slope - leaf.grad().view(-1)[i].item<double>()) < 1e-8);
            }
        }
    }

    /// D51: 8 columns, of which each class takes the last four.
    void classesCanShareTheirBoxes() {
        const torch::NoGradGuard noGradients;
        const auto shared = BoxPredictor(16, 3, true).forward(values("features", {5, 16}));
        QCOMPARE(shared.offsets.sizes().vec(), std::vector<std::int64_t>({5, 8}));
        QCOMPARE(BoxPredictor(16, 3, false).forward(values("features", {5, 16})).offsets.size(1), std::int64_t(16));
        const auto logits = values("shared logits", {30, 4}) * 2, regions = referenceBoxes("regions", 30);
        const auto offsets = values("shared offsets", {30, 8});
        for (const auto convention : {BoxConvention::Torchvision, BoxConvention::Detectron}) {
            const BoxDetectionRules rules{convention, 0.05, 0.5, 50, {10, 10, 5, 5}, {}, {}};
            const auto tiled =
                detectionsOf({logits, offsets.slice(1, 4, 8).repeat({1, 4})}, regions, {90, 120, 1}, rules);
            const auto found = detectionsOf({logits, offsets}, regions, {90, 120, 1}, rules);
            QVERIFY(found.size() > 5);
            QCOMPARE(found.size(), tiled.size());
            for (std::size_t i = 0; i < found.size(); ++i) {
                QCOMPARE(found[i].box, tiled[i].box);
                QCOMPARE(found[i].label, tiled[i].label);
            }
        }
    }

    /// Detectron: all that share the last score are kept; boxes end with the picture's last pixel.
    void detectronKeepsTies() {
        const auto regions =
            torch::tensor({0.F, 0.F, 9.F, 9.F, 20.F, 0.F, 29.F, 9.F, 40.F, 0.F, 80.F, 9.F}).reshape({3, 4});
        const auto logits = torch::tensor({0.F, 2.F, 0.F, 1.F, 0.F, 1.F}).reshape({3, 2});
        BoxDetectionRules rules{BoxConvention::Detectron, 0.05, 0.5, 2, {10, 10, 5, 5}, {}, {}};
        const auto found = detectionsOf({logits, torch::zeros({3, 8})}, regions, {10, 60, 1}, rules);
        QCOMPARE(found.size(), std::size_t(3));
        QCOMPARE(found[2].box, (Box{40, 0, 59, 9}));
        rules.convention = BoxConvention::Torchvision;
        QCOMPARE(detectionsOf({logits, torch::zeros({3, 8})}, regions, {10, 60, 1}, rules).size(), std::size_t(2));
        rules.scoreThreshold = 0.75;
        QCOMPARE(detectionsOf({logits, torch::zeros({3, 8})}, regions, {10, 60, 1}, rules).size(), std::size_t(1));
    }

    void accuracyIsTheShareOfRightClasses() {
        const auto logits = torch::tensor({1.F, 0.F, 0.F, 1.F, 1.F, 0.F, 0.F, 1.F}).reshape({4, 2});
        const auto sample = sampleOf(torch::tensor({0, 1, 1, 1}, torch::kLong), torch::zeros({4, 4}));
        QCOMPARE(boxAccuracy({logits, torch::zeros({4, 8})}, {sample}), 0.75);
    }

    void noRegionsCostNothing() {
        const auto logits = torch::zeros({0, 4}).set_requires_grad(true), offsets = torch::zeros({0, 16});
        const auto sample = sampleOf(torch::zeros({0}, torch::kLong), torch::zeros({0, 4}));
        for (const auto convention : {BoxConvention::Torchvision, BoxConvention::Detectron})
            for (const auto& [name, loss] : boxLosses({logits, offsets}, {sample}, convention))
                QCOMPARE(loss.item<float>(), 0.F);
        QVERIFY(detectionsOf({logits, offsets}, torch::zeros({0, 4}), {10, 10, 1}, {}).empty());
    }
};

QTEST_GUILESS_MAIN(tst_BoxHead)
#include "tst_BoxHead.moc"
