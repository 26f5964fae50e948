#include "core/interop/WeightMatch.h"
#include "core/interop/WeightNames.h"
#include "tests/core/interop/CountedTensors.h"
#include "tests/support/TestData.h"

#include <algorithm>
#include <map>

using namespace trainyard;
using namespace trainyard::testing;

namespace {

using Names = std::vector<std::string>;

WeightFile fileOf(WeightFormat format, WeightList weights, const std::string& config = "") {
    WeightFile file;
    file.format = format;
    file.weights = std::move(weights);
    file.detectronConfig = config;
    return file;
}

/// The model's pixels are Detectron's own, so that nothing has to be changed for them.
MatchOptions detectronPixels() {
    MatchOptions options;
    options.pixels = {true, {102.9801, 115.9465, 122.7717}, {1, 1, 1}};
    return options;
}

/// Copies as `loadWeights` does.
void apply(const WeightMatch& match) {
    for (const auto& [target, source] : match.copies)
        at::Tensor(target).copy_(source);
}

} // namespace

class TestWeightMatch : public QObject {
    Q_OBJECT
private Q_SLOTS:
    /// Names as the published files have them: R-50-FPN, R-101 RetinaNet, a mask and a keypoint head, group norms, VGG.
    void knowsDetectronNames_data() {
        QTest::addColumn<QString>("ours");
        QTest::addColumn<int>("levels");
        QTest::addColumn<QString>("blob");
        const auto row = [](const char* ours, int levels, const char* blob) {
            QTest::newRow(blob) << ours << levels << blob;
        };
        row("backbone.body.conv1.weight", 4, "conv1_w");
        row("backbone.body.bn1.weight", 4, "res_conv1_bn_s");
        row("backbone.body.bn1.bias", 4, "res_conv1_bn_b");
        row("backbone.body.layer1.0.conv1.weight", 4, "res2_0_branch2a_w");
        row("backbone.body.layer3.22.conv3.weight", 4, "res4_22_branch2c_w");
        row("backbone.body.layer4.2.bn2.bias", 4, "res5_2_branch2b_bn_b");
        row("backbone.body.layer1.0.downsample.0.weight", 4, "res2_0_branch1_w");
        row("backbone.body.layer1.0.downsample.1.weight", 4, "res2_0_branch1_bn_s");
        row("backbone.body.layer2.0.downsample.1.bias", 4, "res3_0_branch1_gn_b");
        row("backbone.body.bn1.weight", 4, "conv1_gn_s");
        row("backbone.fpn.inner_blocks.3.0.weight", 4, "fpn_inner_res5_2_sum_w");
        row("backbone.fpn.inner_blocks.0.0.bias", 4, "fpn_inner_res2_2_sum_lateral_b");
        row("backbone.fpn.inner_blocks.1.0.weight", 3, "fpn_inner_res4_22_sum_lateral_w");
        row("backbone.fpn.inner_blocks.1.1.weight", 4, "fpn_inner_res3_3_sum_lateral_gn_s");
        row("backbone.fpn.layer_blocks.0.0.weight", 3, "fpn_res3_3_sum_w");
        row("backbone.fpn.extra_blocks.p7.bias", 3, "fpn_7_b");
        row("head.classification_head.conv.3.0.weight", 3, "retnet_cls_conv_n3_fpn3_w");
        row("head.classification_head.cls_logits.bias", 3, "retnet_cls_pred_fpn3_b");
        row("head.regression_head.conv.0.0.bias", 3, "retnet_bbox_conv_n0_fpn3_b");
        row("head.regression_head.bbox_reg.weight", 3, "retnet_bbox_pred_fpn3_w");
        row("rpn.head.conv.0.0.weight", 4, "conv_rpn_fpn2_w");
        row("rpn.head.conv.0.0.weight", 0, "conv_rpn_w");
        row("rpn.head.cls_logits.weight", 4, "rpn_cls_logits_fpn2_w");
        row("rpn.head.bbox_pred.bias", 0, "rpn_bbox_pred_b");
        row("roi_heads.box_head.fc6.weight", 4, "fc6_w");
        row("roi_heads.box_head.fc7.bias", 4, "fc7_b");
        row("roi_heads.box_predictor.cls_score.weight", 4, "cls_score_w");
        row("roi_heads.box_predictor.bbox_pred.weight", 4, "bbox_pred_w");
        row("roi_heads.mask_head.0.0.weight", 4, "_[mask]_fcn1_w");
        row("roi_heads.mask_predictor.conv5_mask.weight", 4, "conv5_mask_w");
        row("roi_heads.mask_predictor.mask_fcn_logits.bias", 4, "mask_fcn_logits_b");
        row("roi_heads.keypoint_head.14.weight", 4, "conv_fcn8_w");
        row("roi_heads.keypoint_predictor.kps_score_lowres.weight", 4, "kps_score_lowres_w");
        row("backbone.body.features.28.weight", 0, "conv5_3_w");
    }
    void knowsDetectronNames() {
        QFETCH(QString, ours);
        QFETCH(int, levels);
        QFETCH(QString, blob);
        const Names names = detectronNames(ours.toStdString(), levels);
        QVERIFY(std::any_of(names.begin(), names.end(),
                            [&](const std::string& name) { return isLike(blob.toStdString(), name); }));
    }

