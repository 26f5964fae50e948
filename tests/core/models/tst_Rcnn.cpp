#include "core/nn/Threads.h"
#include "tests/core/models/RcnnWorld.h"
#include "tests/core/models/TotalLoss.h"

#include <set>

using namespace trainyard;
using namespace trainyard::testing;

namespace {

/// One level and the last stage at work on each region.
void makeC4(RcnnConfig& net) {
    net.pyramid = false;
    net.box.head = "stage";
    net.box.resolution = 14;
}

std::set<std::string> namesOf(const Model::Losses& losses) {
    std::set<std::string> names;
    for (const auto& [name, loss] : losses)
        names.insert(name);
    return names;
}

} // namespace

class tst_Rcnn : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() { at::manual_seed(1); } // regions are drawn by the device's generator

    void initTestCase() { configureThreads(1); }

    /// D58, D59, D65 to D67, D69: each type, on each body, in both conventions.
    void learnsWithEveryParameter_data() {
        QTest::addColumn<QString>("type");
        QTest::addColumn<Change>("change");
        QTest::addColumn<QStringList>("headLosses"); // of torchvision's convention
        const QStringList box = {"loss_classifier", "loss_box_reg"};
        const auto row = [](const char* name, const char* type, const Change& change, const QStringList& losses) {
            QTest::newRow(name) << type << change << losses;
        };
        row("RPN", "rpn", [](RcnnConfig&) {}, {});
        row(
            "Fast R-CNN", "fast_rcnn", [](RcnnConfig&) {}, box);
        row(
            "Faster R-CNN", "faster_rcnn", [](RcnnConfig&) {}, box);
        row(
            "Mask R-CNN", "mask_rcnn", [](RcnnConfig&) {}, box + QStringList{"loss_mask"});
        row(
            "Keypoint R-CNN", "keypoint_rcnn", [](RcnnConfig&) {}, box + QStringList{"loss_keypoint"});
        row(
            "both", "mask_keypoint_rcnn", [](RcnnConfig&) {}, box + QStringList{"loss_mask", "loss_keypoint"});
        row(
            "R-FCN", "rfcn", [](RcnnConfig&) {}, box);
        row("Faster R-CNN, C4", "faster_rcnn", makeC4, box);
        row(
            "ResNeXt-50", "faster_rcnn",
            [](RcnnConfig& net) {
                net.depth = 50;
                net.groups = 32;
                net.groupWidth = 4;
            },
            box);
        row(
            "dilated", "rfcn",
            [](RcnnConfig& net) {
                net.depth = 50;
                net.lastDilation = 2;
                net.stridesOn1x1 = true;
            },
            box);
        row(
            "VGG-M, pooled", "faster_rcnn",
            [](RcnnConfig& net) {
                net.body = "vgg_m";
                net.pyramid = false;
                net.box.pooling = "pool";
            },
            box);
        row(
            "convolutions with group norm", "faster_rcnn",
            [](RcnnConfig& net) {
                net.box.head = "convolutions";
                net.headNorm = "group";
            },
            box);
        row(
            "class-agnostic", "mask_rcnn",
            [](RcnnConfig& net) { net.box.classAgnostic = net.mask.classAgnostic = true; },
            box + QStringList{"loss_mask"});
        row(
            "shared stage", "mask_rcnn",
            [](RcnnConfig& net) {
                makeC4(net);
                net.mask.head = "shared_stage";
            },
            box + QStringList{"loss_mask"});
        row(
            "own stage", "mask_rcnn",
            [](RcnnConfig& net) {
                makeC4(net);
                net.mask.head = "stage";
            },
            box + QStringList{"loss_mask"});
    }
    void learnsWithEveryParameter() {
        QFETCH(QString, type);
        QFETCH(Change, change);
        QFETCH(QStringList, headLosses);
        for (const char* convention : {"torchvision", "detectron"}) {
            RunConfig config = smallRcnn(type.toStdString());
            change(config.model.rcnn);
            config.model.rcnn.convention = convention;
            const auto model = made(config);
            const auto losses = model->losses(wholeBatch());
            total(losses).backward();
            QVERIFY(std::isfinite(total(losses).item<double>()));
            for (const auto& item : model->named_parameters())
                QVERIFY2(item.value().grad().defined(), item.key().c_str());
            if (convention == std::string("torchvision"))
                compareNames(losses, type, headLosses);
            comparePredictions(*model, type);
        }
    }

    void lossesAreNamedAsDetectrons() {
        RunConfig config = smallRcnn("mask_keypoint_rcnn");
        config.model.rcnn.convention = "detectron";
        const std::set<std::string> pyramid = {"loss_bbox",          "loss_cls",           "loss_kps",
                                               "loss_mask",          "loss_rpn_bbox_fpn2", "loss_rpn_bbox_fpn3",
                                               "loss_rpn_bbox_fpn4", "loss_rpn_bbox_fpn5", "loss_rpn_bbox_fpn6",
                                               "loss_rpn_cls_fpn2",  "loss_rpn_cls_fpn3",  "loss_rpn_cls_fpn4",
                                               "loss_rpn_cls_fpn5",  "loss_rpn_cls_fpn6"};
        QCOMPARE(namesOf(made(config)->losses(wholeBatch())), pyramid);
        config = smallRcnn("faster_rcnn");
        config.model.rcnn.convention = "detectron";
        makeC4(config.model.rcnn);
        const std::set<std::string> oneLevel = {"loss_bbox", "loss_cls", "loss_rpn_bbox", "loss_rpn_cls"};
        QCOMPARE(namesOf(made(config)->losses(wholeBatch())), oneLevel);
    }

    /// D36: the metric beside the losses. A head that takes everything for background is right for the background's
    /// share, which its cross entropy tells: that of background is small, that of objects large.
    void measuresItsAccuracy() {
        const auto model = made(smallRcnn("faster_rcnn"));
        QVERIFY(model->metrics().empty()); // nothing was seen yet
        {
            const torch::NoGradGuard noGradients;
            auto parameters = model->named_parameters();
            parameters["roi_heads.box_predictor.cls_score.weight"].zero_();
            parameters["roi_heads.box_predictor.cls_score.bias"].copy_(torch::tensor({2.F, 0.F, 0.F, 0.F}));
        }
        double entropy = 0;
        for (const auto& [name, loss] : model->losses(wholeBatch()))
            if (name == "loss_classifier")
                entropy = loss.item<double>();
        const double ofObjects = std::log(std::exp(2.0) + 3), ofBackground = ofObjects - 2;
        const auto metrics = model->metrics();
        QCOMPARE(metrics.size(), std::size_t(1));
        QCOMPARE(metrics[0].first, std::string("accuracy_cls"));
        QVERIFY(metrics[0].second > 0.1 && metrics[0].second < 0.99);
        QVERIFY(std::abs(metrics[0].second - (ofObjects - entropy) / (ofObjects - ofBackground)) < 1e-5);
        const auto proposer = made(smallRcnn("rpn"));
        proposer->losses(wholeBatch());
        QVERIFY(proposer->metrics().empty());
    }

    void drawsByTheGeneratorOfTheDevice() {
        const auto model = made(smallRcnn("faster_rcnn"));
        const Batch batch = wholeBatch();
        const auto drawn = [&](std::uint64_t seed) {
            torch::manual_seed(seed);
            return total(model->losses(batch)).item<double>();
        };
        QCOMPARE(drawn(3), drawn(3));
        QVERIFY(drawn(3) != drawn(4));
    }

    void imagesWithoutObjectsAreBackground() {
        for (const char* convention : {"torchvision", "detectron"}) {
            RunConfig config = smallRcnn("mask_keypoint_rcnn");
            config.model.rcnn.convention = convention;
            const auto model = made(config);
            Batch batch = wholeBatch();
            batch.targets["boxes"] = torch::zeros({0, 4});
            batch.targets["labels"] = torch::zeros({0}, torch::kLong);
            batch.targets["crowd"] = torch::zeros({0}, torch::kBool);
            batch.targets["counts"] = torch::zeros({2}, torch::kLong);
            batch.targets["keypoints"] = torch::zeros({0, 5, 3});
            batch.shapes.clear();
            const auto losses = model->losses(batch);
            total(losses).backward();
            QVERIFY(std::isfinite(total(losses).item<double>()));
            for (const auto& [name, loss] : losses)
                if (name == "loss_mask" || name.rfind("loss_k", 0) == 0 || name.find("bbox") != std::string::npos)
                    QCOMPARE(loss.item<double>(), 0.0);
        }
    }

    void saysWhatIsMissing() {
        RunConfig config = smallRcnn("fast_rcnn");
        const auto model = made(config);
        QVERIFY_THROWS_EXCEPTION(std::exception, model->losses(rcnnBatch()));
        Batch strange = wholeBatch();
        strange.targets["labels"] = torch::tensor({0, 3, 1, 1}, torch::kLong); // there are classes 0 to 2
        QVERIFY_THROWS_EXCEPTION(std::exception, model->losses(strange));
        config.model.rcnn.classes = 0;
        QCOMPARE(makeModel(config, {{}, 1}).error().where, std::string("model.rcnn.classes"));
        config.model.rcnn.classes = 2;
        QCOMPARE(makeModel(config, kThreeClasses).error().where, std::string("model.rcnn.classes"));
    }

    /// Boxes, outlines and keypoints of a picture that was scaled by half come out in its own pixels.
    void answersInPixelsOfTheFile() {
        const auto model = made(smallRcnn("mask_keypoint_rcnn"));
        model->eval();
        Batch batch = rcnnBatch();
        const auto network = model->predict(batch);
        batch.samples[0].width = 200;
        batch.samples[0].height = 256;
        batch.samples[0].scaleX = batch.samples[0].scaleY = 0.5;
        const auto file = model->predict(batch);
        QCOMPARE(file[0].detections.size(), network[0].detections.size());
        QVERIFY(!file[0].detections.empty());
        for (std::size_t i = 0; i < file[0].detections.size(); ++i) {
            const Detection &own = file[0].detections[i], &plain = network[0].detections[i];
            QVERIFY(std::abs(own.box.x1 - 2 * plain.box.x1) < 1e-3F && std::abs(own.box.y2 - 2 * plain.box.y2) < 1e-3F);
            QCOMPARE(own.mask->width, 200);
            QCOMPARE(own.mask->height, 256);
            QVERIFY(std::abs(own.keypoints[0].at.x - 2 * plain.keypoints[0].at.x) < 1e-3F);
        }
    }

