#include "core/models/detection/RetinaNet.h"
#include "core/nn/Autocast.h"
#include "core/nn/Threads.h"
#include "tests/core/models/Reference.h"
#include "tests/core/models/TotalLoss.h"

#include <QScopeGuard>
#include <torch/optim/adam.h>

using namespace trainyard;
using namespace trainyard::testing;

namespace {

std::map<std::string, torch::Tensor> gradients(Model& model, const Batch& batch) {
    model.zero_grad();
    total(model.losses(batch)).backward();
    std::map<std::string, torch::Tensor> byName;
    for (const auto& item : model.named_parameters())
        byName[item.key()] = item.value().grad().clone();
    return byName;
}

/// A small network that learns quickly: its own classes, anchors for 64 pixels.
RunConfig smallConfig(const std::string& norm = "group") {
    RunConfig config;
    config.model.type = "retinanet";
    config.model.norm = norm;
    config.model.retinanet.fpnChannels = 32;
    config.model.retinanet.headConvolutions = 1;
    config.model.retinanet.anchorSizes = {8, 16, 32, 48, 64};
    config.model.retinanet.inputSize = 64;
    return config;
}

/// Dark images with a bright box each: class 0 is red, class 1 green.
Batch colouredBoxes(std::int64_t count) {
    Batch batch;
    batch.images = 0.1 * noise("background", {count, 3, 64, 64}).to(torch::kFloat);
    std::vector<float> boxes;
    std::vector<std::int64_t> labels;
    for (std::int64_t i = 0; i < count; ++i) {
        const std::int64_t x = 8 + 7 * i, y = 30 - 6 * i, width = 14 + 4 * i, height = 26 - 3 * i;
        batch.images[i][i % 2].slice(0, y, y + height).slice(1, x, x + width).fill_(2.0);
        boxes.insert(boxes.end(), {float(x), float(y), float(x + width), float(y + height)});
        labels.push_back(i % 2);
    }
    batch.images = batch.images.contiguous(torch::MemoryFormat::ChannelsLast);
    batch.targets["boxes"] = torch::tensor(boxes).reshape({-1, 4});
    batch.targets["labels"] = torch::tensor(labels, torch::kLong);
    batch.targets["counts"] = torch::ones({count}, torch::kLong);
    batch.samples.resize(std::size_t(count));
    return batch;
}

/// Images [begin, end) of a batch that has one box an image.
Batch part(const Batch& batch, std::int64_t begin, std::int64_t end) {
    Batch piece;
    piece.images = batch.images.slice(0, begin, end);
    for (const auto& [name, target] : batch.targets)
        piece.targets[name] = target.slice(0, begin, end);
    piece.samples.resize(std::size_t(end - begin));
    return piece;
}

const ModelContext kTwoClasses{{"red", "green"}, 5};

std::shared_ptr<Model> make(const RunConfig& config, const ModelContext& context = kTwoClasses) {
    return makeModel(config, context).value();
}

} // namespace

