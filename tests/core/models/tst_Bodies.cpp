#include "core/models/detection/FeaturePyramid.h"
#include "core/models/detection/ResNet.h"
#include "core/models/detection/Vgg.h"
#include "core/nn/Threads.h"
#include "tests/core/models/Reference.h"

using namespace trainyard;
using namespace trainyard::testing;

namespace {

torch::Tensor values(const std::string& name, torch::IntArrayRef sizes) {
    return noise(name, sizes).to(torch::kFloat);
}

ResNetShape shapeOf(std::int64_t depth, const std::string& norm, std::int64_t groups = 1, std::int64_t width = 64) {
    ResNetShape shape;
    shape.depth = depth;
    shape.norm = norm;
    shape.groups = groups;
    shape.widthPerGroup = width;
    return shape;
}

/// The networks of make_body_reference.py.
const std::map<std::string, ResNetShape>& residualShapes() {
    static const std::map<std::string, ResNetShape> shapes = [] {
        std::map<std::string, ResNetShape> all = {{"resnet101", shapeOf(101, "frozen")},
                                                  {"resnext50_32x4d", shapeOf(50, "batch", 32, 4)},
                                                  {"resnet50_gn", shapeOf(50, "group")},
                                                  {"resnet50_1x1", shapeOf(50, "frozen")},
                                                  {"resnet50_dilated", shapeOf(50, "frozen")}};
        all["resnet50_1x1"].stridesOn1x1 = true;
        all["resnet50_dilated"].lastDilation = 2;
        return all;
    }();
    return shapes;
}

std::int64_t parametersOf(const torch::nn::Module& module) {
    std::int64_t count = 0;
    for (const auto& parameter : module.parameters())
        count += parameter.numel();
    return count;
}

/// Whether `map` is what the reference says: size, mean of absolute values, first values.
bool isClose(const torch::Tensor& map, const nlohmann::json& expected) {
    const auto flat = map.contiguous().flatten().to(torch::kDouble);
    const double mean = expected["mean"].get<double>();
    return map.sizes().vec() == expected["sizes"].get<std::vector<std::int64_t>>() &&
           relativeError(flat.abs().mean().item<double>(), mean) < 1e-5 &&
           largestDifference(flat.slice(0, 0, 8), tensorOf(expected["first"], {8})) < 1e-4 * std::max(1.0, mean);
}

void compare(const std::vector<torch::Tensor>& maps, const nlohmann::json& expected) {
    QCOMPARE(maps.size(), expected["maps"].size());
    for (std::size_t i = 0; i < maps.size(); ++i)
        QVERIFY2(isClose(maps[i], expected["maps"][i]), std::to_string(i).c_str());
}

} // namespace