    void knowsOlderNamesOfTorchvision_data() {
        QTest::addColumn<QString>("ours");
        QTest::addColumn<QString>("older");
        const auto row = [](const char* ours, const char* older) { QTest::newRow(older) << ours << older; };
        row("backbone.fpn.inner_blocks.2.0.weight", "backbone.fpn.inner_blocks.2.weight");
        row("head.classification_head.conv.3.0.bias", "head.classification_head.conv.6.bias");
        row("rpn.head.conv.0.0.weight", "rpn.head.conv.weight");
        row("roi_heads.mask_head.3.0.bias", "roi_heads.mask_head.mask_fcn4.bias");
        row("backbone.body.layer1.0.conv1.weight", "layer1.0.conv1.weight"); // a network for classification
        row("roi_heads.box_head.fc6.weight", "classifier.0.weight");         // VGG's
    }
    void knowsOlderNamesOfTorchvision() {
        QFETCH(QString, ours);
        QFETCH(QString, older);
        const Names names = torchNames(ours.toStdString());
        QCOMPARE(QString::fromStdString(names.front()), ours); // its newest name is ours
        QVERIFY(std::find(names.begin(), names.end(), older.toStdString()) != names.end());
    }

    void reportsWhatCameOfEachTensor() {
        const WeightList targets = {{"backbone.body.conv1.weight", at::zeros({4, 3, 7, 7})},
                                    {"rpn.head.conv.0.0.weight", at::zeros({2, 2, 3, 3})},
                                    {"rpn.head.cls_logits.weight", at::full({3, 2, 1, 1}, 5)},
                                    {"roi_heads.box_predictor.cls_score.weight", at::full({4, 8}, 5)},
                                    {"backbone.body.bn1.num_batches_tracked", at::zeros({}, at::kLong)}};
        const WeightFile file =
            fileOf(WeightFormat::TorchZip, {{"backbone.body.conv1.weight", counted({4, 3, 7, 7})},
                                            {"rpn.head.conv.weight", counted({2, 2, 3, 3})},
                                            {"roi_heads.box_predictor.cls_score.weight", counted({91, 8})},
                                            {"fc.weight", counted({7})}});
        MatchOptions options;
        options.classDependent = {"roi_heads.box_predictor."};
        const auto match = matchWeights(targets, file, options);
        VERIFY_RESULT(match);
        apply(*match);
        const WeightReport& report = match->report;
        QCOMPARE(report.matched, Names{"backbone.body.conv1.weight"});
        QCOMPARE(report.renamed.size(), std::size_t(1));
        QCOMPARE(report.renamed[0].second, std::string("rpn.head.conv.weight"));
        QCOMPARE(report.missing, Names{"rpn.head.cls_logits.weight"}); // keeps what the initialiser gave it (D14)
        QCOMPARE(report.startedAnew, Names{"roi_heads.box_predictor.cls_score.weight"}); // another class count (D13)
        QCOMPARE(report.unexpected, Names{"fc.weight"});
        QVERIFY(targets[0].second.equal(counted({4, 3, 7, 7})));
        QVERIFY(targets[1].second.equal(counted({2, 2, 3, 3})));
        QVERIFY(targets[2].second.eq(5).all().item<bool>());
        QVERIFY(targets[3].second.eq(5).all().item<bool>());
        QVERIFY(match->preserved.empty()); // only Detectron's files are carried on
    }

