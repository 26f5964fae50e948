#include "core/models/recognition/Aster.h"
#include "core/nn/Autocast.h"
#include "core/nn/MemoryLayout.h"
#include "core/nn/Threads.h"
#include "tests/core/models/AsterWorld.h"
#include "tests/core/models/BarWords.h"
#include "tests/core/models/TotalLoss.h"

#include <torch/optim/adam.h>

using namespace trainyard;
using namespace trainyard::testing;

namespace {

RunConfig configOf(const AsterConfig& aster, const std::string& norm = "batch") {
    RunConfig config;
    config.model.type = "aster";
    config.model.norm = norm;
    config.model.aster = aster;
    return config;
}

std::map<std::string, torch::Tensor> gradients(Model& model, const Batch& batch) {
    model.zero_grad();
    total(model.losses(batch)).backward();
    std::map<std::string, torch::Tensor> byName;
    for (const auto& item : model.named_parameters())
        byName[item.key()] = item.value().grad().clone();
    return byName;
}

/// Double precision, also where the spline was rounded to float.
void toDouble(Aster& model, const AsterConfig& config) {
    model.to(torch::kDouble);
    const ControlPoints points{config.controlPoints, config.marginX, config.marginY};
    model.named_buffers()["rectifier.basis"].copy_(
        thinPlateBasis(points.canonical(), config.rectifiedHeight, config.rectifiedWidth));
}

AsterConfig barAster() {
    AsterConfig config = smallAster();
    config.alphabet = "abcd";
    config.height = 32;
    config.width = 64;
    config.channels = 1;
    config.rectifiedWidth = 64;
    config.marginX = config.marginY = 0;
    config.initialPoints = "identity";
    config.stemChannels = 8;
    config.residualUnits = {1, 1, 1, 1, 1};
    config.layers = 1;
    config.hidden = config.sequenceUnits = config.decoderUnits = config.attentionUnits = 32;
    return config;
}

Batch part(const Batch& batch, const std::vector<std::string>& words, std::int64_t from) {
    Batch own = barWords(words, -1.0);
    own.images = batch.images.slice(0, from, from + std::int64_t(words.size()));
    return own;
}

} // namespace

