#include "core/nn/Autocast.h"
#include "core/nn/Convolution.h"
#include "core/nn/Dropout.h"
#include "core/nn/Initialiser.h"
#include "core/nn/MemoryLayout.h"
#include "core/nn/Norm.h"
#include "core/nn/Threads.h"
#include "tests/core/models/Reference.h"

#include <thread>

using namespace trainyard;
using namespace trainyard::testing;

namespace {

torch::Tensor images() {
    return noise("norm images", {3, 6, 4, 5}).to(torch::kFloat) * 2 + 0.5;
}

/// Mean 0 and variance 1 over `axes`, as the definitions of both normalisations say.
torch::Tensor standardised(const torch::Tensor& x, torch::IntArrayRef axes) {
    return (x - x.mean(axes, true)) / (x.var(axes, /*unbiased=*/false, true) + 1e-5).sqrt();
}

/// The worst of output and gradients against float32, for images in bfloat16.
bool runsInBFloat16(const std::string& kind) {
    auto norm = makeNorm(kind, 6);
    const auto input = images().to(torch::kBFloat16).requires_grad_();
    const auto output = norm->forward(input);
    output.to(torch::kFloat).pow(3).sum().backward();
    auto twin = makeNorm(kind, 6);
    const auto plain = input.detach().to(torch::kFloat).requires_grad_();
    const auto expected = twin->forward(plain);
    expected.pow(3).sum().backward();
    return output.scalar_type() == torch::kBFloat16 && largestDifference(output, expected) < 0.03 &&
           largestDifference(input.grad(), plain.grad()) < 0.3;
}

} // namespace

