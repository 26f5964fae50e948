#include "core/solve/ParameterStatistics.h"

#include "tests/support/TestData.h"

#include <ATen/ATen.h>
#include <ATen/Parallel.h>

#include <cmath>
#include <limits>

using namespace trainyard;

namespace {

const float kNan = std::numeric_limits<float>::quiet_NaN();
const float kInfinity = std::numeric_limits<float>::infinity();

bool isSame(const TensorStatistics& a, const TensorStatistics& b) {
    return a.norm == b.norm && a.minimum == b.minimum && a.maximum == b.maximum && a.mean == b.mean &&
           a.deviation == b.deviation && a.zeroShare == b.zeroShare && a.count == b.count &&
           a.nonFinite == b.nonFinite && a.histogram == b.histogram;
}

bool isClose(double value, double expected, double tolerance) {
    return std::abs(value - expected) <= tolerance * std::max(1.0, std::abs(expected));
}

} // namespace

class tst_ParameterStatistics : public QObject {
    Q_OBJECT
private Q_SLOTS:
    // By hand: sum 8, squares 4 + 0 + 1 + 25 + 16 = 46, mean 1.6, variance 46 / 5 - 2.56 = 6.64.
    void countsBesidesWhatIsNotFinite() {
        const auto s = statisticsOf(at::tensor({-2.0f, kNan, 0.0f, 1.0f, kInfinity, 5.0f, 4.0f, -kInfinity}));
        QCOMPARE(s.count, std::int64_t(8));
        QCOMPARE(s.nonFinite, std::int64_t(3));
        QCOMPARE(s.minimum, -2.0);
        QCOMPARE(s.maximum, 5.0);
        QCOMPARE(s.mean, 1.6);
        QCOMPARE(s.norm, std::sqrt(46.0));
        QCOMPARE(s.deviation, std::sqrt(6.64));
        QCOMPARE(s.zeroShare, 1.0 / 8);
    }

    void binsByBinaryExponent_data() {
        QTest::addColumn<float>("value");
        QTest::addColumn<int>("bin");
        QTest::newRow("one") << 1.0f << 40;
        QTest::newRow("just below one") << std::nextafter(1.0f, 0.0f) << 39;
        QTest::newRow("minus three") << -3.0f << 41;
        QTest::newRow("2^-39") << 0x1p-39f << 1;
        QTest::newRow("2^-40") << 0x1p-40f << 0;
        QTest::newRow("denormal") << 1e-42f << 0;
        QTest::newRow("zero") << 0.0f << 0;
        QTest::newRow("2^22") << 0x1p22f << 62;
        QTest::newRow("2^23") << 0x1p23f << 63;
        QTest::newRow("largest") << std::numeric_limits<float>::max() << 63;
    }

    void binsByBinaryExponent() {
        QFETCH(float, value);
        QFETCH(int, bin);
        const auto s = statisticsOf(at::full({19}, value)); // more than the sub-histograms, and a rest
        for (int i = 0; i < TensorStatistics::kBins; ++i)
            QCOMPARE(s.histogram[std::size_t(i)], i == bin ? 19u : 0u);
    }

    void survivesAMeanFarFromZero() { // naive sums of squares in float32 give nonsense here
        const auto values = at::cat({at::full({300000}, 10000.5f), at::full({300000}, 9999.5f)});
        const auto s = statisticsOf(values);
        QVERIFY(isClose(s.mean, 10000.0, 1e-12));
        QVERIFY(isClose(s.deviation, 0.5, 1e-9));
        QVERIFY(isClose(s.norm, std::sqrt(600000.0 * (1e8 + 0.25)), 1e-12));
    }

    void copesWithNothing_data() {
        QTest::addColumn<int>("kind");
        QTest::addColumn<qint64>("count");
        QTest::newRow("undefined") << 0 << qint64(0);
        QTest::newRow("empty") << 1 << qint64(0);
        QTest::newRow("not one finite") << 2 << qint64(3);
    }

    void copesWithNothing() {
        QFETCH(int, kind);
        QFETCH(qint64, count);
        const auto tensor = kind == 0 ? at::Tensor() : kind == 1 ? at::empty({0}) : at::full({3}, kNan);
        const auto s = statisticsOf(tensor);
        QCOMPARE(s.count, std::int64_t(count));
        QCOMPARE(s.nonFinite, std::int64_t(count));
        for (const double value : {s.norm, s.minimum, s.maximum, s.mean, s.deviation, s.zeroShare})
            QCOMPARE(value, 0.0);
    }

