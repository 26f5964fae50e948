#include "core/models/ModelRegistry.h"
#include "core/models/detection/ViewCombination.h"
#include "core/nn/Threads.h"
#include "tests/core/models/RcnnWorld.h"

#include <cmath>
#include <functional>

using namespace trainyard;
using namespace trainyard::testing;

namespace {

constexpr int kSide = 128;

std::shared_ptr<Model> made(const std::string& type, const std::function<void(RcnnConfig&)>& change) {
    RunConfig config = smallRcnn(type);
    config.model.rcnn.box.scoreThreshold = 0.2;
    config.model.rcnn.box.maxDetections = 12;
    change(config.model.rcnn);
    auto model = makeModel(config, {{"one", "two", "three"}, 7});
    if (!model)
        qFatal("%s", model.error().sentence().c_str());
    (*model)->eval();
    return *model;
}

/// The two images of the world as whole files of the network's size.
Batch files(bool isMirrored) {
    Batch batch = rcnnBatch();
    batch.targets["sizes"] = torch::tensor({{kSide, kSide}, {kSide, kSide}}, torch::kLong);
    if (isMirrored)
        batch.images = batch.images.flip({3}).contiguous(torch::MemoryFormat::ChannelsLast);
    for (SampleInfo& info : batch.samples)
        info.width = info.height = kSide;
    return batch;
}

bool areClose(const Box& a, const Box& b) {
    return std::abs(a.x1 - b.x1) < 0.01F && std::abs(a.y1 - b.y1) < 0.01F && std::abs(a.x2 - b.x2) < 0.01F &&
           std::abs(a.y2 - b.y2) < 0.01F;
}

} // namespace

class tst_RcnnViews : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { configureThreads(1); }

    // Asked step by step, the plain view alone gives what the model says by itself.
    void thePlainViewIsThePrediction_data() {
        QTest::addColumn<QString>("type");
        QTest::addColumn<QString>("suppression");
        QTest::addColumn<double>("oks");
        QTest::newRow("boxes") << "faster_rcnn"
                               << "hard" << 0.0;
        QTest::newRow("sinking scores") << "faster_rcnn"
                                        << "linear" << 0.0;
        QTest::newRow("masks and keypoints") << "mask_keypoint_rcnn"
                                             << "hard" << 0.0;
        QTest::newRow("alike keypoints") << "keypoint_rcnn"
                                         << "hard" << 0.5;
        QTest::newRow("proposals") << "rpn"
                                   << "hard" << 0.0;
    }
    void thePlainViewIsThePrediction() {
        QFETCH(QString, type);
        QFETCH(QString, suppression);
        QFETCH(double, oks);
        const auto model = made(type.toStdString(), [&](RcnnConfig& net) {
            net.box.suppression = suppression.toStdString();
            net.keypoint.oksSuppression = oks;
        });
        auto* stages = dynamic_cast<DetectorStages*>(model.get());
        QVERIFY(stages);
        const Batch batch = files(false);
        const auto whole = model->predict(batch),
                   stepped = ViewCombination(AugmentConfig()).predict(*stages, {View{}}, {batch});
        QCOMPARE(stepped.size(), whole.size());
        for (std::size_t i = 0; i < whole.size(); ++i) {
            const auto &a = whole[i].detections, &b = stepped[i].detections;
            QVERIFY(!a.empty());
            QCOMPARE(b.size(), a.size());
            for (std::size_t k = 0; k < a.size(); ++k) {
                QVERIFY(areClose(a[k].box, b[k].box) && std::abs(a[k].score - b[k].score) < 1e-4F);
                QCOMPARE(b[k].mask.has_value(), a[k].mask.has_value());
                QVERIFY(!a[k].mask || a[k].mask->counts == b[k].mask->counts);
                QCOMPARE(b[k].keypoints.size(), a[k].keypoints.size());
                for (std::size_t p = 0; p < a[k].keypoints.size(); ++p)
                    QVERIFY(std::abs(a[k].keypoints[p].at.x - b[k].keypoints[p].at.x) < 0.01F &&
                            std::abs(a[k].keypoints[p].at.y - b[k].keypoints[p].at.y) < 0.01F);
            }
        }
    }

    /// NMS_OKS: what differs from the plain answer is what was left out, and some was.
    void alikeKeypointsAreFoundOnce() {
        const Batch batch = files(false);
        const auto all = made("keypoint_rcnn", [](RcnnConfig&) {})->predict(batch);
        const auto left =
            made("keypoint_rcnn", [](RcnnConfig& net) { net.keypoint.oksSuppression = 0.3; })->predict(batch);
        std::size_t gone = 0;
        for (std::size_t i = 0; i < all.size(); ++i) {
            std::size_t next = 0;
            for (const Detection& one : all[i].detections)
                if (next < left[i].detections.size() && left[i].detections[next].score == one.score &&
                    left[i].detections[next].label == one.label)
                    ++next;
            QCOMPARE(next, left[i].detections.size()); // the others, in their order
            gone += all[i].detections.size() - next;
        }
        QVERIFY(gone > 0);
    }

    void theFlipOnlyResultIsSymmetric() {
        const auto model = made("mask_keypoint_rcnn", [](RcnnConfig&) {});
        auto& stages = dynamic_cast<DetectorStages&>(*model);
        const std::vector<View> views = {View{.isMirrored = true}, View{}};
        const auto one = ViewCombination(AugmentConfig()).predict(stages, views, {files(true), files(false)});
        const auto other = ViewCombination(AugmentConfig()).predict(stages, views, {files(false), files(true)});
        for (std::size_t i = 0; i < one.size(); ++i) {
            const auto &a = one[i].detections, &b = other[i].detections;
            QVERIFY(a.size() > 3);
            QCOMPARE(b.size(), a.size());
            for (std::size_t k = 0; k < a.size(); ++k) {
                const Box back{kSide - b[k].box.x2, b[k].box.y1, kSide - b[k].box.x1, b[k].box.y2};
                QVERIFY(areClose(a[k].box, back));
                QVERIFY(a[k].mask && b[k].mask);
                for (std::size_t p = 0; p < 5; ++p) // five keypoints have no sides
                    QVERIFY(std::abs(kSide - a[k].keypoints[p].at.x - b[k].keypoints[p].at.x) < 0.05F);
            }
        }
    }
};

QTEST_GUILESS_MAIN(tst_RcnnViews)
#include "tst_RcnnViews.moc"