class tst_Aster : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { configureThreads(1); }

    // In double precision, as the reference is: bilinear sampling has kinks that rounding would jump over.
    void equalsTheReference_data() {
        QTest::addColumn<QString>("name");
        QTest::newRow("resnet") << "resnet";
        QTest::newRow("crnn") << "crnn";
    }
    void equalsTheReference() {
        QFETCH(QString, name);
        const auto expected = reference("aster.json")[name.toStdString()];
        const AsterConfig config = name == "crnn" ? smallBranchedAster() : smallAster();
        Aster model(config, "batch");
        fillLikeAsterReference(model, config);
        toDouble(model, config);
        toChannelsLast(model);
        auto listed = namesAndShapes(expected["parameters"]), own = namesAndShapes(model.named_parameters());
        std::sort(listed.begin(), listed.end());
        std::sort(own.begin(), own.end());
        QCOMPARE(own, listed);

        Batch batch = asterBatch();
        batch.images = batch.images.to(torch::kDouble);
        const auto points = model.rectified(batch.images).points;
        QVERIFY(largestDifference(points, tensorOf(expected["points"], points.sizes())) < 1e-6);
        const auto memory = model.memory(batch);
        QVERIFY(largestDifference(memory, tensorOf(expected["memory"], memory.sizes())) < 1e-6);
        const auto losses = model.losses(batch);
        QCOMPARE(losses[0].first, std::string("forward"));
        QCOMPARE(losses[1].first, std::string("backward"));
        for (std::size_t i = 0; i < 2; ++i)
            QVERIFY(relativeError(losses[i].second.item<double>(), expected["losses"][i]) < 1e-6);
        total(losses).backward();
        for (const auto& item : model.named_parameters()) {
            const double norm = item.value().grad().norm().item<double>();
            QVERIFY2(relativeError(norm, expected["gradient_norms"][item.key()]) < 1e-4, item.key().c_str());
        }
    }

    void readsLikeTheReference_data() { equalsTheReference_data(); }
    void readsLikeTheReference() {
        QFETCH(QString, name);
        const auto expected = reference("aster.json")[name.toStdString()];
        const AsterConfig config = name == "crnn" ? smallBranchedAster() : smallAster();
        Aster model(config, "batch");
        fillLikeAsterReference(model, config);
        toDouble(model, config);
        model.eval();
        Batch batch = asterBatch();
        batch.images = batch.images.to(torch::kDouble);
        const auto predictions = model.predict(batch);
        QCOMPARE(predictions.size(), std::size_t(3));
        for (std::size_t n = 0; n < 3; ++n) {
            QCOMPARE(predictions[n].text, expected["texts"][n].get<std::string>());
            const double forward = expected["beams"]["forward"][n]["score"],
                         backward = expected["beams"]["backward"][n]["score"];
            QVERIFY(relativeError(predictions[n].score, std::exp(std::max(forward, backward))) < 1e-4);
        }
    }

    void hasTheParametersOfTheDemo() {
        QCOMPARE(countOf(Aster(AsterConfig{}, "batch")),
                 reference("aster.json")["counts"]["demo"]["all"].get<std::int64_t>());
        AsterConfig branched;
        branched.extractor = "crnn";
        branched.branches = 3;
        QCOMPARE(countOf(Aster(branched, "batch")),
                 reference("aster.json")["counts"]["crnn"]["all"].get<std::int64_t>());
    }

    void oneDirectionIsHalfTheLosses() {
        AsterConfig config = smallAster();
        config.directions = "backward";
        auto model = makeModel(configOf(config), {{}, 3}).value();
        const auto losses = model->losses(asterBatch());
        QCOMPARE(losses.size(), std::size_t(1));
        QCOMPARE(losses[0].first, std::string("backward"));
        QCOMPARE(model->classDependent().front(), std::string("backward_decoder.label_weight"));
    }

    void readsWithoutARectifier() {
        AsterConfig config = barAster();
        config.rectifier = false;
        auto model = makeModel(configOf(config), {{}, 3}).value();
        model->eval();
        QCOMPARE(model->predict(barWords({"ab", "c"}, -1.0)).size(), std::size_t(2));
        QVERIFY(!model->named_parameters().contains("rectifier.fc2.bias"));
    }

    void partsOfABatchAverageToTheWhole() {
        auto model = makeModel(configOf(barAster(), "group"), {{}, 3}).value();
        const Batch batch = barWords({"ab", "dca", "b", "cd"}, -1.0);
        const auto whole = gradients(*model, batch), first = gradients(*model, part(batch, {"ab", "dca"}, 0)),
                   second = gradients(*model, part(batch, {"b", "cd"}, 2));
        for (const auto& [name, gradient] : whole) {
            const double error = (gradient - (first.at(name) + second.at(name)) / 2).norm().item<double>();
            QVERIFY2(error <= 2e-3 * gradient.norm().item<double>() + 1e-6, name.c_str());
        }
    }

    void equalSeedsGiveEqualBits() {
        const auto config = configOf(barAster());
        auto first = makeModel(config, {{}, 3}).value(), second = makeModel(config, {{}, 3}).value(),
             other = makeModel(config, {{}, 4}).value();
        const Batch batch = barWords({"ab", "dca", "b"}, -1.0);
        const auto one = gradients(*first, batch), two = gradients(*second, batch), three = gradients(*other, batch);
        for (const auto& [name, gradient] : one)
            QVERIFY2(isEqual(gradient, two.at(name)), name.c_str());
        QVERIFY(!isEqual(one.at("forward_decoder.label_weight"), three.at("forward_decoder.label_weight")));
    }

    void everyParameterLearns() {
        auto model = makeModel(configOf(barAster(), "none"), {{}, 3}).value();
        auto optimiser = torch::optim::Adam(model->parameters(), 1e-3);
        const Batch batch = barWords({"ab", "dca", "b"}, -1.0);
        gradients(*model, batch);
        optimiser.step(); // the last layer of the rectifier starts at 0: those before it learn from the second step on
        for (const auto& [name, gradient] : gradients(*model, batch))
            QVERIFY2(gradient.abs().max().item<double>() > 0, name.c_str());
    }

    void bfloat16LossIsNearFloat32() {
        auto model = makeModel(configOf(barAster()), {{}, 3}).value();
        const Batch batch = barWords({"ab", "dca", "b", "dd"}, -1.0);
        const double exact = total(model->losses(batch)).item<double>();
        torch::Tensor rough;
        {
            const Autocast cast(true);
            rough = total(model->losses(batch));
        }
        QCOMPARE(rough.scalar_type(), torch::kFloat);
        QVERIFY(relativeError(rough.item<double>(), exact) < 0.03);
        rough.backward();
    }

    void overfitsAFewWords() {
        auto model = makeModel(configOf(barAster()), {{}, 3}).value();
        torch::optim::Adam optimiser(model->parameters(), 3e-3);
        const std::vector<std::string> words = {"ab", "dca", "bbd", "c"};
        const Batch batch = barWords(words, -1.0);
        for (int i = 0; i < 150; ++i) {
            optimiser.zero_grad();
            total(model->losses(batch)).backward();
            optimiser.step();
        }
        // running statistics move slowly: the batch's own stand in for them
        const auto predictions = model->predict(batch);
        for (std::size_t i = 0; i < words.size(); ++i) {
            QCOMPARE(predictions[i].text, words[i]);
            QVERIFY(predictions[i].score > 0.8);
        }
    }

    void everyKindOfNetworkLearns_data() {
        QTest::addColumn<QString>("encoder");
        QTest::addColumn<QString>("decoder");
        QTest::addColumn<bool>("sync");
        QTest::addColumn<bool>("multiAttention");
        QTest::newRow("gru") << "gru"
                             << "gru" << true << false;
        QTest::newRow("peepholes") << "peephole-lstm"
                                   << "peephole-lstm" << true << false;
        QTest::newRow("lagging") << "lstm"
                                 << "lstm" << false << false;
        QTest::newRow("an attention a branch") << "lstm"
                                               << "lstm" << true << true;
    }
    void everyKindOfNetworkLearns() {
        QFETCH(QString, encoder);
        QFETCH(QString, decoder);
        QFETCH(bool, sync);
        QFETCH(bool, multiAttention);
        AsterConfig aster = barAster();
        aster.encoderCell = encoder.toStdString();
        aster.decoderCell = decoder.toStdString();
        aster.sync = sync;
        aster.multiAttention = multiAttention;
        if (multiAttention) {
            aster.extractor = "crnn";
            aster.branches = 3;
        }
        auto model = makeModel(configOf(aster, "none"), {{}, 3}).value();
        auto optimiser = torch::optim::Adam(model->parameters(), 1e-3);
        const Batch batch = barWords({"ab", "dca", "b"}, -1.0);
        const double before = total(model->losses(batch)).item<double>();
        for (int i = 0; i < 8; ++i) {
            gradients(*model, batch);
            optimiser.step();
        }
        QVERIFY(total(model->losses(batch)).item<double>() < before);
        for (const auto& [name, gradient] : gradients(*model, batch))
            QVERIFY2(gradient.abs().max().item<double>() > 0, name.c_str());
        model->eval();
        QCOMPARE(model->predict(batch).size(), std::size_t(3));
    }

    // Two replicas on half a batch each: the mean of their losses holds the regularisation once, undivided.
    void regularisationCountsOnce() {
        AsterConfig aster = barAster();
        aster.l2 = 0.01;
        aster.l1 = 0.001;
        auto model = makeModel(configOf(aster, "group"), {{}, 3}).value();
        double squares = 0, absolutes = 0;
        for (const auto& item : model->named_parameters())
            if (item.value().dim() > 1) {
                squares += item.value().square().sum().item<double>();
                absolutes += item.value().abs().sum().item<double>();
            }
        const double expected = 0.01 * squares / 2 + 0.001 * absolutes;
        const Batch batch = barWords({"ab", "dca", "b", "cd"}, -1.0);
        const auto whole = model->losses(batch);
        QCOMPARE(whole.back().first, std::string("regularisation"));
        QVERIFY(relativeError(whole.back().second.item<double>(), expected) < 1e-4);
        const double first = total(model->losses(part(batch, {"ab", "dca"}, 0))).item<double>(),
                     second = total(model->losses(part(batch, {"b", "cd"}, 2))).item<double>();
        QVERIFY(relativeError((first + second) / 2, total(whole).item<double>()) < 1e-4);
        aster.l1 = aster.l2 = 0;
        QCOMPARE(makeModel(configOf(aster), {{}, 3}).value()->losses(batch).size(), std::size_t(2));
    }

    // Identity points of two rows of three; the outline lies 0.1 lower: six points, each 0.01 away in square.
    void outlinesTeachControlPoints() {
        AsterConfig aster = barAster();
        aster.controlPoints = 6;
        aster.keypointWeight = 2;
        auto model = makeModel(configOf(aster), {{}, 3}).value();
        Batch batch = barWords({"ab", "c"}, -1.0);
        const ControlPoints points{6, 0, 0};
        torch::Tensor wanted = points.canonical().to(torch::kFloat).unsqueeze(0).repeat({2, 1, 1});
        wanted.select(2, 1).add_(0.1);
        batch.targets["points"] = wanted;
        batch.targets["has_points"] = torch::tensor({1, 0}, torch::kLong).to(torch::kBool);
        const auto losses = model->losses(batch);
        QCOMPARE(losses.back().first, std::string("keypoints"));
        QVERIFY(std::abs(losses.back().second.item<double>() - 2 * 6 * 0.01 / 2) < 1e-5);
        losses.back().second.backward();
        QVERIFY(model->named_parameters()["rectifier.fc2.bias"].grad().abs().max().item<double>() > 0);
    }

    // Identity points reach from corner to corner of the file, of whatever size it is.
    void predictionsShowTheRectifiedWord() {
        auto model = makeModel(configOf(barAster()), {{}, 3}).value();
        model->eval();
        Batch batch = barWords({"ab"}, -1.0);
        batch.samples[0].scaleX = 0.5;
        batch.samples[0].scaleY = 0.25;
        const auto shown = model->predict(batch)[0].rectification.value();
        QCOMPARE(shown.width, 64);
        QCOMPARE(shown.height, 32);
        QCOMPARE(shown.pixels.size(), std::size_t(64 * 32));
        QVERIFY(std::abs(shown.points.front().x) < 1e-3F && std::abs(shown.points.front().y) < 1e-3F);
        QVERIFY(std::abs(shown.points.back().x - 128) < 1e-3F && std::abs(shown.points.back().y - 128) < 1e-3F);
        QCOMPARE(int(shown.pixels[64 * 16 + 4]), 255); // half of either pixel of the first bar
        QCOMPARE(int(shown.pixels[64 * 16 + 60]), 0);
    }

    void badConfigurationsAreSentences_data() {
        QTest::addColumn<QString>("key");
        QTest::newRow("no characters") << "alphabet";
        QTest::newRow("odd points") << "control_points";
        QTest::newRow("four blocks") << "residual_units";
        QTest::newRow("too high") << "rectified_height";
        QTest::newRow("too high without a rectifier") << "height";
    }
    void badConfigurationsAreSentences() {
        QFETCH(QString, key);
        AsterConfig config = smallAster();
        if (key == "alphabet")
            config.alphabet.clear();
        else if (key == "control_points")
            config.controlPoints = 7;
        else if (key == "residual_units")
            config.residualUnits.pop_back();
        else if (key == "rectified_height")
            config.rectifiedHeight = 64;
        else
            config.rectifier = false;
        const auto model = makeModel(configOf(config), {});
        QVERIFY(!model);
        QCOMPARE(model.error().where, "model.aster." + key.toStdString());
    }
};

QTEST_GUILESS_MAIN(tst_Aster)
#include "tst_Aster.moc"
