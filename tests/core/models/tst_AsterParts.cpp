#include "core/config/DataSteps.h"
#include "core/models/recognition/LabelMap.h"
#include "core/models/recognition/Rectifier.h"
#include "core/models/recognition/SequenceEncoder.h"
#include "core/models/recognition/WordCnn.h"
#include "core/models/recognition/WordResNet.h"
#include "core/nn/Autocast.h"
#include "core/nn/Threads.h"
#include "tests/core/models/AsterWorld.h"

#include <set>

using namespace trainyard;
using namespace trainyard::testing;
using Sizes = std::vector<std::int64_t>;

namespace {

const nlohmann::json& counts() {
    static const nlohmann::json values = reference("aster.json")["counts"];
    return values;
}

torch::Tensor pictures(std::int64_t samples, std::int64_t height, std::int64_t width) {
    return noise("pictures", {samples, 3, height, width}).to(torch::kFloat);
}

} // namespace

class tst_AsterParts : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { configureThreads(1); }

    void controlPointsStartAsThePattern_data() {
        QTest::addColumn<QString>("pattern");
        QTest::addColumn<QString>("activation");
        for (const char* pattern : {"identity", "slope", "sine"})
            for (const char* activation : {"none", "sigmoid"})
                QTest::addRow("%s, %s", pattern, activation) << pattern << activation;
    }
    void controlPointsStartAsThePattern() {
        QFETCH(QString, pattern);
        QFETCH(QString, activation);
        AsterConfig config = smallAster();
        config.initialPoints = pattern.toStdString();
        config.pointActivation = activation.toStdString();
        Rectifier rectifier(config, "batch");
        rectifier.initialise(Initialiser(3), "");
        const auto points = rectifier.forward(pictures(2, 40, 72)).points;
        QCOMPARE(points.sizes().vec(), (Sizes{2, 6, 2}));
        const auto expected = ControlPoints{6, 0.1, 0.1}.pattern(config.initialPoints);
        for (int n = 0; n < 2; ++n)
            QVERIFY(largestDifference(points[n], expected) < 1e-6);
    }

    void rectifierHasTheSizesOfTheDemo() {
        Rectifier rectifier(AsterConfig{}, "batch");
        QCOMPARE(countOf(rectifier), counts()["demo"]["rectifier"].get<std::int64_t>());
        AsterConfig tiny;
        tiny.tiny = true;
        QCOMPARE(countOf(Rectifier(tiny, "batch")), counts()["tiny"]["rectifier"].get<std::int64_t>());
        rectifier.initialise(Initialiser(1), "");
        const auto rectified = rectifier.forward(pictures(1, 64, 256));
        QCOMPARE(rectified.images.sizes().vec(), (Sizes{1, 3, 32, 100}));
        QCOMPARE(rectified.points.sizes().vec(), (Sizes{1, 20, 2}));
    }

    // Both are as bright as the input: nothing is scaled again.
    void rectifiedImagesKeepTheirValues() {
        AsterConfig config = smallAster();
        config.initialPoints = "identity";
        config.marginX = config.marginY = 0;
        Rectifier rectifier(config, "batch");
        rectifier.initialise(Initialiser(1), "");
        for (const double value : {-1.0, 0.25, 1.0}) {
            const auto images = torch::full({2, 3, 40, 72}, value);
            QVERIFY(largestDifference(rectifier.forward(images).images, torch::full({1}, value)) < 1e-5);
        }
    }

    void pointsLearnFromTheImage() {
        Rectifier rectifier(smallAster(), "batch");
        rectifier.initialise(Initialiser(1), "");
        (rectifier.forward(pictures(2, 40, 72)).images * noise("slopes", {2, 3, 32, 40})).sum().backward();
        const auto parameters = rectifier.named_parameters();
        for (const char* name : {"fc2.weight", "fc2.bias"})
            QVERIFY2(parameters[name].grad().abs().max().item<double>() > 0, name);
    }

    void resNetMakesTwentyFiveStepsOf512() {
        WordResNet net(AsterConfig{}, "batch");
        QCOMPARE(countOf(net), counts()["demo"]["extractor"].get<std::int64_t>());
        const auto maps = net.forward(pictures(1, 32, 100));
        QCOMPARE(maps.size(), std::size_t(1));
        QCOMPARE(maps[0].sizes().vec(), (Sizes{1, 512, 1, 25}));
    }

    // The shape table of the specification, block by block, and the 45 convolutions on the main path.
    void resNetHasTheShapesOfTheTable() {
        WordResNet net(AsterConfig{}, "batch");
        torch::Tensor features = pictures(1, 32, 100);
        const auto children = net.named_children();
        features = std::dynamic_pointer_cast<NormedConvolution>(children["stem"])->forward(features);
        QCOMPARE(features.sizes().vec(), (Sizes{1, 32, 32, 100}));
        const std::vector<Sizes> table = {
            {1, 32, 16, 50}, {1, 64, 8, 25}, {1, 128, 4, 25}, {1, 256, 2, 25}, {1, 512, 1, 25}};
        int convolutions = 1;
        for (std::size_t b = 0; b < table.size(); ++b) {
            for (const auto& unit : children["block" + std::to_string(b + 1)]->children()) {
                features = std::dynamic_pointer_cast<WordResidualUnit>(unit)->forward(features);
                convolutions += 2;
            }
            QCOMPARE(features.sizes().vec(), table[b]);
        }
        QCOMPARE(convolutions, 45);
    }

    // The decay is 0.99: after a batch a hundredth of its mean, and of its variance beside 0.99 of 1.
    void runningStatisticsMoveByAHundredth() {
        NormedConvolution layer(Convolution::Shape{3, 4, 3}, "batch");
        const auto weight = layer.named_parameters()["conv.weight"];
        {
            const torch::NoGradGuard noGradients;
            weight.copy_(noise("weight", weight.sizes()));
        }
        const auto images = pictures(2, 8, 10);
        const auto features = at::conv2d(images, weight.detach(), {}, 1, 1);
        layer.forward(images);
        const auto statistics = layer.named_buffers();
        QVERIFY(largestDifference(statistics["norm.running_mean"], 0.01 * features.mean({0, 2, 3})) < 1e-6);
        QVERIFY(largestDifference(statistics["norm.running_var"], 0.99 + 0.01 * features.var({0, 2, 3}, true)) < 1e-5);
    }

    // With every convolution of the main path at 0 a unit shows its shortcut alone: never below 0, though its
    // convolution's offsets are.
    void shortcutHasReLU() {
        WordResidualUnit unit({2, 4, 2, 1, true}, "batch");
        const torch::NoGradGuard noGradients;
        for (auto& item : unit.named_parameters())
            item.value().fill_(item.key() == "conv2.norm.bias" ? 1 : item.key() == "shortcut.norm.bias" ? -3 : 0);
        // without ReLU behind the shortcut: relu(1 - 3) = 0; with it: relu(1 + relu(-3)) = 1
        QVERIFY(largestDifference(unit.forward(torch::ones({1, 2, 8, 10})), torch::ones({1, 4, 4, 10})) < 1e-6);
    }

    void cnnMakesTwentyThreeSteps_data() {
        QTest::addColumn<int>("branches");
        QTest::addColumn<bool>("tiny");
        QTest::newRow("one branch") << 1 << false;
        QTest::newRow("two branches") << 2 << false;
        QTest::newRow("three branches") << 3 << false;
        QTest::newRow("tiny") << 1 << true;
    }
    void cnnMakesTwentyThreeSteps() {
        QFETCH(int, branches);
        QFETCH(bool, tiny);
        AsterConfig config;
        config.branches = branches;
        config.tiny = tiny;
        WordCnn net(config, "batch");
        const auto maps = net.forward(pictures(1, 32, 100));
        QCOMPARE(int(maps.size()), branches);
        constexpr std::array<std::int64_t, 3> kSteps = {23, 11, 6}; // by hand: 25 - 2; 12 - 1; (12 - 0) / 2
        for (std::size_t b = 0; b < maps.size(); ++b)
            QCOMPARE(maps[b].sizes().vec(), (Sizes{1, tiny ? 128 : 512, 1, kSteps[b]}));
        if (branches == 3)
            QCOMPARE(countOf(net), counts()["crnn"]["extractor"].get<std::int64_t>());
        if (tiny)
            QCOMPARE(countOf(net), counts()["tiny"]["extractor"].get<std::int64_t>());
    }

    void encoderHasTheSizesOfTheDemo() {
        SequenceEncoder encoder({512, 2, 256, 256});
        QCOMPARE(countOf(encoder), counts()["demo"]["encoder0"].get<std::int64_t>());
        encoder.initialise(Initialiser(1), "");
        QCOMPARE(encoder.forward(torch::ones({2, 512, 1, 25})).sizes().vec(), (Sizes{2, 25, 256}));
    }

    // The rows of each whole kernel are orthonormal (6 + 4 columns, 16 rows: the columns are), forget gates open.
    void kernelsStartOrthogonal() {
        BidirectionalLayer layer(6, 4);
        layer.initialise(Initialiser(1), "");
        const auto values = layer.named_parameters();
        for (const std::string suffix : {"", "_reverse"}) {
            const auto kernel = at::cat({values["weight_ih" + suffix], values["weight_hh" + suffix]}, 1);
            QVERIFY(largestDifference(at::mm(kernel.t(), kernel), torch::eye(10)) < 1e-5);
            const auto bias = values["bias" + suffix];
            QCOMPARE(bias.sum().item<double>(), 4.0);
            QCOMPARE(bias.slice(0, 4, 8).sum().item<double>(), 4.0);
        }
        QVERIFY(largestDifference(values["weight_ih"], values["weight_ih_reverse"]) > 0.1);
    }

    // Deviation sqrt(1.3 × 2 / 90), cut at two of them: what is left of a normal has 0.7737 of its variance.
    void varianceScalingIsACutNormal() {
        const auto weight = torch::empty({2000, 10, 3, 3});
        Initialiser(1).varianceScaling(weight, "w");
        const double deviation = std::sqrt(2.6 / 90);
        QVERIFY(weight.abs().max().item<double>() <= 2 * deviation * (1 + 1e-6));
        QVERIFY(relativeError(weight.var().item<double>(), 0.77374 * deviation * deviation) < 0.02);
        QVERIFY(std::abs(weight.mean().item<double>()) < 0.01 * deviation);
    }

    void partsRunInBFloat16() {
        AsterConfig config = smallAster();
        Rectifier rectifier(config, "batch");
        rectifier.initialise(Initialiser(1), "");
        const Autocast cast(true);
        const auto rectified = rectifier.forward(pictures(2, 40, 72));
        QCOMPARE(rectified.images.scalar_type(), torch::kFloat);
        const auto map = WordResNet(config, "batch").forward(rectified.images)[0];
        SequenceEncoder encoder({map.size(1), 2, 6, 8});
        QCOMPARE(encoder.forward(map).scalar_type(), torch::kFloat);
    }

    void all94CharactersComeBack() {
        const auto characters = builtInCharacterSet("allcases_symbols");
        QCOMPARE(characters.size(), std::size_t(94));
        QCOMPARE(characters, AsterConfig{}.alphabet);
        const LabelMap map(characters, true);
        QCOMPARE(map.size(), std::int64_t(96));
        std::set<std::int64_t> labels;
        for (const char c : characters) {
            const auto label = map.encode(std::string(1, c)).value();
            QCOMPARE(map.decode(label), std::string(1, c));
            labels.insert(label.at(0));
        }
        QCOMPARE(*labels.begin(), LabelMap::kFirstCharacter);
        QCOMPARE(std::int64_t(labels.size()), map.size() - 2);
        QCOMPARE(map.decode({LabelMap::kStart, 2, LabelMap::kEnd}), std::string("0"));
    }

    void smallerSetsAreSubsets() {
        QCOMPARE(builtInCharacterSet("lowercase").size(), std::size_t(36));
        QCOMPARE(builtInCharacterSet("allcases").size(), std::size_t(62));
        QVERIFY(builtInCharacterSet("greek").empty());
    }

    void unknownCharactersAreNeverSilentlyZero() {
        const std::string digits = "0123456789";
        QVERIFY(!LabelMap(digits, true).encode("1é"));
        QCOMPARE(LabelMap("0123456789#", true, U'#').encode("1é").value(), (std::vector<std::int64_t>{3, 12}));
        QVERIFY_EXCEPTION_THROWN(LabelMap(digits, true, U'#'), std::invalid_argument);
        QCOMPARE(withAdded(digits, true, "1éé#"), digits + "é#");
    }

    void withoutCaseCapitalsAreSmallLetters() {
        const LabelMap map("abc", false);
        QCOMPARE(map.decode(map.encode("BcA").value()), std::string("bca"));
    }
};

QTEST_GUILESS_MAIN(tst_AsterParts)
#include "tst_AsterParts.moc"
