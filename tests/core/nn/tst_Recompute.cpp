#include "core/nn/Recompute.h"

#include "tests/support/TestData.h"

#include <c10/core/Allocator.h>
#include <c10/util/ThreadLocalDebugInfo.h>
#include <torch/nn.h>
#include <torch/version.h>

using namespace trainyard;

namespace {

/// What this thread's tensors take at most while it is asked.
class MemoryMeter final : public c10::MemoryReportingInfoBase {
public:
#if TORCH_VERSION_MAJOR >= 2
    void reportMemoryUsage(void*, std::int64_t size, std::size_t, std::size_t, c10::Device) override {
        count(size);
    }
#else
    void reportMemoryUsage(void*, std::int64_t size, std::int64_t, std::int64_t, c10::Device) override {
        count(size);
    }
#endif
    bool memoryProfilingEnabled() const override {
        return true;
    }

    std::int64_t peak = 0;

private:
    void count(std::int64_t size) {
        m_now += size;
        peak = std::max(peak, m_now);
    }
    std::int64_t m_now = 0;
};

struct BlockImpl final : torch::nn::Module {
    BlockImpl() {
        first = register_module("first", torch::nn::Conv2d(torch::nn::Conv2dOptions(8, 8, 3).padding(1)));
        norm = register_module("norm", torch::nn::BatchNorm2d(8));
        second = register_module("second", torch::nn::Conv2d(torch::nn::Conv2dOptions(8, 8, 3).padding(1)));
    }
    torch::Tensor forward(const torch::Tensor& x) { return (second(norm(first(x)).relu()) + x).relu(); }
    torch::nn::Conv2d first{nullptr}, second{nullptr};
    torch::nn::BatchNorm2d norm{nullptr};
};

struct Outcome {
    double loss = 0;
    std::vector<torch::Tensor> gradients, buffers;
    std::int64_t peak = 0;
};

/// One step of a stem and eight blocks.
Outcome step(bool isRecomputing) {
    torch::manual_seed(4);
    const auto stem = std::make_shared<torch::nn::Conv2dImpl>(torch::nn::Conv2dOptions(3, 8, 1));
    std::vector<std::shared_ptr<BlockImpl>> blocks;
    for (int i = 0; i < 8; ++i)
        blocks.push_back(std::make_shared<BlockImpl>());
    const auto images = torch::randn({4, 3, 32, 32});
    auto meter = std::make_shared<MemoryMeter>();
    Outcome outcome;
    {
        const c10::DebugInfoGuard guard(c10::DebugInfoKind::PROFILER_STATE, meter);
        const RecomputeScope scope(isRecomputing);
        auto features = stem->forward(images);
        for (const auto& block : blocks)
            features = throughBlock(block, features);
        const auto loss = features.square().mean();
        outcome.loss = loss.item<double>();
        loss.backward();
    }
    outcome.peak = meter->peak;
    const auto take = [&](const torch::nn::Module& module) {
        for (const auto& parameter : module.parameters())
            outcome.gradients.push_back(parameter.grad());
        for (const auto& buffer : module.buffers())
            outcome.buffers.push_back(buffer);
    };
    take(*stem);
    for (const auto& block : blocks)
        take(*block);
    return outcome;
}

} // namespace

class tst_Recompute : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { torch::set_num_threads(1); }

    // The same loss, gradients and running statistics, to the last bit, and at least a third less memory.
    void givesTheSameForLessMemory() {
        const Outcome kept = step(false), again = step(true);
        QCOMPARE(again.loss, kept.loss);
        for (std::size_t i = 0; i < kept.gradients.size(); ++i)
            QVERIFY(torch::equal(again.gradients[i], kept.gradients[i]));
        for (std::size_t i = 0; i < kept.buffers.size(); ++i)
            QVERIFY(torch::equal(again.buffers[i], kept.buffers[i]));
        qInfo("activations of a step: %lld bytes kept, %lld recomputed", (long long)kept.peak, (long long)again.peak);
        QVERIFY2(double(again.peak) < 0.65 * double(kept.peak),
                 qPrintable(QString::number(double(again.peak) / double(kept.peak))));
    }

    void needsAScopeAndAGradient() {
        QVERIFY(!isRecomputing());
        {
            const RecomputeScope outer(true);
            QVERIFY(isRecomputing());
            const RecomputeScope inner(false);
            QVERIFY(!isRecomputing());
        }
        QVERIFY(!isRecomputing());
        const RecomputeScope scope(true);
        const auto block = std::make_shared<BlockImpl>();
        const auto output = throughBlock(block, torch::randn({1, 8, 4, 4})); // no gradient comes in: computed plainly
        output.sum().backward();
        QVERIFY(block->first->weight.grad().defined());
    }
};

QTEST_GUILESS_MAIN(tst_Recompute)
#include "tst_Recompute.moc"