    // LibTorch's own operators in float64 are the other opinion; a million values are several chunks.
    void agreesWithOperators() {
        at::manual_seed(11);
        auto values = at::randn({1000, 1000}) * 0.01 + 0.003;
        values.masked_fill_(at::rand({1000, 1000}) < 0.1, 0);
        const auto s = statisticsOf(values);
        const auto wide = values.to(at::kDouble);
        QVERIFY(isClose(s.norm, wide.norm().item<double>(), 1e-10));
        QVERIFY(isClose(s.mean, wide.mean().item<double>(), 1e-12));
        QVERIFY(isClose(s.deviation, wide.std(/*unbiased=*/false).item<double>(), 1e-12));
        QCOMPARE(s.minimum, wide.min().item<double>());
        QCOMPARE(s.maximum, wide.max().item<double>());
        QCOMPARE(s.zeroShare, (wide == 0).sum().item<double>() / 1e6);
        const auto exponents = (wide.abs().log2().floor() + 40).clamp(0, 63).to(at::kLong).flatten();
        const auto counts = at::bincount(exponents, {}, 64);
        for (int bin = 0; bin < 64; ++bin)
            QCOMPARE(std::int64_t(s.histogram[std::size_t(bin)]), counts[bin].item<std::int64_t>());
    }

    void doesNotDependOnTheThreadCount() {
        at::manual_seed(2);
        const auto values = at::randn({1200, 1000});
        at::set_num_threads(1);
        const auto one = statisticsOf(values);
        at::set_num_threads(3);
        for (int repetition = 0; repetition < 20; ++repetition)
            QVERIFY(isSame(statisticsOf(values), one));
    }

    void readsAnyMemory() {
        at::manual_seed(9);
        const auto values = at::randn({3, 4, 5, 6});
        const auto plain = statisticsOf(values);
        QVERIFY(isClose(statisticsOf(values.contiguous(at::MemoryFormat::ChannelsLast)).mean, plain.mean, 1e-14));
        QCOMPARE(statisticsOf(values.permute({3, 0, 2, 1}).slice(0, 0, 6, 2)).count, std::int64_t(180));
        QVERIFY(isSame(statisticsOf(values.to(at::kDouble)), plain));
    }

    void gpuAgreesWithCpu() {
        if (!at::hasCUDA() || at::detail::getCUDAHooks().getNumGPUs() == 0)
            QSKIP("needs a GPU and a LibTorch with CUDA");
        at::manual_seed(4);
        auto values = at::randn({1000, 1000}) * 0.01 + 5;
        values[3][4] = kNan;
        values[5].zero_();
        const auto cpu = statisticsOf(values), gpu = statisticsOf(values.to(at::kCUDA));
        QVERIFY(isClose(gpu.norm, cpu.norm, 1e-10));
        QVERIFY(isClose(gpu.mean, cpu.mean, 1e-10));
        QVERIFY(isClose(gpu.deviation, cpu.deviation, 1e-8));
        QCOMPARE(gpu.minimum, cpu.minimum);
        QCOMPARE(gpu.maximum, cpu.maximum);
        QCOMPARE(gpu.zeroShare, cpu.zeroShare);
        QCOMPARE(gpu.nonFinite, cpu.nonFinite);
        QVERIFY(gpu.histogram == cpu.histogram);
    }

    // Of these -2 (bin 41) and -0.75 (bin 39) lie below zero; what is not finite is in no bin.
    void countsWhatLiesBelowZero() {
        const float infinity = std::numeric_limits<float>::infinity();
        const auto values = at::tensor({-2.0f, 1.0f, 0.0f, 2.0f, -0.75f, infinity, -infinity, std::nanf("")});
        const auto negatives = negativesOf(values);
        QCOMPARE(negatives.size(), std::size_t(TensorStatistics::kBins));
        for (std::size_t bin = 0; bin < negatives.size(); ++bin)
            QCOMPARE(negatives[bin], std::uint32_t(bin == 41 || bin == 39));
        QVERIFY(negativesOf(at::Tensor()).empty());
    }

    void reportsWeightGradientAndUpdate() {
        Parameter trained{"trained", at::tensor({3.0f, 4.0f}).set_requires_grad(true), Parameter::Role::Weight, false};
        trained.value.mutable_grad() = at::tensor({0.0f, 2.0f});
        const Parameter idle{"idle", at::zeros({2}).set_requires_grad(true), Parameter::Role::Bias, true};
        const auto report = statisticsOf({trained, idle}, 7, {0.5, 0.0});
        QCOMPARE(report.iteration, std::int64_t(7));
        QCOMPARE(report.parameters.size(), std::size_t(2));
        QCOMPARE(report.parameters[0].name, std::string("trained"));
        QCOMPARE(report.parameters[0].weight.norm, 5.0);
        QCOMPARE(report.parameters[0].gradient.norm, 2.0);
        QCOMPARE(report.parameters[0].updateToWeight, 0.1);
        QCOMPARE(report.parameters[1].gradient.count, std::int64_t(0));
        QCOMPARE(report.parameters[1].updateToWeight, 0.0);
        QCOMPARE(statisticsOf({trained}, 8).parameters[0].updateToWeight, 0.0);
    }
};

QTEST_GUILESS_MAIN(tst_ParameterStatistics)
#include "tst_ParameterStatistics.moc"
