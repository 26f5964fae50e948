#include "core/nn/MemoryLayout.h"
#include "core/nn/Threads.h"
#include "tests/core/models/RcnnWorld.h"
#include "tests/core/models/TotalLoss.h"

#include <set>

using namespace trainyard;
using namespace trainyard::testing;

namespace {

constexpr std::int64_t kEvery = 1000000;

/// As make_rcnn_reference.py makes it; what is not said here is the default.
std::shared_ptr<Rcnn> referenceModel(const std::string& kind) {
    ModelConfig model;
    model.type = kind;
    RcnnConfig& net = model.rcnn;
    net.classes = 3;
    net.rpn.anchorSizes = {8, 16, 32, 64, 128};
    net.rpn.trainCandidates = 200;
    net.rpn.trainProposals = 80;
    net.rpn.testCandidates = 100;
    net.rpn.testProposals = 40;
    net.rpn.anchorsPerImage = net.box.regionsPerImage = kEvery;
    net.rpn.foregroundShare = net.box.foregroundShare = 1;
    net.box.maxDetections = 8;
    net.keypoint.keypoints = 5;
    auto made = std::make_shared<Rcnn>(net, partsOf(model), "frozen");
    fillLikeRcnnReference(*made);
    toChannelsLast(*made);
    return made;
}

/// "NAME [SIZES]" of parameters and buffers, as far as the reference lists them.
std::set<std::string> stateOf(const torch::nn::Module& module, bool isWhole) {
    std::set<std::string> state;
    for (const auto& tensors : {module.named_parameters(), module.named_buffers()})
        for (const std::string& line : namesAndShapes(tensors))
            if (isWhole || line.find("roi_heads") != std::string::npos)
                state.insert(line);
    return state;
}

void compareMask(const RunLengthMask& mask, const nlohmann::json& wanted) {
    const auto pixels = runlength::pixels(mask);
    std::int64_t area = 0, x = 0, y = 0;
    for (std::size_t i = 0; i < pixels.size(); ++i)
        if (pixels[i] > 0) {
            ++area;
            x += std::int64_t(i) % mask.width;
            y += std::int64_t(i) / mask.width;
        }
    QVERIFY(std::abs(double(area) - wanted["area"].get<double>()) <= 2); // a pixel at the threshold may fall either way
    QVERIFY(std::abs(double(x) - wanted["x"].get<double>()) <= 256);
    QVERIFY(std::abs(double(y) - wanted["y"].get<double>()) <= 256);
}

} // namespace

class tst_RcnnReference : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { configureThreads(1); }

    void equalsTorchvision_data() {
        QTest::addColumn<int>("index");
        QTest::newRow("fasterrcnn_resnet50_fpn") << 0;
        QTest::newRow("maskrcnn_resnet50_fpn") << 1;
        QTest::newRow("keypointrcnn_resnet50_fpn") << 2;
    }
    void equalsTorchvision() {
        QFETCH(int, index);
        const auto expected = reference("rcnn.json")[std::size_t(index)];
        const auto model = referenceModel(expected["kind"]);
        compareState(*model, expected);
        compareLosses(*model, expected);
        compareGradients(*model, expected);
        compareDetections(expected);
    }

private:
    void compareState(const Rcnn& model, const nlohmann::json& expected) {
        const auto listed = namesAndShapes(expected["state"]);
        QCOMPARE(stateOf(model, expected["kind"] == "faster_rcnn"),
                 std::set<std::string>(listed.begin(), listed.end()));
    }

    void compareLosses(Rcnn& model, const nlohmann::json& expected) {
        const auto losses = model.losses(rcnnBatch());
        QCOMPARE(losses.size(), expected["losses"].size());
        for (const auto& [name, loss] : losses) {
            const double error = relativeError(loss.item<double>(), expected["losses"][name]);
            QVERIFY2(error < 1e-5, (name + " differs by " + std::to_string(error)).c_str());
        }
    }

    void compareGradients(Rcnn& model, const nlohmann::json& expected) {
        model.to(torch::kDouble); // in float32 a few ReLUs near zero fall on the other side
        Batch exact = rcnnBatch();
        exact.images = exact.images.to(torch::kDouble);
        total(model.losses(exact)).backward();
        const auto parameters = model.named_parameters();
        for (const auto& [name, norm] : expected["gradient_norms"].items()) {
            const double error = relativeError(parameters[name].grad().norm().item<double>(), norm);
            QVERIFY2(error < 1e-5, (name + " differs by " + std::to_string(error)).c_str());
        }
    }

    void compareDetections(const nlohmann::json& expected) {
        const auto model = referenceModel(expected["kind"]);
        model->eval();
        const auto predictions = model->predict(rcnnBatch());
        for (std::size_t i = 0; i < 2; ++i) {
            const auto& wanted = expected["detections"][i];
            QCOMPARE(predictions[i].detections.size(), wanted.size());
            for (std::size_t k = 0; k < wanted.size(); ++k)
                compareDetection(predictions[i].detections[k], wanted[k]);
        }
    }

    void compareDetection(const Detection& found, const nlohmann::json& wanted) {
        QCOMPARE(found.label, wanted["label"].get<int>());
        QVERIFY(std::abs(found.score - wanted["score"].get<double>()) < 1e-3);
        const float corners[] = {found.box.x1, found.box.y1, found.box.x2, found.box.y2};
        for (std::size_t c = 0; c < 4; ++c)
            QVERIFY(std::abs(corners[c] - wanted["box"][c].get<double>()) < 1e-3);
        QCOMPARE(found.mask.has_value(), wanted.contains("mask"));
        if (found.mask)
            compareMask(*found.mask, wanted["mask"]);
        const auto keypoints = wanted.value("keypoints", nlohmann::json::array());
        QCOMPARE(found.keypoints.size(), keypoints.size());
        for (std::size_t k = 0; k < keypoints.size(); ++k) {
            QVERIFY(std::abs(found.keypoints[k].at.x - keypoints[k][0].get<double>()) < 1e-3);
            QVERIFY(std::abs(found.keypoints[k].at.y - keypoints[k][1].get<double>()) < 1e-3);
        }
    }
};

QTEST_GUILESS_MAIN(tst_RcnnReference)
#include "tst_RcnnReference.moc"
