#include "core/models/detection/PositionSensitiveHead.h"
#include "core/nn/Threads.h"
#include "tests/core/models/Reference.h"

using namespace trainyard;
using namespace trainyard::testing;

namespace {

constexpr std::int64_t kBins = 3;

torch::Tensor values(const std::string& name, torch::IntArrayRef sizes) {
    return noise(name, sizes).to(torch::kFloat);
}

PositionSensitiveHeadShape shapeOf(std::int64_t reduced, bool isClassAgnostic) {
    return {8, reduced, 4, isClassAgnostic, {kBins, 1.0 / 16, true}};
}

/// One value of one region: each bin's mean of its own map, and the mean of these. Edges as Detectron rounds them.
double voteOf(const torch::Tensor& maps, const torch::Tensor& region, std::int64_t value) {
    double sum = 0;
    for (std::int64_t bin = 0; bin < kBins * kBins; ++bin) {
        const auto edges = [&](int low, std::int64_t index, std::int64_t limit) {
            const double start = std::round(region[low].item<double>()) / 16;
            const double size = std::max((std::round(region[low + 2].item<double>()) + 1) / 16 - start, 0.1) / kBins;
            const auto cut = [&](double place) { return std::clamp(std::int64_t(place), std::int64_t(0), limit); };
            return std::pair(cut(std::floor(start + size * double(index))),
                             cut(std::ceil(start + size * double(index + 1))));
        };
        const auto [top, bottom] = edges(2, bin / kBins, maps.size(2));
        const auto [left, right] = edges(1, bin % kBins, maps.size(3));
        if (bottom > top && right > left)
            sum +=
                maps[0][value * kBins * kBins + bin].slice(0, top, bottom).slice(1, left, right).mean().item<double>();
    }
    return sum / (kBins * kBins);
}

} // namespace

class tst_PositionSensitiveHead : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { configureThreads(1); }

    /// D69: against one bin at a time, on maps made by hand from the head's own weights.
    void scoresAreMeansOfVotes_data() {
        QTest::addColumn<bool>("isClassAgnostic");
        QTest::newRow("a box for each class") << false;
        QTest::newRow("one box") << true;
    }
    void scoresAreMeansOfVotes() {
        QFETCH(bool, isClassAgnostic);
        const torch::NoGradGuard noGradients;
        PositionSensitiveHead head(shapeOf(0, isClassAgnostic));
        fillLikeReference(head);
        const auto features = values("position features", {1, 8, 10, 12});
        const auto rois =
            torch::tensor({0.F, 10.F, 20.F, 120.F, 140.F, 0.F, 100.F, 60.F, 230.F, 170.F}).reshape({2, 5});
        const auto output = head.forward(features, rois);
        QCOMPARE(output.logits.sizes().vec(), std::vector<std::int64_t>({2, 5}));
        QCOMPARE(output.offsets.sizes().vec(), std::vector<std::int64_t>({2, isClassAgnostic ? 8 : 20}));
        for (const auto& [name, found] :
             {std::pair("cls_maps", output.logits), std::pair("bbox_maps", output.offsets)}) {
            const auto parameters = head.named_parameters();
            const auto maps =
                at::einsum("oi,nihw->nohw", {parameters[std::string(name) + ".weight"].flatten(1), features}) +
                parameters[std::string(name) + ".bias"].view({1, -1, 1, 1});
            for (std::int64_t r = 0; r < 2; ++r)
                for (std::int64_t v = 0; v < found.size(1); ++v)
                    QVERIFY(std::abs(found[r][v].item<double>() - voteOf(maps, rois[r], v)) < 1e-5);
        }
    }

    void reductionComesFirst() {
        const PositionSensitiveHead head(shapeOf(6, true));
        QCOMPARE(
            namesAndShapes(head.named_parameters()),
            (std::vector<std::string>{"conv_new.weight [6,8,1,1]", "conv_new.bias [6]", "cls_maps.weight [45,6,1,1]",
                                      "cls_maps.bias [45]", "bbox_maps.weight [72,6,1,1]", "bbox_maps.bias [72]"}));
    }

    void learns() {
        PositionSensitiveHead head(shapeOf(6, false));
        fillLikeReference(head);
        const auto rois =
            torch::tensor({0.F, 10.F, 20.F, 120.F, 140.F, 0.F, 100.F, 60.F, 230.F, 170.F}).reshape({2, 5});
        const auto labels = torch::tensor({3, 0}, torch::kLong);
        const RoiSample sample{rois.slice(1, 1, 5), labels, labels, torch::full({2, 4}, 0.5F)};
        const auto features = values("position features", {1, 8, 10, 12});
        const auto total = [&] {
            const auto losses = boxLosses(head.forward(features, rois), {sample}, BoxConvention::Detectron);
            return losses[0].second + losses[1].second;
        };
        const double before = total().item<double>();
        for (int step = 0; step < 1000; ++step) {
            head.zero_grad();
            total().backward();
            const torch::NoGradGuard noGradients;
            for (auto& parameter : head.parameters())
                parameter.sub_(parameter.grad(), 0.3);
        }
        const double after = total().item<double>();
        QVERIFY2(after < 0.1 * before, qPrintable(QString("%1 of %2").arg(after).arg(before)));
    }
};

QTEST_GUILESS_MAIN(tst_PositionSensitiveHead)
#include "tst_PositionSensitiveHead.moc"
