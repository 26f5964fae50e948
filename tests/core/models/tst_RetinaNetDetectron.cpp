#include "core/models/detection/RetinaNet.h"
#include "core/nn/Threads.h"
#include "tests/core/models/Reference.h"

using namespace trainyard;
using namespace trainyard::testing;

namespace {

constexpr double kAlpha = 0.25, kBeta = 0.11, kPrior = 0.01;

RetinaNetConfig smallConfig() {
    RetinaNetConfig config;
    config.convention = "detectron";
    config.classes = 3;
    config.fpnChannels = 16;
    config.headConvolutions = 1;
    config.anchorSizes = {8, 16, 32, 64, 128};
    config.scoreThreshold = 0.5;
    config.maxDetections = 100;
    return config;
}

Batch twoImages() {
    Batch batch;
    batch.images = noise("images", {2, 3, 64, 96}).to(torch::kFloat);
    batch.targets["boxes"] = torch::tensor({{10.F, 12.F, 40.F, 44.F}, {50.F, 8.F, 53.F, 10.F}, {4.F, 4.F, 90.F, 60.F}});
    batch.targets["labels"] = torch::tensor({2, 0, 1}, torch::kLong);
    batch.targets["counts"] = torch::tensor({2, 1}, torch::kLong);
    batch.targets["sizes"] = torch::tensor({{64, 96}, {64, 96}}, torch::kLong);
    batch.samples.resize(2);
    return batch;
}

/// Overlap of two boxes whose last pixels belong to them.
double overlap(const double* a, const double* b) {
    const double width = std::min(a[2], b[2]) - std::max(a[0], b[0]) + 1;
    const double height = std::min(a[3], b[3]) - std::max(a[1], b[1]) + 1;
    if (width <= 0 || height <= 0)
        return 0;
    const auto area = [](const double* c) { return (c[2] - c[0] + 1) * (c[3] - c[1] + 1); };
    return width * height / (area(a) + area(b) - width * height);
}

double smoothL1(double x) {
    return std::abs(x) < kBeta ? 0.5 * x * x / kBeta : std::abs(x) - 0.5 * kBeta;
}

/// The box loss of an anchor whose offsets are said to be 0.
double boxLoss(const double* anchor, const double* box) {
    const double w = anchor[2] - anchor[0] + 1, h = anchor[3] - anchor[1] + 1;
    const double bw = box[2] - box[0] + 1, bh = box[3] - box[1] + 1;
    return smoothL1((box[0] + bw / 2 - anchor[0] - w / 2) / w) + smoothL1((box[1] + bh / 2 - anchor[1] - h / 2) / h) +
           smoothL1(std::log(bw / w)) + smoothL1(std::log(bh / h));
}

/// Sums over all anchors of a network that says `kPrior` of each class and no offset, before they are divided by n.
struct Expected {
    double focal = 0, distance = 0, n = 0;
    double background = 0; ///< anchors and classes that are not to be seen there

    void addImage(const torch::Tensor& anchors, const torch::Tensor& boxes) {
        const auto a = anchors.to(torch::kDouble).contiguous(), b = boxes.to(torch::kDouble).contiguous();
        std::vector<double> bestOf(std::size_t(b.size(0)), 0);
        for (std::int64_t j = 0; j < b.size(0); ++j)
            for (std::int64_t i = 0; i < a.size(0); ++i)
                bestOf[std::size_t(j)] = std::max(bestOf[std::size_t(j)], at(a, i, b, j));
        const double before = n;
        ++n;
        double below = 1;
        for (std::int64_t i = 0; i < a.size(0); ++i)
            below += addAnchor(a, i, b, bestOf) < 0.4 ? 1 : 0;
        background += 3 * below + 2 * (n - before); // of three classes
    }

private:
    static double at(const torch::Tensor& a, std::int64_t i, const torch::Tensor& b, std::int64_t j) {
        return overlap(a.data_ptr<double>() + 4 * i, b.data_ptr<double>() + 4 * j);
    }
    /// Returns its best overlap.
    double addAnchor(const torch::Tensor& a, std::int64_t i, const torch::Tensor& b,
                     const std::vector<double>& bestOf) {
        double best = 0;
        std::int64_t owner = 0;
        bool isBest = false;
        for (std::int64_t j = 0; j < b.size(0); ++j) {
            isBest = isBest || (at(a, i, b, j) > 0 && std::abs(at(a, i, b, j) - bestOf[std::size_t(j)]) < 1e-9);
            if (at(a, i, b, j) > best) {
                best = at(a, i, b, j);
                owner = j;
            }
        }
        n += isBest || best >= 0.5 ? 1 : 0;
        const double right = -kAlpha * std::pow(1 - kPrior, 2) * std::log(kPrior);
        const double wrong = -(1 - kAlpha) * std::pow(kPrior, 2) * std::log(1 - kPrior);
        if (best < 0.4) { // a best anchor too
            focal += 3 * wrong;
        } else if (isBest || best >= 0.5) {
            focal += right + 2 * wrong;
            distance += boxLoss(a.data_ptr<double>() + 4 * i, b.data_ptr<double>() + 4 * owner);
        }
        return best;
    }
};

} // namespace