class tst_Bodies : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { configureThreads(1); }

    /// D59: parameter counts.
    void countsEqualTorchvision_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<int>("depth");
        QTest::addColumn<int>("groups");
        QTest::addColumn<int>("width");
        for (const int depth : {18, 34, 50, 101, 152})
            QTest::addRow("resnet%d", depth) << QString("resnet%1").arg(depth) << depth << 1 << 64;
        QTest::newRow("50, 32 x 4") << "resnext50_32x4d" << 50 << 32 << 4;
        QTest::newRow("101, 32 x 8") << "resnext101_32x8d" << 101 << 32 << 8;
        QTest::newRow("101, 64 x 4") << "resnext101_64x4d" << 101 << 64 << 4;
    }
    void countsEqualTorchvision() {
        QFETCH(QString, name);
        QFETCH(int, depth);
        QFETCH(int, groups);
        QFETCH(int, width);
        const auto expected = reference("bodies.json")["counts"][name.toStdString()].get<std::int64_t>();
        QCOMPARE(parametersOf(ResNet(shapeOf(depth, "batch", groups, width))), expected);
        QCOMPARE(parametersOf(ResNet(shapeOf(depth, "group", groups, width))), expected);
    }

    /// D59: what comes out of every stage, by torchvision's weights.
    void residualStagesEqualTorchvision_data() {
        QTest::addColumn<QString>("name");
        for (const auto& [name, shape] : residualShapes())
            QTest::addRow("%s", name.c_str()) << QString::fromStdString(name);
    }
    void residualStagesEqualTorchvision() {
        QFETCH(QString, name);
        const torch::NoGradGuard noGradients;
        const auto expected = reference("bodies.json")[name.toStdString()];
        ResNet body(residualShapes().at(name.toStdString()));
        QCOMPARE(parametersOf(body), expected["parameters"].get<std::int64_t>());
        fillLikeReference(body);
        body.eval();
        compare(body.allStages(values("body images", {1, 3, 64, 96})), expected);
    }

    void strideAndChannelsAreKnownBeforehand_data() { residualStagesEqualTorchvision_data(); }
    void strideAndChannelsAreKnownBeforehand() {
        QFETCH(QString, name);
        const auto& shape = residualShapes().at(name.toStdString());
        const auto expected = reference("bodies.json")[name.toStdString()]["maps"];
        for (int number = 1; number <= 4; ++number) {
            const auto sizes = expected[std::size_t(number - 1)]["sizes"].get<std::vector<std::int64_t>>();
            QCOMPARE(shape.channelsOf(number), sizes[1]);
            QCOMPARE(64 / shape.strideOf(number), sizes[2]);
            QCOMPARE(96 / shape.strideOf(number), sizes[3]);
        }
    }

    void threeStagesLeaveTheLastToTheHead() {
        const torch::NoGradGuard noGradients;
        auto shape = residualShapes().at("resnet50_1x1");
        shape.stages = 3;
        ResNet body(shape);
        ResNetStage head(shape, 4);
        fillLikeReference(body);
        body.eval();
        head.eval();
        const auto maps = body.allStages(values("body images", {1, 3, 64, 96}));
        QCOMPARE(maps.size(), std::size_t(3));
        QVERIFY(isClose(maps.back(), reference("bodies.json")["resnet50_1x1"]["maps"][2]));
        QCOMPARE(head.forward(torch::ones({2, 1024, 14, 14})).sizes().vec(),
                 std::vector<std::int64_t>({2, 2048, 7, 7}));
        QCOMPARE(parametersOf(body) + parametersOf(head), parametersOf(ResNet(residualShapes().at("resnet50_1x1"))));
    }

    void frozenStagesTakeNoGradient() {
        auto shape = shapeOf(18, "batch");
        for (const std::int64_t frozen : {0, 2, 5}) {
            shape.frozenStages = frozen;
            ResNet body(shape);
            for (const auto& item : body.named_parameters()) {
                const bool isStem = item.key().rfind("layer", 0) != 0;
                const std::int64_t stage = isStem ? 1 : item.key()[5] - '0' + 1;
                QCOMPARE(item.value().requires_grad(), stage > frozen);
            }
            body.train();
            QCOMPARE(body.children()[1]->is_training(), frozen == 0); // the stem's norm
        }
    }

    void refusesWhatThereIsNot() {
        QVERIFY_EXCEPTION_THROWN(ResNet(shapeOf(77, "batch")), c10::Error);
        QVERIFY_EXCEPTION_THROWN(ResNet(shapeOf(34, "batch", 32, 4)), c10::Error);
        QVERIFY_EXCEPTION_THROWN(Vgg("vgg11", false), c10::Error);
    }

    void vggEqualsItsReference_data() {
        QTest::addColumn<QString>("kind");
        for (const auto* kind : {"vgg16", "vgg19", "vgg_m"})
            QTest::newRow(kind) << kind;
    }
    void vggEqualsItsReference() {
        QFETCH(QString, kind);
        const torch::NoGradGuard noGradients;
        const auto expected = reference("bodies.json")[kind.toStdString()];
        Vgg body(kind.toStdString(), true);
        QCOMPARE(parametersOf(body), expected["parameters"].get<std::int64_t>());
        fillLikeReference(body);
        compare({body.forward(values("body images", {1, 3, 64, 96}))}, expected);
    }

    void vggFreezesItsStart() {
        const std::map<std::string, std::size_t> frozen = {{"vgg16", 8}, {"vgg19", 8}, {"vgg_m", 2}};
        for (const auto& [kind, count] : frozen) {
            const auto parameters = Vgg(kind, true).parameters();
            for (std::size_t i = 0; i < parameters.size(); ++i)
                QCOMPARE(parameters[i].requires_grad(), i >= count);
            for (const auto& parameter : Vgg(kind, false).parameters())
                QVERIFY(parameter.requires_grad());
        }
    }

    void affineIsAFixedScaleAndOffset() {
        const auto norm = makeNorm("affine", 3);
        QVERIFY(norm->parameters().empty());
        const auto images = values("affine", {2, 3, 4, 5}).set_requires_grad(true);
        QVERIFY(isEqual(norm->forward(images), images));
        fillLikeReference(*norm);
        const auto buffers = norm->named_buffers();
        const auto changed = norm->forward(images);
        QCOMPARE(changed[1][2][3][4].item<float>(),
                 images[1][2][3][4].item<float>() * buffers["weight"][2].item<float>() +
                     buffers["bias"][2].item<float>());
    }

    /// D70: 32 groups, whatever the batch.
    void groupNormHas32Groups() {
        QCOMPARE(groupsFor(256), std::int64_t(32));
        const auto norm = makeNorm("group", 64);
        const auto images = 3 + 2 * values("group", {2, 64, 4, 5});
        const auto normed = norm->forward(images).reshape({2, 32, -1}).to(torch::kDouble);
        QVERIFY(normed.mean(2).abs().max().item<double>() < 1e-5);
        QVERIFY((normed.var(2, false) - 1).abs().max().item<double>() < 1e-4);
        QVERIFY(largestDifference(norm->forward(images.slice(0, 1, 2)), norm->forward(images).slice(0, 1, 2)) == 0);
    }

    void pyramidsEqualTorchvision_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<std::vector<std::int64_t>>("widths");
        QTest::addColumn<int>("top");
        QTest::addColumn<QString>("norm");
        QTest::newRow("pool") << "pyramid_pool" << std::vector<std::int64_t>{8, 16, 24, 40} << int(PyramidTop::Pool)
                              << "none";
        QTest::newRow("from the pyramid") << "pyramid_from_pyramid" << std::vector<std::int64_t>{16, 24, 40}
                                          << int(PyramidTop::FromPyramid) << "none";
        QTest::newRow("from the body") << "pyramid_from_body" << std::vector<std::int64_t>{16, 24, 40}
                                       << int(PyramidTop::FromBody) << "none";
        QTest::newRow("group norm") << "pyramid_gn" << std::vector<std::int64_t>{8, 16} << int(PyramidTop::None)
                                    << "group";
    }
    void pyramidsEqualTorchvision() {
        QFETCH(QString, name);
        QFETCH(std::vector<std::int64_t>, widths);
        QFETCH(int, top);
        QFETCH(QString, norm);
        const torch::NoGradGuard noGradients;
        const auto expected = reference("bodies.json")[name.toStdString()];
        FeaturePyramid pyramid(widths, 32, PyramidTop(top), norm.toStdString());
        QCOMPARE(parametersOf(pyramid), expected["parameters"].get<std::int64_t>());
        fillLikeReference(pyramid);
        std::vector<torch::Tensor> features;
        for (std::size_t i = 0; i < widths.size(); ++i)
            features.push_back(values("feature " + std::to_string(i), {1, widths[i], 32 >> i, (32 >> i) + (8 >> i)}));
        compare(pyramid.forward(features), expected);
    }

    /// D60: 256 channels at 1/4 … 1/64 with pooling on top, at 1/8 … 1/128 with convolutions.
    void levelsOfThePyramid() {
        const torch::NoGradGuard noGradients;
        ResNet body(18, "frozen", 0);
        const auto stages = body.allStages(torch::zeros({1, 3, 128, 256}));
        const auto pooled = FeaturePyramid({64, 128, 256, 512}, 256, PyramidTop::Pool).forward(stages);
        const auto convolved =
            FeaturePyramid({128, 256, 512}, 256, PyramidTop::FromBody).forward({stages.begin() + 1, stages.end()});
        QCOMPARE(pooled.size(), std::size_t(5));
        QCOMPARE(convolved.size(), std::size_t(5));
        for (std::size_t i = 0; i < 5; ++i) {
            QCOMPARE(pooled[i].sizes().vec(), std::vector<std::int64_t>({1, 256, 128 >> (2 + i), 256 >> (2 + i)}));
            QCOMPARE(convolved[i].sizes().vec(), std::vector<std::int64_t>({1, 256, 128 >> (3 + i), 256 >> (3 + i)}));
        }
    }
};

QTEST_GUILESS_MAIN(tst_Bodies)
#include "tst_Bodies.moc"