    void stopsAtAnotherShapeNamingBoth() {
        const WeightList targets = {{"a.weight", at::zeros({2, 3})}, {"b.weight", at::zeros({2})}};
        const auto match = matchWeights(
            targets, fileOf(WeightFormat::TorchZip, {{"a.weight", counted({3, 3})}, {"b.weight", counted({2})}}), {});
        QVERIFY(!match);
        QCOMPARE(match.error().kind, ErrorKind::Usage);
        QCOMPARE(match.error().what, std::string("The weights do not fit the model: a.weight is [3, 3] in the file and "
                                                 "[2, 3] in the model."));
    }

    void stopsWhereNothingFits() {
        const auto match = matchWeights({{"a.weight", at::zeros({2})}},
                                        fileOf(WeightFormat::TorchZip, {{"b.weight", counted({2})}}), {});
        QVERIFY(!match);
        QVERIFY2(match.error().what.find("None of the file's 1 tensors") == 0, match.error().what.c_str());
    }

    /// D15: a head with a prefix takes the body's values where it has none of its own, and else its own.
    void takesTheValuesBehindAPrefix() {
        const WeightList targets = {{"roi_heads.mask_head.layer4.0.conv1.weight", at::zeros({4})},
                                    {"roi_heads.box_head.layer4.0.conv1.weight", at::zeros({4})},
                                    {"roi_heads.mask_head.layer4.0.conv2.weight", at::zeros({4})}};
        const WeightFile file = fileOf(WeightFormat::Detectron, {{"res5_0_branch2a_w", counted({4})},
                                                                 {"res5_0_branch2b_w", counted({4}) + 10},
                                                                 {"_[mask]_res5_0_branch2b_w", counted({4}) + 20}});
        const auto match = matchWeights(targets, file, detectronPixels());
        VERIFY_RESULT(match);
        apply(*match);
        QVERIFY(targets[0].second.equal(counted({4})));
        QVERIFY(targets[1].second.equal(counted({4})));
        QVERIFY(targets[2].second.equal(counted({4}) + 20));
    }

    /// D16, D14 and D17 of a Detectron file.
    void keepsUnknownBlobs() {
        const WeightList targets = {{"backbone.body.layer1.0.conv1.weight", at::zeros({4})}};
        const WeightFile file =
            fileOf(WeightFormat::Detectron, {{"res2_0_branch2a_w", counted({4})}, {"pred_w", counted({5})}},
                   "MODEL: {TYPE: generalized_rcnn}\n");
        const auto match = matchWeights(targets, file, detectronPixels());
        VERIFY_RESULT(match);
        QCOMPARE(match->preserved.size(), std::size_t(1));
        QCOMPARE(match->preserved[0].first, std::string("pred_w"));
        QVERIFY(match->preserved[0].second.equal(counted({5})));
        QCOMPARE(match->report.unexpected, Names{"pred_w"});
        QVERIFY(match->report.lacksBoxWeights);
        const WeightFile bare = fileOf(WeightFormat::Detectron, {{"res2_0_branch2a_w", counted({4})}});
        QVERIFY(!matchWeights(targets, bare, detectronPixels())->report.lacksBoxWeights);
    }

    /// What a checkpoint of ours carries is found again, and carried on.
    void findsCarriedBlobsAgain() {
        const WeightList targets = {{"head.weight", at::zeros({2})},
                                    {"roi_heads.mask_head.0.0.weight", at::zeros({3})}};
        WeightFile file = fileOf(WeightFormat::TorchZip, {{"head.weight", counted({2})}});
        file.preserved = {{"_[mask]_fcn1_w", counted({3})}, {"pred_w", counted({5})}};
        const auto match = matchWeights(targets, file, {});
        VERIFY_RESULT(match);
        apply(*match);
        QVERIFY(targets[1].second.equal(counted({3})));
        QCOMPARE(match->preserved.size(), std::size_t(1));
        QCOMPARE(match->preserved[0].first, std::string("pred_w"));
    }

    /// A scale and an offset alone stay what they are where the model has statistics beside them.
    void derivesStatisticsOfAFixedScale() {
        const at::Tensor x = at::randn({2, 3}), scale = at::randn({3}), offset = at::randn({3});
        const WeightList targets = {{"backbone.body.bn1.weight", at::zeros({3})},
                                    {"backbone.body.bn1.bias", at::zeros({3})},
                                    {"backbone.body.bn1.running_mean", at::full({3}, 9.0)},
                                    {"backbone.body.bn1.running_var", at::full({3}, 9.0)}};
        const WeightFile file =
            fileOf(WeightFormat::Detectron, {{"res_conv1_bn_s", scale}, {"res_conv1_bn_b", offset}});
        const auto match = matchWeights(targets, file, detectronPixels());
        VERIFY_RESULT(match);
        apply(*match);
        QCOMPARE(match->report.derived.size(), std::size_t(2));
        QVERIFY(match->report.missing.empty());
        const at::Tensor normed = at::batch_norm(x, targets[0].second, targets[1].second, targets[2].second,
                                                 targets[3].second, false, 0.1, 1e-5, false);
        QVERIFY(at::allclose(normed, x * scale + offset, 1e-5, 1e-6));
    }

