#include "core/models/recognition/Crnn.h"
#include "core/models/recognition/CtcDecoder.h"
#include "core/models/recognition/CtcLoss.h"
#include "core/nn/Autocast.h"
#include "core/nn/MemoryLayout.h"
#include "core/nn/Threads.h"
#include "tests/core/models/BarWords.h"
#include "tests/core/models/Reference.h"

#include <QScopeGuard>
#include <torch/optim/adam.h>

using namespace trainyard;
using namespace trainyard::testing;

namespace {

RunConfig smallConfig(const std::string& norm = "batch") {
    RunConfig config;
    config.model.norm = norm;
    config.model.crnn.stemChannels = 8;
    config.model.crnn.hidden = 32;
    config.model.crnn.layers = 1;
    config.model.crnn.width = 64;
    config.model.crnn.alphabet = "abcd";
    return config;
}

std::shared_ptr<Model> make(const RunConfig& config, std::uint64_t seed = 5) {
    return makeModel(config, {{}, seed}).value();
}

std::map<std::string, torch::Tensor> gradients(Model& model, const Batch& batch) {
    model.zero_grad();
    model.losses(batch).front().second.backward();
    std::map<std::string, torch::Tensor> byName;
    for (const auto& item : model.named_parameters())
        byName[item.key()] = item.value().grad().clone();
    return byName;
}

} // namespace

