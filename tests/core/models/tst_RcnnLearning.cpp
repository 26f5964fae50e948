#include "core/nn/Threads.h"
#include "tests/core/models/RcnnWorld.h"
#include "tests/core/models/TotalLoss.h"

#include <set>

using namespace trainyard;
using namespace trainyard::testing;

namespace {

/// One step of plain gradient descent.
void descend(Model& model, double rate) {
    const torch::NoGradGuard noGradients;
    for (auto& parameter : model.parameters()) {
        if (parameter.grad().defined())
            parameter.add_(parameter.grad(), -rate);
        parameter.mutable_grad().reset();
    }
}

} // namespace

class tst_RcnnLearning : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() { at::manual_seed(1); } // regions are drawn by the device's generator

    void initTestCase() { configureThreads(1); }

    /// What was learnt by heart is found: boxes, outlines, keypoints.
    void findsWhatItLearnt_data() {
        QTest::addColumn<QString>("type");
        for (const char* type : {"fast_rcnn", "mask_keypoint_rcnn"})
            QTest::newRow(type) << type;
    }
    void findsWhatItLearnt() {
        QFETCH(QString, type);
        const RunConfig config = smallRcnn(type.toStdString());
        const auto model = made(config);
        Batch batch = wholeBatch();
        double first = 0, last = 0;
        for (int step = 0; step < 60; ++step) {
            const auto loss = total(model->losses(batch));
            (step == 0 ? first : last) = loss.item<double>();
            loss.backward();
            descend(*model, 0.02);
        }
        QVERIFY2(last < first / 3, (std::to_string(first) + " to " + std::to_string(last)).c_str());
        model->eval();
        const auto predictions = model->predict(batch);
        const auto best = predictions[1].detections.front();
        QCOMPARE(best.label, 1);
        QVERIFY2(best.score > 0.6F, std::to_string(best.score).c_str());
        const Box truth{3, 3, 120, 88};
        const double width = std::min(best.box.x2, truth.x2) - std::max(best.box.x1, truth.x1);
        const double height = std::min(best.box.y2, truth.y2) - std::max(best.box.y1, truth.y1);
        const double shared = width * height;
        QVERIFY(shared / (best.box.area() + truth.area() - shared) > 0.6);
        if (!best.mask)
            return;
        const double area = double(runlength::area(*best.mask)) / (truth.area() * M_PI / 4);
        QVERIFY2(area > 0.7 && area < 1.4, std::to_string(area).c_str());
    }

    /// D33.
    void whatIsFrozenStays_data() {
        QTest::addColumn<Change>("change");
        QTest::addColumn<QStringList>("frozen");
        QTest::newRow("stem and first stage")
            << Change([](RcnnConfig& net) { net.frozenStages = 2; })
            << QStringList{"backbone.body.conv1", "backbone.body.bn1", "backbone.body.layer1"};
        QTest::newRow("body") << Change([](RcnnConfig& net) { net.frozenBody = true; }) << QStringList{"backbone."};
        QTest::newRow("VGG") << Change([](RcnnConfig& net) {
            net.body = "vgg_m";
            net.pyramid = false;
            net.frozenStages = 1;
        }) << QStringList{"backbone.body.features.0."};
    }
    void whatIsFrozenStays() {
        QFETCH(Change, change);
        QFETCH(QStringList, frozen);
        for (const char* norm : {"batch", "affine"}) {
            RunConfig config = smallRcnn("faster_rcnn");
            config.model.norm = norm;
            change(config.model.rcnn);
            const auto model = made(config);
            std::map<std::string, torch::Tensor> before;
            for (const auto& tensors : {model->named_parameters(), model->named_buffers()})
                for (const auto& item : tensors)
                    before[item.key()] = item.value().clone();
            model->train();
            for (int step = 0; step < 2; ++step) {
                total(model->losses(wholeBatch())).backward();
                descend(*model, 0.01);
            }
            std::set<std::string> changed;
            for (const auto& tensors : {model->named_parameters(), model->named_buffers()})
                for (const auto& item : tensors)
                    if (!isEqual(item.value(), before[item.key()]))
                        changed.insert(item.key());
            for (const std::string& name : changed)
                for (const QString& prefix : frozen)
                    QVERIFY2(!QString::fromStdString(name).startsWith(prefix), name.c_str());
            QVERIFY(changed.count("roi_heads.box_predictor.cls_score.weight") == 1);
            if (norm == std::string("affine")) // Detectron's AffineChannel is never trained
                QVERIFY(std::none_of(changed.begin(), changed.end(),
                                     [](const auto& name) { return name.find(".bn") != std::string::npos; }));
        }
    }
};

QTEST_GUILESS_MAIN(tst_RcnnLearning)
#include "tst_RcnnLearning.moc"