    /// A convolution over blue, green, red less a mean says the same of red, green, blue as our loader makes them.
    void changesTheFirstConvolutionToTheModelsPixels() {
        const at::Tensor weight = at::randn({4, 3, 7, 7}), scale = at::rand({4}) + 0.5, offset = at::randn({4});
        const WeightList targets = {{"backbone.body.conv1.weight", at::zeros({4, 3, 7, 7})},
                                    {"backbone.body.bn1.weight", at::zeros({4})},
                                    {"backbone.body.bn1.bias", at::zeros({4})}};
        const WeightFile file = fileOf(
            WeightFormat::Detectron,
            {{"conv1_w", weight.clone()}, {"res_conv1_bn_s", scale.clone()}, {"res_conv1_bn_b", offset.clone()}});
        const auto match = matchWeights(targets, file, {});
        VERIFY_RESULT(match);
        apply(*match);
        const at::Tensor rgb = at::randint(0, 256, {1, 3, 9, 9}).to(at::kDouble);
        const at::Tensor theirs = rgb.flip(1) - at::tensor({102.9801, 115.9465, 122.7717}, at::kDouble).view({3, 1, 1});
        const at::Tensor mean = at::tensor({123.675, 116.28, 103.53}, at::kDouble).view({3, 1, 1});
        const at::Tensor deviation = at::tensor({58.395, 57.12, 57.375}, at::kDouble).view({3, 1, 1});
        const at::Tensor ours = (rgb - mean) / deviation;
        const auto apart = [](const at::Tensor& v) { return v.to(at::kDouble).view({4, 1, 1}); };
        const at::Tensor expected = at::conv2d(theirs, weight.to(at::kDouble)) * apart(scale) + apart(offset);
        const at::Tensor found =
            at::conv2d(ours, targets[0].second.to(at::kDouble)) * apart(targets[1].second) + apart(targets[2].second);
        QVERIFY(at::allclose(found, expected, 1e-4, 1e-2));
        QCOMPARE(match->report.remarks.size(), std::size_t(1));

        const auto same = matchWeights(targets, file, detectronPixels());
        VERIFY_RESULT(same);
        apply(*same);
        QVERIFY(targets[0].second.equal(weight));
        QVERIFY(targets[2].second.equal(offset));
        QVERIFY(same->report.remarks.empty());
    }

    /// Detectron counts scale by scale in the order of its ratios; our rows go ratio by ratio.
    void ordersTheAnchorsOfARetinaNet() {
        const WeightList targets = {{"head.regression_head.bbox_reg.bias", at::zeros({24})}};
        const WeightFile file = fileOf(WeightFormat::Detectron, {{"retnet_bbox_pred_fpn3_b", counted({24})}},
                                       "MODEL: {BBOX_REG_WEIGHTS: [10, 10, 5, 5]}\n"
                                       "RETINANET: {ASPECT_RATIOS: [1.0, 2.0, 0.5], SCALES_PER_OCTAVE: 2}\n");
        MatchOptions options = detectronPixels();
        options.anchorRatios = {0.5, 1.0, 2.0};
        const auto match = matchWeights(targets, file, options);
        VERIFY_RESULT(match);
        apply(*match);
        // rows there: (scale 0: 1, 2, 0.5), (scale 1: 1, 2, 0.5), each of four values
        const std::vector<std::int64_t> theirs = {2, 5, 0, 3, 1, 4};
        for (std::size_t anchor = 0; anchor < theirs.size(); ++anchor)
            for (std::int64_t value = 0; value < 4; ++value)
                QCOMPARE(targets[0].second[std::int64_t(anchor) * 4 + value].item<float>(),
                         float(theirs[anchor] * 4 + value));
    }
};

QTEST_GUILESS_MAIN(TestWeightMatch)
#include "tst_WeightMatch.moc"
