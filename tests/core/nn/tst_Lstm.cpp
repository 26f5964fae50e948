#include "core/nn/Lstm.h"
#include "core/nn/Threads.h"
#include "tests/core/models/Reference.h"

#include <torch/nn/modules/rnn.h>

using namespace trainyard;
using namespace trainyard::testing;

namespace {

/// torch.nn.LSTM's own weights and a sequence for it, the same ones every time.
struct World {
    torch::nn::LSTM layer{torch::nn::LSTMOptions(4, 6).bidirectional(true)};
    torch::Tensor steps;

    World(std::int64_t length, std::int64_t samples) {
        const torch::NoGradGuard noGradients;
        for (const auto& item : layer->named_parameters())
            item.value().copy_(0.7 * noise(item.key(), item.value().sizes()));
        steps = (2 * noise("steps", {samples, length, 4})).to(torch::kFloat);
        steps = steps.transpose(0, 1); // time before samples, but not so in memory
        steps.requires_grad_();
    }
    /// The output, then the gradients of a sum in which every element has its own weight.
    std::vector<torch::Tensor> results(const torch::Tensor& output) {
        layer->zero_grad();
        steps.mutable_grad() = torch::Tensor();
        (output * noise("slopes", output.sizes()).to(torch::kFloat)).sum().backward();
        std::vector<torch::Tensor> all = {output.detach(), steps.grad().clone()};
        for (const torch::Tensor& weight : layer->parameters())
            all.push_back(weight.grad().clone());
        return all;
    }
    std::vector<torch::Tensor> own() { return results(bidirectionalLstm(steps, layer->all_weights())); }
    std::vector<torch::Tensor> libTorchs() { return results(std::get<0>(layer->forward(steps))); }
};

} // namespace

class tst_Lstm : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void cleanup() { configureThreads(1); }

    void equalsLibTorchs_data() {
        QTest::addColumn<int>("length");
        QTest::addColumn<int>("samples");
        QTest::newRow("a few steps") << 7 << 3;
        QTest::newRow("two steps") << 2 << 1;
        QTest::newRow("one step") << 1 << 2;
    }
    void equalsLibTorchs() {
        QFETCH(int, length);
        QFETCH(int, samples);
        configureThreads(2);
        World world(length, samples);
        const auto expected = world.libTorchs(), got = world.own();
        QCOMPARE(got.size(), expected.size());
        for (std::size_t i = 0; i < got.size(); ++i) {
            QCOMPARE(got[i].sizes().vec(), expected[i].sizes().vec());
            QVERIFY2(largestDifference(got[i], expected[i]) < 1e-5, qPrintable(QString::number(i)));
        }
    }

    void equalsLibTorchsInDouble() {
        World world(3, 2);
        world.layer->to(torch::kDouble);
        const auto output = bidirectionalLstm(world.steps.detach().to(torch::kDouble), world.layer->all_weights());
        const auto expected = std::get<0>(world.layer->forward(world.steps.detach().to(torch::kDouble)));
        QVERIFY(largestDifference(output, expected) < 1e-12);
    }

    void hasEqualBitsForAnyNumberOfThreads() {
        World world(9, 5);
        configureThreads(1);
        const auto one = world.own();
        configureThreads(2);
        const auto two = world.own();
        for (std::size_t i = 0; i < one.size(); ++i)
            QVERIFY2(isEqual(one[i], two[i]), qPrintable(QString::number(i)));
    }

    // LibTorch's packed sequences are the other implementation: states behind a sample's end are 0 there too.
    void lengthsEndSequences_data() {
        QTest::addColumn<bool>("isDouble"); // the way of other devices
        QTest::newRow("own") << false;
        QTest::newRow("LibTorch's") << true;
    }
    void lengthsEndSequences() {
        QFETCH(bool, isDouble);
        World world(7, 3);
        const std::vector<std::int64_t> lengths = {4, 7, 1};
        if (isDouble)
            world.layer->to(torch::kDouble);
        const auto steps = isDouble ? world.steps.detach().to(torch::kDouble).requires_grad_() : world.steps;
        const auto packed = [&] {
            std::vector<torch::Tensor> rows; // each sample by itself, then padded
            for (std::int64_t n = 0; n < 3; ++n) {
                const auto own = std::get<0>(
                    world.layer->forward(steps.slice(1, n, n + 1).slice(0, 0, lengths[std::size_t(n)]).contiguous()));
                rows.push_back(at::constant_pad_nd(own, {0, 0, 0, 0, 0, 7 - own.size(0)}));
            }
            return at::cat(rows, 1);
        };
        const auto results = [&](const torch::Tensor& output) {
            world.layer->zero_grad();
            steps.mutable_grad() = torch::Tensor();
            (output * noise("slopes", output.sizes()).to(output.scalar_type())).sum().backward();
            std::vector<torch::Tensor> all = {output.detach(), steps.grad().clone()};
            for (const torch::Tensor& weight : world.layer->parameters())
                all.push_back(weight.grad().clone());
            return all;
        };
        const auto expected = results(packed()),
                   got = results(bidirectionalLstm(steps, world.layer->all_weights(), lengths));
        for (std::size_t i = 0; i < got.size(); ++i)
            QVERIFY2(largestDifference(got[i], expected[i]) < 1e-5, qPrintable(QString::number(i)));
    }

    void refusesHalfALayer() {
        World world(2, 1);
        auto weights = world.layer->all_weights();
        weights.resize(4);
        QVERIFY_EXCEPTION_THROWN(bidirectionalLstm(world.steps, weights), c10::Error);
    }
};

QTEST_GUILESS_MAIN(tst_Lstm)
#include "tst_Lstm.moc"