class tst_Layers : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { configureThreads(1); }

    void batchNormStandardisesAndRemembers() {
        auto norm = makeNorm("batch", 6);
        const auto x = images();
        QVERIFY(largestDifference(norm->forward(x), standardised(x, {0, 2, 3})) < 1e-5);
        const auto buffers = norm->named_buffers();
        QVERIFY(largestDifference(buffers["running_mean"], 0.1 * x.mean({0, 2, 3})) < 1e-6);
        QVERIFY(largestDifference(buffers["running_var"], 0.9 + 0.1 * x.var({0, 2, 3}, true)) < 1e-5);
        QCOMPARE(buffers["num_batches_tracked"].item<std::int64_t>(), 1);
        norm->eval();
        norm->forward(x);
        QCOMPARE(buffers["num_batches_tracked"].item<std::int64_t>(), 1);
    }

    void groupNormStandardisesEachImageAndGroup() {
        auto norm = makeNorm("group", 64); // 32 groups of 2
        const auto x = noise("groups", {2, 64, 3, 3}).to(torch::kFloat);
        const auto expected = standardised(x.reshape({2, 32, 2, 3, 3}), {2, 3, 4}).reshape(x.sizes());
        QVERIFY(largestDifference(norm->forward(x), expected) < 1e-5);
        const auto last = x.contiguous(torch::MemoryFormat::ChannelsLast);
        QVERIFY(largestDifference(norm->forward(last), expected) < 1e-5);
    }

    void groupsDivideTheChannels() {
        QCOMPARE(groupsFor(256), 32);
        QCOMPARE(groupsFor(24), 24);
        QCOMPARE(groupsFor(48), 24);
        QCOMPARE(groupsFor(96), 32);
        QCOMPARE(groupsFor(7), 7);
        QCOMPARE(groupsFor(37), 1);
    }

    void frozenNormScalesByItsBuffers() {
        auto norm = makeNorm("frozen", 6);
        QCOMPARE(norm->parameters().size(), std::size_t(0));
        fillLikeReference(*norm);
        const auto b = norm->named_buffers();
        const auto x = images();
        const auto shape = [](const torch::Tensor& t) { return t.view({1, -1, 1, 1}); };
        const auto expected =
            (x - shape(b["running_mean"])) / shape(b["running_var"] + 1e-5).sqrt() * shape(b["weight"]) +
            shape(b["bias"]);
        QVERIFY(largestDifference(norm->forward(x), expected) < 1e-5);
    }

    void normsTakeBFloat16_data() {
        QTest::addColumn<QString>("kind");
        for (const char* kind : {"batch", "group", "frozen", "none"})
            QTest::newRow(kind) << kind;
    }
    void normsTakeBFloat16() {
        QFETCH(QString, kind);
        QVERIFY(runsInBFloat16(kind.toStdString()));
    }

    void unknownNormThrows() { QVERIFY_EXCEPTION_THROWN(makeNorm("layer", 4), c10::Error); }

    void convolutionKeepsTheSizeOrEatsRows() {
        Convolution same({3, 5, 3}), half({3, 5, 3, 2}), row({3, 5, 3, 1, false, 4});
        const auto x = torch::zeros({1, 3, 4, 10});
        QCOMPARE(same.forward(x).sizes().vec(), (std::vector<std::int64_t>{1, 5, 4, 10}));
        QCOMPARE(half.forward(x).sizes().vec(), (std::vector<std::int64_t>{1, 5, 2, 5}));
        QCOMPARE(row.forward(x).sizes().vec(), (std::vector<std::int64_t>{1, 5, 1, 10}));
        QVERIFY(!row.named_parameters().contains("bias"));
    }

    // oneDNN gives NaN here in bfloat16: maps as narrow as a pyramid's last ones under a small input.
    void stridedConvolutionOfNarrowMapsHasFiniteGradients() {
        for (int i = 0; i < 20; ++i) {
            Convolution convolution({32, 32, 3, 2});
            const auto dirt = torch::full({32 * 32 * 9 * 4}, NAN); // what freed memory may hold
            torch::Tensor output;
            {
                const Autocast cast(true);
                output = convolution.forward(noise("narrow", {2, 32, 3, 1}).to(torch::kFloat));
            }
            output.to(torch::kFloat).sum().backward();
            QVERIFY(convolution.parameters()[0].grad().isfinite().all().item<bool>());
        }
    }

    void channelsLastKeepsTheValues() {
        Convolution convolution({4, 5, 3});
        Initialiser(3).kaimingNormal(convolution.parameters()[0], "w");
        const auto before = convolution.parameters()[0].detach().clone();
        toChannelsLast(convolution);
        QVERIFY(convolution.parameters()[0].is_contiguous(torch::MemoryFormat::ChannelsLast));
        QVERIFY(isEqual(before, convolution.parameters()[0]));
        QVERIFY(convolution.parameters()[0].requires_grad());
    }

    void initialValuesDependOnSeedAndNameAlone() {
        const auto a = torch::empty({40, 30}), b = torch::empty({40, 30}), c = torch::empty({40, 30});
        Initialiser(3).normal(a, "layer1", 1);
        torch::rand({5});
        Initialiser(3).normal(b, "layer1", 1);
        Initialiser(3).normal(c, "layer2", 1);
        QVERIFY(isEqual(a, b));
        QVERIFY(!isEqual(a, c));
        QVERIFY(std::abs(a.std().item<double>() - 1) < 0.06); // three standard errors
    }

    void dropoutKeepsTheMeanAndCountsItsDraws() {
        Dropout dropout(0.25, 7);
        const auto ones = torch::ones({200, 100});
        const auto first = dropout.forward(ones);
        QVERIFY(std::abs(first.mean().item<double>() - 1) < 0.02);
        QVERIFY(std::abs((first == 0).to(torch::kFloat).mean().item<double>() - 0.25) < 0.02);
        const auto second = dropout.forward(ones);
        QVERIFY(!isEqual(first, second));

        Dropout resumed(0.25, 7); // as from a checkpoint after the first draw
        resumed.buffers()[0].fill_(1);
        QVERIFY(isEqual(resumed.forward(ones), second));
        QVERIFY(!isEqual(Dropout(0.25, 7).forward(ones, 1), first)); // another replica

        dropout.eval();
        QVERIFY(isEqual(dropout.forward(ones), ones));
        QCOMPARE(dropout.buffers()[0].item<std::int64_t>(), 2);
    }

    void autocastEndsWithItsScopeAndItsThread() {
        const auto a = torch::ones({4, 4});
        {
            const Autocast cast(true);
            QCOMPARE(torch::mm(a, a).scalar_type(), torch::kBFloat16);
            {
                const Autocast plain(false);
                QCOMPARE(torch::mm(a, a).scalar_type(), torch::kFloat);
            }
            QCOMPARE(torch::mm(a, a).scalar_type(), torch::kBFloat16);
            std::thread([&] { QCOMPARE(torch::mm(a, a).scalar_type(), torch::kFloat); }).join();
        }
        QCOMPARE(torch::mm(a, a).scalar_type(), torch::kFloat);
    }
};

QTEST_GUILESS_MAIN(tst_Layers)
#include "tst_Layers.moc"