class tst_Crnn : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { configureThreads(1); }

    void equalsPyTorch() {
        const auto expected = reference("crnn.json");
        CrnnConfig config;
        config.alphabet = "abcde";
        config.width = 40;
        config.stemChannels = 4;
        config.hidden = 6;
        Crnn model(config, "batch", 1);
        QCOMPARE(namesAndShapes(model.named_parameters()), namesAndShapes(expected["parameters"]));
        fillLikeReference(model);
        toChannelsLast(model);

        Batch batch;
        batch.images = noise("words", {3, 1, 32, 40}).to(torch::kFloat);
        batch.targets["labels"] = torch::tensor({1, 2, 3, 5, 5, 4}, torch::kLong);
        batch.targets["lengths"] = torch::tensor({3, 2, 1}, torch::kLong);
        const auto logits = model.logits(batch);
        QCOMPARE(logits.sizes().vec(), (std::vector<std::int64_t>{10, 3, 6}));
        QVERIFY(largestDifference(logits, tensorOf(expected["logits"], logits.sizes())) < 1e-4);
        const auto losses = model.losses(batch);
        QCOMPARE(losses.front().first, std::string("ctc"));
        QVERIFY(relativeError(losses.front().second.item<double>(), expected["loss"]) < 1e-4);
        losses.front().second.backward();
        for (const auto& item : model.named_parameters()) {
            const double norm = item.value().grad().norm().item<double>();
            QVERIFY2(relativeError(norm, expected["gradient_norms"][item.key()]) < 2e-3, item.key().c_str());
        }
    }

    // By hand: two steps, classes blank and a, all equally likely. "a" has 3 of 4 paths: -log(3/4).
    void lossIsTheNegativeLogOfAllPaths() {
        const auto loss =
            ctcLoss(torch::zeros({2, 1, 2}), torch::tensor({1}, torch::kLong), torch::tensor({1}, torch::kLong));
        QVERIFY(std::abs(loss.item<double>() + std::log(0.75)) < 1e-6);
    }

    void targetThatDoesNotFitCostsNothing() {
        auto logits = torch::zeros({2, 1, 2}, torch::requires_grad());
        const auto loss = ctcLoss(logits, torch::tensor({1, 1}, torch::kLong), torch::tensor({2}, torch::kLong));
        loss.backward();
        QCOMPARE(loss.item<double>(), 0.0);
        QCOMPARE(logits.grad().abs().max().item<double>(), 0.0);
    }

    // Best path: a a blank a b blank → "aab"; the scores are those of the three characters' first steps.
    void readsTheBestPath() {
        const std::vector<std::vector<double>> shares = {{0.1, 0.8, 0.1}, {0.1, 0.9, 0.0}, {0.6, 0.3, 0.1},
                                                         {0.2, 0.7, 0.1}, {0.1, 0.3, 0.6}, {1.0, 0.0, 0.0}};
        auto logits = torch::empty({6, 1, 3});
        for (std::int64_t t = 0; t < 6; ++t)
            logits[t][0] = torch::tensor(shares[std::size_t(t)]).log();
        const auto reading = readBestPath(logits).front();
        QCOMPARE(reading.positions, (std::vector<std::int64_t>{1, 1, 2}));
        QVERIFY(std::abs(reading.score - (0.8 + 0.7 + 0.6) / 3) < 1e-6);
    }

    void partsOfABatchAverageToTheWhole() {
        auto model = make(smallConfig("group"));
        const auto whole = gradients(*model, barWords({"ab", "dca", "b", "cd"}, 0.0));
        const auto first = gradients(*model, barWords({"ab", "dca"}, 0.0)),
                   second = gradients(*model, barWords({"b", "cd"}, 0.0));
        for (const auto& [name, gradient] : whole) {
            const double error = (gradient - (first.at(name) + second.at(name)) / 2).norm().item<double>();
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
        RunConfig config = smallConfig();
        config.model.crnn.dropout = 0.3;
        torch::manual_seed(1);
        auto first = make(config);
        torch::rand({7});
        auto second = make(config);
        for (const auto& item : first->named_parameters())
            QVERIFY2(isEqual(item.value(), second->named_parameters()[item.key()]), item.key().c_str());
        const Batch batch = barWords({"ab", "dca", "b"}, 0.0);
        const auto state = at::globalContext().defaultGenerator(at::kCPU).get_state();
        for (int i = 0; i < 2; ++i) {
            const auto one = gradients(*first, batch), two = gradients(*second, batch);
            for (const auto& [name, gradient] : one)
                QVERIFY2(isEqual(gradient, two.at(name)), name.c_str());
        }
        QVERIFY(isEqual(state, at::globalContext().defaultGenerator(at::kCPU).get_state()));
    }

    void bfloat16LossIsNearFloat32() {
        auto model = make(smallConfig());
        const Batch batch = barWords({"ab", "dca", "b"}, 0.0);
        const double exact = model->losses(batch).front().second.item<double>();
        torch::Tensor rough;
        {
            const Autocast cast(true);
            rough = model->losses(batch).front().second;
        }
        QCOMPARE(rough.scalar_type(), torch::kFloat);
        QVERIFY(relativeError(rough.item<double>(), exact) < 0.03);
        rough.backward();
    }

    void readsHeightsAndColour() {
        RunConfig config = smallConfig();
        config.model.crnn.height = 48;
        config.model.crnn.channels = 3;
        auto model = make(config);
        model->eval();
        Batch batch;
        batch.images = torch::zeros({2, 3, 48, 64});
        QCOMPARE(model->predict(batch).size(), std::size_t(2));
    }

    void overfitsAFewWords() {
        auto model = make(smallConfig());
        torch::optim::Adam optimiser(model->parameters(), 3e-3);
        const std::vector<std::string> words = {"ab", "dca", "bbd", "c"};
        const Batch batch = barWords(words, 0.0);
        for (int i = 0; i < 150; ++i) {
            optimiser.zero_grad();
            model->losses(batch).front().second.backward();
            optimiser.step();
        }
        model->eval();
        const auto predictions = model->predict(batch);
        for (std::size_t i = 0; i < words.size(); ++i) {
            QCOMPARE(predictions[i].text, words[i]);
            QVERIFY(predictions[i].score > 0.5);
        }
    }

    // In a batch of wider lines a line is read as it is alone: nothing sees what fills it up.
    void paddingIsNotLookedAt() {
        RunConfig config = smallConfig();
        config.model.crnn.variableWidth = true;
        auto model = std::dynamic_pointer_cast<Crnn>(make(config));
        {
            const torch::NoGradGuard noGradients; // offsets, so that padding would show through
            for (const auto& item : model->named_parameters())
                if (item.key().find("norm") != std::string::npos)
                    item.value().add_(0.3);
        }
        model->eval();
        const std::vector<std::int64_t> widths = {40, 64, 16};
        Batch batch = barWords({"ab", "dca", "b"}, 0.0);
        for (std::int64_t n = 0; n < 3; ++n)
            batch.images[n].slice(2, widths[std::size_t(n)]).zero_();
        batch.targets["widths"] = torch::tensor(widths, torch::kLong);
        const auto together = model->logits(batch);
        double lossSum = 0;
        for (std::int64_t n = 0; n < 3; ++n) {
            const std::int64_t width = widths[std::size_t(n)];
            Batch alone = barWords({std::vector<std::string>{"ab", "dca", "b"}[std::size_t(n)]}, 0.0);
            alone.images = batch.images.slice(0, n, n + 1).slice(3, 0, width).contiguous();
            const auto own = model->logits(alone);
            QCOMPARE(own.size(0), width / 4);
            QVERIFY(largestDifference(own.select(1, 0), together.select(1, n).slice(0, 0, width / 4)) < 1e-4);
            lossSum += model->losses(alone).front().second.item<double>();
        }
        QVERIFY(relativeError(model->losses(batch).front().second.item<double>(), lossSum / 3) < 1e-4);
    }

    void readingEndsWithTheSample() {
        auto logits = torch::zeros({4, 1, 3});
        for (std::int64_t t = 0; t < 4; ++t)
            logits[t][0][t % 2 + 1] = 9;
        QCOMPARE(readBestPath(logits).front().positions, (std::vector<std::int64_t>{1, 2, 1, 2}));
        QCOMPARE(readBestPath(logits, torch::tensor({2}, torch::kLong)).front().positions,
                 (std::vector<std::int64_t>{1, 2}));
    }

    void badConfigurationsAreSentences() {
        RunConfig config = smallConfig();
        config.model.crnn.alphabet.clear();
        QCOMPARE(makeModel(config, {}).error().where, std::string("model.crnn.alphabet"));
        config = smallConfig();
        config.model.crnn.height = 40;
        QCOMPARE(makeModel(config, {}).error().where, std::string("model.crnn.height"));
    }
};

QTEST_GUILESS_MAIN(tst_Crnn)
#include "tst_Crnn.moc"
