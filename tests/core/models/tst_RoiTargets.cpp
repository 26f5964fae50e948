#include "core/models/detection/KeypointTargets.h"
#include "core/models/detection/MaskTargets.h"
#include "core/nn/Threads.h"
#include "core/telemetry/RunLength.h"
#include "tests/core/models/Reference.h"

using namespace trainyard;
using namespace trainyard::testing;

namespace {

std::vector<Point> polygonOf(const std::vector<double>& corners) {
    std::vector<Point> polygon;
    for (std::size_t i = 0; i + 1 < corners.size(); i += 2)
        polygon.push_back({float(corners[i]), float(corners[i + 1])});
    return polygon;
}

ObjectShape rectangle(double x1, double y1, double x2, double y2) {
    return {{polygonOf({x1, y1, x2, y1, x2, y2, x1, y2})}, {}};
}

/// The cells as make_polygon_masks.py writes them: bits, four a letter.
std::string lettersOf(const torch::Tensor& cells) {
    const auto flat = cells.reshape(-1).contiguous();
    std::string letters;
    for (std::int64_t i = 0; i < flat.numel(); i += 4) {
        int value = 0;
        for (std::int64_t bit = 0; bit < 4; ++bit)
            value = 2 * value + flat.data_ptr<std::uint8_t>()[i + bit];
        letters += "0123456789abcdef"[value];
    }
    return letters;
}

torch::Tensor values(const std::string& name, torch::IntArrayRef sizes) {
    return noise(name, sizes).to(torch::kFloat);
}

/// The boxes of make_roi_target_reference.py.
torch::Tensor referenceBoxes(const std::string& name, std::int64_t count) {
    const auto u = values(name, {count, 4});
    const auto corner = 12 + 10 * u.slice(1, 0, 2);
    return torch::cat({corner, corner + 9 + 7 * u.slice(1, 2, 4)}, 1);
}

RunLengthMask maskOf(const torch::Tensor& pixels) {
    const auto bytes = pixels.to(torch::kByte).contiguous();
    return runlength::fromPixels(bytes.data_ptr<std::uint8_t>(), int(pixels.size(1)), int(pixels.size(0)));
}

} // namespace

