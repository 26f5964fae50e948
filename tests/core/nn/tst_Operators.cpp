#include "core/nn/Boxes.h"
#include "core/nn/FocalLoss.h"
#include "core/nn/Nms.h"
#include "core/nn/RegressionLoss.h"
#include "core/nn/Threads.h"
#include "tests/core/models/Reference.h"

using namespace trainyard;
using namespace trainyard::testing;

namespace {

/// The boxes of make_reference.py.
torch::Tensor randomBoxes(const std::string& name, std::int64_t count) {
    const auto u = noise(name, {count, 4}).to(torch::kFloat);
    const auto corner = 50 + 40 * u.slice(1, 0, 2);
    return torch::cat({corner, corner + 15 + 10 * u.slice(1, 2, 4)}, 1);
}

/// Suppression by its definition, one pair at a time.
std::vector<std::int64_t> bruteForceNms(const torch::Tensor& boxes, const torch::Tensor& scores, double maxOverlap) {
    const auto iou = pairwiseIou(boxes, boxes);
    const auto order = std::get<1>(torch::sort(scores, /*stable=*/true, 0, /*descending=*/true));
    std::vector<std::int64_t> kept;
    for (std::int64_t i = 0; i < order.size(0); ++i) {
        const auto row = order[i].item<std::int64_t>();
        const bool isFree = std::all_of(kept.begin(), kept.end(), [&](std::int64_t other) {
            return iou[row][other].item<float>() <= float(maxOverlap);
        });
        if (isFree)
            kept.push_back(row);
    }
    return kept;
}

std::vector<std::int64_t> listOf(const torch::Tensor& rows) {
    return {rows.data_ptr<std::int64_t>(), rows.data_ptr<std::int64_t>() + rows.numel()};
}

/// Central differences of `loss` by every element of `at`.
torch::Tensor numericGradient(const std::function<double(const torch::Tensor&)>& loss, const torch::Tensor& at) {
    const torch::Tensor gradient = torch::empty_like(at);
    constexpr double kStep = 1e-5;
    for (std::int64_t i = 0; i < at.numel(); ++i) {
        auto up = at.clone(), down = at.clone();
        up.view(-1)[i] += kStep;
        down.view(-1)[i] -= kStep;
        gradient.view(-1)[i] = (loss(up) - loss(down)) / (2 * kStep);
    }
    return gradient;
}

} // namespace

