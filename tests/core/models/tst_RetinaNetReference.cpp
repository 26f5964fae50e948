#include "core/models/detection/RetinaNet.h"
#include "core/nn/MemoryLayout.h"
#include "core/nn/Threads.h"
#include "tests/core/models/Reference.h"
#include "tests/core/models/TotalLoss.h"

using namespace trainyard;
using namespace trainyard::testing;

namespace {

RetinaNetConfig referenceConfig(std::int64_t depth) {
    RetinaNetConfig config;
    config.classes = 3;
    config.depth = depth;
    config.fpnChannels = 32;
    config.anchorSizes = {10, 20, 40, 80, 120};
    config.scoreThreshold = 0.2;
    config.topCandidates = 60;
    config.maxDetections = 20;
    return config;
}

/// The two images and their boxes of make_reference.py.
Batch referenceBatch() {
    Batch batch;
    batch.images = noise("images", {2, 3, 128, 128}).to(torch::kFloat).contiguous(torch::MemoryFormat::ChannelsLast);
    batch.targets["boxes"] = torch::tensor(
        {{10.5F, 20.F, 33.F, 48.25F}, {50.F, 60.F, 98.F, 120.F}, {70.F, 5.F, 78.5F, 12.F}, {3.F, 3.F, 120.F, 88.F}});
    batch.targets["labels"] = torch::tensor({0, 2, 1, 1}, torch::kLong);
    batch.targets["crowd"] = torch::zeros({4}, torch::kBool);
    batch.targets["counts"] = torch::tensor({3, 1}, torch::kLong);
    batch.targets["sizes"] = torch::tensor({{128, 100}, {90, 128}}, torch::kLong);
    batch.samples.resize(2);
    return batch;
}

} // namespace

class tst_RetinaNetReference : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { configureThreads(1); }

    void equalsTorchvision_data() {
        QTest::addColumn<int>("index");
        QTest::newRow("ResNet-18, batch norm") << 0;
        QTest::newRow("ResNet-18, group norm") << 1;
        QTest::newRow("ResNet-18, frozen batch norm") << 2;
        QTest::newRow("ResNet-34, batch norm") << 3;
        QTest::newRow("ResNet-50, frozen batch norm") << 4;
    }
    void equalsTorchvision() {
        QFETCH(int, index);
        const auto expected = reference("retinanet.json")[std::size_t(index)];
        RetinaNet model(referenceConfig(expected["depth"]), expected["norm"]);
        QCOMPARE(namesAndShapes(model.named_parameters()), namesAndShapes(expected["parameters"]));
        QCOMPARE(namesAndShapes(model.named_buffers()), namesAndShapes(expected["buffers"]));
        fillLikeReference(model);
        toChannelsLast(model);

        const Batch batch = referenceBatch();
        for (const auto& [name, loss] : model.losses(batch))
            QVERIFY2(relativeError(loss.item<double>(), expected["losses"][name]) < 1e-4, name.c_str());

        // Gradients in double as the reference's: in float32 a few ReLUs near zero fall on the other side.
        model.to(torch::kDouble);
        Batch exact = batch;
        exact.images = batch.images.to(torch::kDouble);
        const auto losses = model.losses(exact);
        for (const auto& [name, loss] : losses)
            QVERIFY2(relativeError(loss.item<double>(), expected["losses"][name]) < 1e-5, name.c_str());
        total(losses).backward();
        for (const auto& item : model.named_parameters()) {
            const double norm = item.value().grad().norm().item<double>();
            const double error = relativeError(norm, expected["gradient_norms"][item.key()]);
            QVERIFY2(error < 1e-5, (item.key() + " differs by " + std::to_string(error)).c_str());
        }
        model.to(torch::kFloat);

        fillLikeReference(model); // the losses moved the running statistics
        model.eval();
        const auto predictions = model.predict(batch);
        for (std::size_t i = 0; i < 2; ++i) {
            const auto& wanted = expected["detections"][i];
            QCOMPARE(predictions[i].detections.size(), wanted.size());
            for (std::size_t k = 0; k < wanted.size(); ++k) {
                const Detection& found = predictions[i].detections[k];
                QCOMPARE(found.label, wanted[k]["label"].get<int>());
                QVERIFY(std::abs(found.score - wanted[k]["score"].get<double>()) < 1e-4);
                const float corners[] = {found.box.x1, found.box.y1, found.box.x2, found.box.y2};
                for (std::size_t c = 0; c < 4; ++c)
                    QVERIFY(std::abs(corners[c] - wanted[k]["box"][c].get<double>()) < 1e-2);
            }
        }
    }
};

QTEST_GUILESS_MAIN(tst_RetinaNetReference)
#include "tst_RetinaNetReference.moc"