class tst_RoiTargets : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { configureThreads(1); }

    /// D66: a square of half the box's side, on 28 × 28 cells.
    void squareGivesTheExpectedMask() {
        const auto mask = maskInBox(rectangle(10, 10, 24, 24), {3, 3, 31, 31}, 28);
        auto expected = torch::zeros({28, 28}, torch::kByte);
        expected.slice(0, 7, 21).slice(1, 7, 21).fill_(1);
        QVERIFY(isEqual(mask, expected));
        // Twice the size in a box of twice the size, elsewhere: the same.
        QVERIFY(isEqual(maskInBox(rectangle(120, 70, 148, 98), {106, 56, 162, 112}, 28), expected));
    }

    void polygonsEqualTheCocoApi() {
        for (const auto& entry : reference("polygon_masks.json")) {
            ObjectShape shape;
            for (const auto& polygon : entry["polygons"])
                shape.polygons.push_back(polygonOf(polygon.get<std::vector<double>>()));
            const auto box = entry["box"].get<std::vector<float>>();
            const auto mask = maskInBox(shape, {box[0], box[1], box[2], box[3]}, 28);
            QCOMPARE(lettersOf(mask), entry["cells"].get<std::string>());
        }
    }

    void masksAreReadUnderTheCentresOfCells() {
        auto pixels = torch::zeros({6, 8}, torch::kByte);
        pixels[1][2] = 1;
        pixels[5][7] = 1;
        const ObjectShape shape{{}, maskOf(pixels)};
        // Cells of 2 × 2 pixels: centres lie in pixels 1, 3, 5, … of the box from 1, 0 on.
        const auto mask = maskInBox(shape, {1, 0, 9, 8}, 4);
        auto expected = torch::zeros({4, 4}, torch::kByte);
        expected[0][0] = 1; // pixel 2, 1
        QVERIFY(isEqual(mask, expected));
        QCOMPARE(lettersOf(maskInBox(shape, {0, 0, 8, 6}, 2)), std::string("8")); // centres 2, 1.5 and so on
        QCOMPARE(maskInBox(shape, {4, 2, 8, 6}, 4)[3][3].item<int>(), 1);
    }

    void boundsOfShapes() {
        const ObjectShape parts{{polygonOf({3, 9, 5, 2, 4, 4}), polygonOf({10, 5, 12, 6, 11, 11})}, {}};
        QCOMPARE(parts.bounds(), (Box{3, 2, 12, 11}));
        auto pixels = torch::zeros({6, 8}, torch::kByte);
        pixels.slice(0, 2, 4).slice(1, 3, 7).fill_(1);
        QCOMPARE((ObjectShape{{}, maskOf(pixels)}).bounds(), (Box{3, 2, 7, 4}));
        QCOMPARE(ObjectShape{}.bounds(), Box{});
    }

    void theTightBoxThatOverlapsMostOwnsARegion() {
        const std::vector<ObjectShape> shapes = {rectangle(0, 0, 40, 40), rectangle(0, 0, 10, 10),
                                                 rectangle(20, 20, 30, 30)};
        const auto regions =
            torch::tensor({1.F, 1.F, 10.F, 10.F, 19.F, 19.F, 31.F, 30.F, 5.F, 5.F, 39.F, 39.F}).reshape({3, 4});
        const auto owners = ownersByTightBox(shapes, {false, false, false}, regions);
        QVERIFY(isEqual(owners, torch::tensor({1, 2, 0}, torch::kLong)));
        const auto withCrowd = ownersByTightBox(shapes, {false, false, true}, regions);
        QVERIFY(isEqual(withCrowd, torch::tensor({1, 0, 0}, torch::kLong)));
        QCOMPARE(ownersByTightBox({}, {}, torch::zeros({0, 4})).size(0), std::int64_t(0));
        QVERIFY_EXCEPTION_THROWN(ownersByTightBox(shapes, {true, true, true}, regions), c10::Error);
    }

    void detectronTargetsAreTheOwnersMasks() {
        const std::vector<ObjectShape> shapes = {rectangle(0, 0, 4, 4), rectangle(4, 4, 8, 8)};
        const auto regions = torch::tensor({0.F, 0.F, 8.F, 8.F, 0.F, 0.F, 8.F, 8.F}).reshape({2, 4});
        const auto targets =
            maskTargets(shapes, regions, torch::tensor({1, 0}, torch::kLong), {2, 8, 8}, BoxConvention::Detectron);
        QVERIFY(isEqual(targets, torch::tensor({0.F, 0.F, 0.F, 1.F, 1.F, 0.F, 0.F, 0.F}).reshape({2, 2, 2})));
    }

    void torchvisionTargetsAndLossEqualItsOwn() {
        const auto expected = reference("roi_targets.json");
        const auto pictures = noise("masks", {3, 40, 36}) > 0.2;
        std::vector<ObjectShape> shapes;
        for (std::int64_t i = 0; i < 3; ++i)
            shapes.push_back({{}, maskOf(pictures[i])});
        const auto owners = torch::tensor({0, 2, 1, 1, 0, 2}, torch::kLong);
        const auto labels = torch::tensor({2, 1, 0, 2, 1, 1}, torch::kLong);
        const auto targets =
            maskTargets(shapes, referenceBoxes("regions", 6), owners, {7, 40, 36}, BoxConvention::Torchvision);
        QVERIFY(largestDifference(targets, tensorOf(expected["mask_targets"], {6, 7, 7})) < 2e-5);
        const auto loss = maskLoss(values("mask logits", {6, 3, 7, 7}) * 3, labels, targets);
        QVERIFY(relativeError(loss.item<double>(), expected["mask_loss"].get<double>()) < 1e-5);
    }

    void torchvisionDrawsPolygonsInThePicture() {
        const auto targets =
            maskTargets({rectangle(4, 2, 12, 10)}, torch::tensor({0.F, 0.F, 16.F, 16.F}).reshape({1, 4}),
                        torch::zeros({1}, torch::kLong), {4, 16, 16}, BoxConvention::Torchvision);
        // Cells of 4 × 4 pixels, four samples each along an axis at n + 0.5: pixels n and n + 1 count half each.
        const auto rows = torch::tensor({2.5 / 4, 1.0, 1.5 / 4, 0.0}),
                   columns = torch::tensor({0.5 / 4, 1.0, 3.5 / 4, 0.0});
        QVERIFY(largestDifference(targets[0], torch::outer(rows, columns)) < 1e-6);
    }

    /// D66: entries of -1 are ignored.
    void negativeTargetsAreIgnored() {
        auto targets = torch::full({2, 2, 2}, -1.F);
        targets[0][0][0] = 1;
        targets[0][1][1] = 0;
        auto logits = torch::zeros({2, 3, 2, 2});
        logits[0][2][0][0] = 2;  // its class
        logits[0][1][0][0] = 50; // another class
        logits[1].fill_(9);
        const auto labels = torch::tensor({2, 0}, torch::kLong);
        const double expected = (std::log1p(std::exp(-2.0)) + std::log(2.0)) / 2;
        QVERIFY(relativeError(maskLoss(logits, labels, targets).item<double>(), expected) < 1e-6);
        QCOMPARE(maskLoss(logits, labels, torch::full({2, 2, 2}, -1.F)).item<float>(), 0.F);
        QCOMPARE(maskLoss(torch::zeros({0, 3, 2, 2}), torch::zeros({0}, torch::kLong), torch::zeros({0, 2, 2}))
                     .item<float>(),
                 0.F);
        const auto shared = maskLoss(logits.slice(1, 2, 3), labels, targets); // class-agnostic
        QVERIFY(relativeError(shared.item<double>(), expected) < 1e-6);
    }

    /// D67: a keypoint on the right border belongs to the last column, one beyond it to none.
    void keypointOnTheRightBorderIsInTheLastCell() {
        const auto region = torch::tensor({10.F, 20.F, 66.F, 76.F}).reshape({1, 4});
        const auto points =
            torch::tensor({66.F, 76.F, 2.F, 66.F, 20.F, 1.F, 10.F, 48.F, 2.F, 66.1F, 48.F, 2.F, 30.F, 30.F, 0.F})
                .reshape({1, 5, 3});
        const auto targets = keypointTargets(points, region, 56);
        QVERIFY(isEqual(targets.cells[0], torch::tensor({55 * 56 + 55, 55, 28 * 56, 0, 0}, torch::kLong)));
        QVERIFY(isEqual(targets.isCounted[0], torch::tensor({true, true, true, false, false})));
        QVERIFY(holdsVisibleKeypoint(points, region)[0].item<bool>());
        QVERIFY(!holdsVisibleKeypoint(points.slice(1, 3, 5), region)[0].item<bool>());
    }

    void keypointsEqualTorchvision() {
        const auto expected = reference("roi_targets.json");
        const auto people = referenceBoxes("people", 5);
        auto points = torch::cat(
            {17 + 9 * values("points", {5, 4, 2}), (values("seen", {5, 4, 1}) > -0.5).to(torch::kFloat) * 2}, 2);
        points[0][0].slice(0, 0, 2).copy_(people[0].slice(0, 2, 4));
        points[1][1].slice(0, 0, 2).copy_(people[1].slice(0, 0, 2));
        const auto targets = keypointTargets(points, people, 8);
        QVERIFY(largestDifference(targets.cells, tensorOf(expected["keypoint_cells"], {5, 4})) == 0);
        QVERIFY(largestDifference(targets.isCounted, tensorOf(expected["keypoint_counted"], {5, 4})) == 0);
        const auto logits = values("heat logits", {5, 4, 8, 8}) * 2;
        const double loss = keypointLoss(logits, targets).item<double>();
        QVERIFY(relativeError(loss, expected["keypoint_loss"].get<double>()) < 1e-5);
        const double counted = targets.isCounted.sum().item<double>();
        QVERIFY(relativeError(keypointLoss(logits, targets, 2 * counted).item<double>(), loss / 2) < 1e-6);
    }

    void regionsWithoutAreaLearnNothing() {
        const auto region = torch::tensor({5.F, 5.F, 5.F, 5.F}).reshape({1, 4});
        const auto targets = keypointTargets(torch::tensor({7.F, 3.F, 2.F}).reshape({1, 1, 3}), region, 8);
        QCOMPARE(targets.isCounted.any().item<bool>(), false);
        QCOMPARE(keypointLoss(torch::ones({1, 1, 8, 8}), targets).item<float>(), 0.F);
        QCOMPARE(maskInBox(rectangle(0, 0, 9, 9), {5, 5, 5, 5}, 4).sum().item<int>(), 16); // a pixel, at least
    }
};

QTEST_GUILESS_MAIN(tst_RoiTargets)
#include "tst_RoiTargets.moc"