class tst_Operators : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { configureThreads(1); }

    void nmsEqualsTorchvision() {
        const auto expected = reference("operators.json");
        const auto boxes = randomBoxes("boxes", 200), scores = noise("scores", {200}).to(torch::kFloat);
        const auto labels = (noise("labels", {200}) > 0).to(torch::kLong);
        QCOMPARE(listOf(nms(boxes, scores, 0.4)), expected["nms_0.4"].get<std::vector<std::int64_t>>());
        QCOMPARE(listOf(batchedNms(boxes, scores, labels, 0.4)),
                 expected["batched_nms_0.4"].get<std::vector<std::int64_t>>());
    }

    void nmsEqualsItsDefinition_data() {
        QTest::addColumn<double>("maxOverlap");
        for (const double overlap : {0.0, 0.3, 0.5, 0.9, 1.0})
            QTest::addRow("%g", overlap) << overlap;
    }
    void nmsEqualsItsDefinition() {
        QFETCH(double, maxOverlap);
        const auto boxes = randomBoxes("more boxes", 150);
        const auto scores = (noise("more scores", {150}) * 8).round().to(torch::kFloat); // many are equal
        QCOMPARE(listOf(nms(boxes, scores, maxOverlap)), bruteForceNms(boxes, scores, maxOverlap));
    }

    void nmsKeepsTheOrderOfEqualScores() {
        const auto boxes = torch::tensor({{0.F, 0.F, 4.F, 4.F}, {9.F, 9.F, 12.F, 12.F}, {0.F, 0.F, 4.F, 4.F}});
        QCOMPARE(listOf(nms(boxes, torch::ones({3}), 0.5)), (std::vector<std::int64_t>{0, 1}));
    }

    void nmsOfNothingIsNothing() { QCOMPARE(nms(torch::empty({0, 4}), torch::empty({0}), 0.5).size(0), 0); }

    void nmsRefusesOtherShapes() {
        QVERIFY_EXCEPTION_THROWN(nms(torch::zeros({3, 5}), torch::zeros({3}), 0.5), c10::Error);
        QVERIFY_EXCEPTION_THROWN(nms(torch::zeros({3, 4}), torch::zeros({2}), 0.5), c10::Error);
    }

    void boxesEqualTorchvision() {
        const auto expected = reference("operators.json");
        const auto boxes = randomBoxes("boxes", 10), references = randomBoxes("references", 10);
        QVERIFY(largestDifference(pairwiseIou(boxes.slice(0, 0, 6), references.slice(0, 0, 5)),
                                  tensorOf(expected["iou"], {6, 5})) < 1e-6);
        const BoxCoder coder{{10, 10, 5, 5}};
        QVERIFY(largestDifference(coder.encode(boxes, references), tensorOf(expected["encoded"], {10, 4})) < 1e-4);
        const auto offsets = noise("offsets", {10, 4}).to(torch::kFloat) * 30; // some beyond the clamp
        const auto wanted = tensorOf(expected["decoded"], {10, 4});
        QVERIFY(((coder.decode(offsets, references).to(torch::kDouble) - wanted).abs() <= 1e-4 + 1e-5 * wanted.abs())
                    .all()
                    .item<bool>());
    }

    void decodingUndoesEncoding() {
        const auto boxes = randomBoxes("boxes", 50), references = randomBoxes("references", 50);
        const BoxCoder coder{{10, 10, 5, 5}};
        QVERIFY(largestDifference(coder.decode(coder.encode(boxes, references), references), boxes) < 1e-3);
    }

    void focalLossEqualsTorchvision() {
        const auto expected = tensorOf(reference("operators.json")["focal_rows_0.3_1.5"], {20});
        const auto logits = noise("logits", {20, 3}).to(torch::kFloat) * 12;
        for (std::int64_t row = 0; row < 20; ++row) {
            const auto label = torch::tensor({row % 2 == 0 ? row % 3 : kBackground}, torch::kLong);
            const double loss =
                sigmoidFocalLoss(logits.slice(0, row, row + 1), label, torch::ones({1}), 0.3, 1.5).item<double>();
            QVERIFY(relativeError(loss, expected[row].item<double>()) < 1e-5);
        }
    }

    void focalLossGradientEqualsFiniteDifferences_data() {
        QTest::addColumn<double>("gamma");
        for (const double gamma : {0.0, 1.0, 2.0, 2.5})
            QTest::addRow("gamma %g", gamma) << gamma;
    }
    void focalLossGradientEqualsFiniteDifferences() {
        QFETCH(double, gamma);
        const auto labels = torch::tensor({0, 2, -1, 1, -2, -1}, torch::kLong);
        const auto weights = torch::tensor({1.0, 0.5, 2.0, 1.0, 3.0, 0.25}, torch::kDouble);
        const auto loss = [&](const torch::Tensor& x) { return sigmoidFocalLoss(x, labels, weights, 0.25, gamma); };
        auto logits = (noise("slopes", {6, 3}) * 4).requires_grad_();
        (loss(logits) * 3).backward();
        const auto numeric =
            numericGradient([&](const torch::Tensor& x) { return 3 * loss(x).item<double>(); }, logits.detach());
        QVERIFY(largestDifference(logits.grad(), numeric) < 1e-7);
        QCOMPARE(logits.grad()[4].abs().max().item<double>(), 0.0); // the ignored row
    }

    void focalLossStaysFiniteFarOut() {
        auto logits = torch::tensor({{200.F, -200.F}, {-200.F, 200.F}}, torch::requires_grad());
        const auto loss = sigmoidFocalLoss(logits, torch::tensor({1, 1}, torch::kLong), torch::ones({2}), 0.25, 2);
        loss.backward();
        // by hand: only the first row is wrong, 200 with weight 0.75 for the false class and 0.25 for the missed one
        QVERIFY(std::abs(loss.item<double>() - 200) < 1e-3);
        QVERIFY(largestDifference(logits.grad(), torch::tensor({{0.75F, -0.25F}, {0.F, 0.F}})) < 1e-6);
    }

    void focalLossDoesNotDependOnTheThreadCount() {
        const auto logits = noise("many", {9000, 4}).to(torch::kFloat) * 5;
        const auto labels = (noise("classes", {9000}) * 4).floor().to(torch::kLong).clamp(-2, 3);
        const auto weights = torch::full({9000}, 0.01F);
        const auto one = sigmoidFocalLoss(logits, labels, weights, 0.25, 2);
        configureThreads(2);
        const auto two = sigmoidFocalLoss(logits, labels, weights, 0.25, 2);
        configureThreads(1);
        QVERIFY(isEqual(one, two));
    }

    // By hand: distances 0.5 and 3 in a row of weight 2. Plain: 2 * 3.5. Smooth with beta 1: 2 * (0.125 + 2.5).
    void l1LossesByHand() {
        const auto predicted = torch::tensor({{0.5F, 3.F}}), target = torch::zeros({1, 2}),
                   weights = torch::full({1}, 2.F);
        QCOMPARE(weightedL1Loss(predicted, target, weights).item<double>(), 7.0);
        QCOMPARE(weightedL1Loss(predicted, target, weights, 1.0).item<double>(), 5.25);
    }
};

QTEST_GUILESS_MAIN(tst_Operators)
#include "tst_Operators.moc"