private:
    static void compareNames(const Model::Losses& losses, const QString& type, const QStringList& headLosses) {
        std::set<std::string> expected;
        if (type != "fast_rcnn")
            expected = {"loss_objectness", "loss_rpn_box_reg"};
        for (const QString& name : headLosses)
            expected.insert(name.toStdString());
        QCOMPARE(namesOf(losses), expected);
    }

    static void comparePredictions(Model& model, const QString& type) {
        model.eval();
        const auto predictions = model.predict(wholeBatch());
        QCOMPARE(predictions.size(), std::size_t(2));
        QVERIFY(!predictions[0].detections.empty());
        for (const Detection& found : predictions[0].detections) {
            QVERIFY(found.label >= 0 && found.label < 3);
            QVERIFY(found.score >= 0 && found.score <= 1);
            QVERIFY(found.box.x1 >= 0 && found.box.x2 <= 100 && found.box.y1 >= 0 && found.box.y2 <= 128);
            QCOMPARE(found.mask.has_value(), type.startsWith("mask"));
            QCOMPARE(found.keypoints.size(), std::size_t(type.contains("keypoint") ? 5 : 0));
        }
        for (std::size_t i = 1; i < predictions[0].detections.size(); ++i)
            QVERIFY(predictions[0].detections[i - 1].score >= predictions[0].detections[i].score);
    }
};

QTEST_GUILESS_MAIN(tst_Rcnn)
#include "tst_Rcnn.moc"