class tst_RetinaNetDetectron : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { configureThreads(1); }

    /// D68: the initial probability is 0.01, the losses are those of the formulas.
    void lossesFollowTheirFormulas() {
        RetinaNet model(smallConfig(), "group");
        model.initialise(3);
        {
            const torch::NoGradGuard noGradients;
            for (auto& item : model.named_parameters())
                if (item.key().rfind("head.", 0) == 0 && item.value().dim() == 4)
                    item.value().zero_(); // what is left are the biases
        }
        const Batch batch = twoImages();
        double focal = 0, distance = 0;
        for (const auto& [name, loss] : model.losses(batch))
            (name.rfind("fl_fpn", 0) == 0 ? focal : distance) += loss.item<double>();
        AnchorGrid grid(smallConfig());
        const auto anchors = grid.anchors({64, 96}, {{8, 12}, {4, 6}, {2, 3}, {1, 2}, {1, 1}}, torch::kCPU);
        const auto boxes = batch.targets.at("boxes") - torch::tensor({0.F, 0.F, 1.F, 1.F});
        Expected expected;
        expected.addImage(anchors, boxes.slice(0, 0, 2));
        expected.addImage(anchors, boxes.slice(0, 2));
        QVERIFY(expected.distance > 0);
        QVERIFY2(relativeError(focal, expected.focal / expected.n) < 1e-4, std::to_string(focal).c_str());
        QVERIFY2(relativeError(distance, expected.distance / expected.n) < 1e-4, std::to_string(distance).c_str());
        const std::vector<std::pair<std::string, double>> counts = {{"retnet_fg_num", expected.n},
                                                                    {"retnet_bg_num", expected.background}};
        QVERIFY(model.metrics() == counts); // D36
    }

    void anchorsStandOctaveByOctave() {
        AnchorGrid grid(smallConfig());
        const auto anchors = grid.anchors({8, 8}, {{1, 1}, {1, 1}, {1, 1}, {1, 1}, {1, 1}}, torch::kCPU);
        QCOMPARE(anchors.size(0), std::int64_t(45));
        // By hand, stride 8: the ratio 0.5 makes a window of 8 * sqrt(2) ~ 11 by 11 * 0.5 ~ 6, 1 keeps 8 by 8, 2 makes
        // 6 by 12; the middle is 3.5. Size 8 is one window, the next octave 2^(1/3) of it.
        const double bit = std::cbrt(2.0);
        const std::vector<std::vector<double>> sides = {
            {11, 6}, {8, 8}, {6, 12}, {11 * bit, 6 * bit}, {8 * bit, 8 * bit}};
        for (std::size_t i = 0; i < sides.size(); ++i) {
            const auto row = anchors[std::int64_t(i)];
            QVERIFY(std::abs(row[0].item<double>() - (3.5 - (sides[i][0] - 1) / 2)) < 1e-4);
            QVERIFY(std::abs(row[3].item<double>() - (3.5 + (sides[i][1] - 1) / 2)) < 1e-4);
        }
    }

    void lossesAreNamedByLevel() {
        RetinaNet model(smallConfig(), "group");
        model.initialise(3);
        QStringList names;
        for (const auto& [name, loss] : model.losses(twoImages()))
            names << QString::fromStdString(name);
        for (const int level : {3, 4, 5, 6, 7})
            QVERIFY(names.contains(QString("fl_fpn%1").arg(level)) &&
                    names.contains(QString("retnet_loss_bbox_fpn%1").arg(level)));
        QCOMPARE(names.size(), 10);
    }

    /// SHARE_CLS_BBOX_TOWER: what is learnt of boxes reaches the convolutions that scores are read from, and there are
    /// no others.
    void branchesCanShareTheirConvolutions() {
        RetinaNetConfig config = smallConfig();
        config.sharedConvolutions = true;
        RetinaNet model(config, "group");
        model.initialise(3);
        const std::string shared = "head.classification_head.conv.0.0.weight";
        for (const auto& item : model.named_parameters())
            QVERIFY2(item.key().rfind("head.regression_head.conv.", 0) != 0, item.key().c_str());
        torch::Tensor distance = torch::zeros({});
        for (const auto& [name, loss] : model.losses(twoImages()))
            if (name.rfind("retnet_loss_bbox", 0) == 0)
                distance = distance + loss;
        distance.backward();
        QVERIFY(model.named_parameters()[shared].grad().abs().max().item<double>() > 0);
        RetinaNetHead head(2, 1, 1, 1, true); // the same last layers: an anchor's score and offsets are one number
        {
            const torch::NoGradGuard noGradients;
            for (auto& item : head.named_parameters())
                item.value().fill_(item.value().dim() == 4 ? 0.1 : 0.25);
        }
        const auto output = head.forward({noise("level", {1, 2, 3, 3}).to(torch::kFloat)});
        QVERIFY(torch::allclose(output.offsets, output.logits.expand({1, 9, 4})));
    }

    /// The coarsest level answers whatever its scores.
    void somethingIsAlwaysFound() {
        RetinaNet model(smallConfig(), "group");
        model.initialise(3);
        model.eval();
        const auto predictions = model.predict(twoImages());
        QVERIFY(!predictions[0].detections.empty()); // no score is near the threshold of 0.5
        for (const Detection& found : predictions[0].detections) {
            QVERIFY(found.score < 0.5F);
            QVERIFY(found.box.x1 >= 0 && found.box.y1 >= 0 && found.box.x2 <= 96 && found.box.y2 <= 64);
        }
    }
};

QTEST_GUILESS_MAIN(tst_RetinaNetDetectron)
#include "tst_RetinaNetDetectron.moc"
