#include "core/config/DetectorInput.h"
#include "tests/support/TestData.h"

using namespace trainyard;

class tst_DetectorInput : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void eachTypeHasItsOwnNeeds_data() {
        QTest::addColumn<QString>("type");
        QTest::addColumn<QString>("section");
        QTest::addColumn<bool>("hasMasks");
        QTest::addColumn<int>("keypoints");
        QTest::addColumn<bool>("takesProposals");
        const auto row = [](const char* type, const char* section, bool hasMasks, int keypoints, bool takesProposals) {
            QTest::newRow(type) << type << section << hasMasks << keypoints << takesProposals;
        };
        row("retinanet", "model.retinanet", false, 0, false);
        row("rpn", "model.rcnn", false, 0, false);
        row("fast_rcnn", "model.rcnn", false, 0, true);
        row("faster_rcnn", "model.rcnn", false, 0, false);
        row("mask_rcnn", "model.rcnn", true, 0, false);
        row("keypoint_rcnn", "model.rcnn", false, 5, false);
        row("mask_keypoint_rcnn", "model.rcnn", true, 5, false);
        row("rfcn", "model.rcnn", false, 0, false);
    }
    void eachTypeHasItsOwnNeeds() {
        QFETCH(QString, type);
        QFETCH(bool, hasMasks);
        QFETCH(int, keypoints);
        QFETCH(bool, takesProposals);
        ModelConfig model;
        model.type = type.toStdString();
        model.rcnn.keypoint.keypoints = 5;
        model.rcnn.inputSize = model.retinanet.inputSize = 192;
        model.rcnn.classes = model.retinanet.classes = 4;
        const DetectorInput input = detectorInput(model);
        QTEST(QString::fromStdString(input.section), "section");
        QCOMPARE(input.side, std::int64_t(192));
        QCOMPARE(input.classes, std::int64_t(4));
        QCOMPARE(input.hasMasks, hasMasks);
        QCOMPARE(input.keypoints, std::int64_t(keypoints));
        QCOMPARE(input.takesProposals, takesProposals);
        model.rcnn.proposals = "given"; // by a key; who only proposes takes none
        QCOMPARE(detectorInput(model).takesProposals, type != "retinanet" && type != "rpn");
    }
};

QTEST_GUILESS_MAIN(tst_DetectorInput)
#include "tst_DetectorInput.moc"