class tst_RetinaNet : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { configureThreads(1); }

    void imageWithoutBoxesIsAllBackground() {
        auto model = make(smallConfig());
        Batch batch = colouredBoxes(2);
        batch.targets["boxes"] = torch::empty({0, 4});
        batch.targets["labels"] = torch::empty({0}, torch::kLong);
        batch.targets["counts"] = torch::zeros({2}, torch::kLong);
        const auto losses = model->losses(batch);
        QVERIFY(losses[0].second.item<double>() > 0);
        QCOMPARE(losses[1].second.item<double>(), 0.0);
        total(losses).backward();
        for (const auto& parameter : model->parameters())
            QVERIFY(parameter.grad().isfinite().all().item<bool>());
    }

    void labelThatIsNoClassIsRefused() {
        auto model = make(smallConfig());
        Batch batch = colouredBoxes(1);
        batch.targets["labels"].fill_(2);
        QVERIFY_EXCEPTION_THROWN(model->losses(batch), c10::Error);
    }

    void partsOfABatchAverageToTheWhole() {
        auto model = make(smallConfig("group"));
        const Batch batch = colouredBoxes(4);
        const auto whole = model->losses(batch), first = model->losses(part(batch, 0, 2)),
                   second = model->losses(part(batch, 2, 4));
        for (std::size_t i = 0; i < whole.size(); ++i) {
            const double mean = (first[i].second.item<double>() + second[i].second.item<double>()) / 2;
            QVERIFY(relativeError(mean, whole[i].second.item<double>()) < 1e-5);
        }
        const auto all = gradients(*model, batch), one = gradients(*model, part(batch, 0, 2)),
                   two = gradients(*model, part(batch, 2, 4));
        for (const auto& [name, gradient] : all) {
            const double error = (gradient - (one.at(name) + two.at(name)) / 2).norm().item<double>();
            QVERIFY2(error <= 1e-4 * gradient.norm().item<double>() + 1e-7, name.c_str());
        }
    }

    void equalSeedsGiveEqualBits_data() {
        QTest::addColumn<int>("threads");
        QTest::newRow("one thread") << 1;
        QTest::newRow("two threads") << 2;
    }
    void equalSeedsGiveEqualBits() {
        QFETCH(int, threads);
        configureThreads(threads);
        const auto back = qScopeGuard([] { configureThreads(1); });
        torch::manual_seed(1);
        auto first = make(smallConfig());
        torch::rand({7}); // the global generator moves on, and must not matter
        auto second = make(smallConfig());
        auto other = make(smallConfig(), {{"red", "green"}, 6});
        const auto a = first->named_parameters(), b = second->named_parameters(), c = other->named_parameters();
        for (const auto& item : a)
            QVERIFY2(isEqual(item.value(), b[item.key()]), item.key().c_str());
        QVERIFY(!isEqual(a["backbone.body.conv1.weight"], c["backbone.body.conv1.weight"]));

        const Batch batch = colouredBoxes(4);
        const auto one = gradients(*first, batch), two = gradients(*second, batch);
        for (const auto& [name, gradient] : one)
            QVERIFY2(isEqual(gradient, two.at(name)), name.c_str());
    }

    // torchvision's rules: He's deviation by outputs, a prior score of 0.01, small heads.
    void startsAsTorchvisionDoes() {
        auto model = make(smallConfig());
        const auto parameters = model->named_parameters();
        const auto deviation = [&](const char* name) { return parameters[name].std().item<double>(); };
        QVERIFY(relativeError(deviation("backbone.body.layer3.0.conv1.weight"), std::sqrt(2.0 / (256 * 9))) < 0.01);
        QVERIFY(relativeError(deviation("backbone.fpn.inner_blocks.2.0.weight"), std::sqrt(1.0 / 512)) < 0.02);
        QVERIFY(relativeError(deviation("head.regression_head.conv.0.0.weight"), 0.01) < 0.03);
        const auto bias = parameters["head.classification_head.cls_logits.bias"];
        QVERIFY(largestDifference(torch::sigmoid(bias), torch::full_like(bias, 0.01)) < 1e-6);
        QCOMPARE(parameters["backbone.fpn.inner_blocks.2.0.bias"].abs().max().item<double>(), 0.0);
    }

    // bfloat16 has 8 significant bits: a few parts in a thousand a layer, which the losses average out.
    void bfloat16LossesAreNearFloat32_data() {
        QTest::addColumn<QString>("norm");
        for (const char* norm : {"batch", "group", "frozen"})
            QTest::newRow(norm) << norm;
    }
    void bfloat16LossesAreNearFloat32() {
        QFETCH(QString, norm);
        auto model = make(smallConfig(norm.toStdString()));
        const Batch batch = colouredBoxes(4);
        const auto exact = model->losses(batch);
        Model::Losses rough;
        {
            const Autocast cast(true);
            rough = model->losses(batch);
        }
        for (std::size_t i = 0; i < exact.size(); ++i) {
            QCOMPARE(rough[i].second.scalar_type(), torch::kFloat);
            QVERIFY(relativeError(rough[i].second.item<double>(), exact[i].second.item<double>()) < 0.03);
        }
        total(rough).backward();
        for (const auto& item : model->named_parameters())
            QVERIFY2(item.value().grad().isfinite().all().item<bool>(), item.key().c_str());
    }

    void frozenStagesStayAsTheyAre() {
        RunConfig config = smallConfig("batch");
        config.model.retinanet.frozenStages = 2;
        auto model = make(config);
        model->train();
        const auto before = model->named_buffers()["backbone.body.layer1.0.bn1.running_mean"].clone();
        total(model->losses(colouredBoxes(2))).backward();
        QVERIFY(isEqual(before, model->named_buffers()["backbone.body.layer1.0.bn1.running_mean"]));
        QVERIFY(model->named_buffers()["backbone.body.layer2.0.bn1.running_mean"].abs().max().item<double>() > 0);
        for (const auto& item : model->named_parameters()) {
            const bool isFrozen = item.key().rfind("backbone.body.conv1", 0) == 0 ||
                                  item.key().rfind("backbone.body.bn1", 0) == 0 ||
                                  item.key().rfind("backbone.body.layer1", 0) == 0;
            QVERIFY2(item.value().requires_grad() != isFrozen, item.key().c_str());
            QVERIFY2(item.value().grad().defined() != isFrozen, item.key().c_str());
        }
    }

    void overfitsAFewImages() {
        auto model = make(smallConfig("batch"));
        torch::optim::Adam optimiser(model->parameters(), 1e-3);
        const Batch batch = colouredBoxes(4);
        const double before = total(model->losses(batch)).item<double>();
        for (int i = 0; i < 100; ++i) {
            optimiser.zero_grad();
            total(model->losses(batch)).backward();
            optimiser.step();
        }
        const double after = total(model->losses(batch)).item<double>();
        qInfo("loss %.3f -> %.4f", before, after);
        QVERIFY(after < 0.1 * before);
        model->eval();
        const auto predictions = model->predict(batch);
        for (std::size_t i = 0; i < predictions.size(); ++i) {
            QVERIFY(!predictions[i].detections.empty());
            const Detection& best = predictions[i].detections.front();
            QCOMPARE(best.label, int(i % 2));
            const auto wanted = batch.targets.at("boxes")[std::int64_t(i)];
            const auto found = torch::tensor({best.box.x1, best.box.y1, best.box.x2, best.box.y2});
            QVERIFY(largestDifference(found, wanted) < 4);
        }
    }

    void badConfigurationsAreSentences() {
        RunConfig config = smallConfig();
        QCOMPARE(makeModel(config, {{}, 1}).error().kind, ErrorKind::Usage);
        config.model.retinanet.classes = 1;
        QCOMPARE(makeModel(config, kTwoClasses).error().where, std::string("model.retinanet.classes"));
        config = smallConfig();
        config.model.retinanet.depth = 19;
        QCOMPARE(makeModel(config, kTwoClasses).error().where, std::string("model.retinanet.depth"));
        config = smallConfig();
        config.model.type = "retinanot";
        QCOMPARE(makeModel(config, kTwoClasses).error().where, std::string("model.type"));
    }
};

QTEST_GUILESS_MAIN(tst_RetinaNet)
#include "tst_RetinaNet.moc"
