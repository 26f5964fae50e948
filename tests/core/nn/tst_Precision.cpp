#include "core/nn/Precision.h"
#include "core/nn/Threads.h"
#include "tests/support/TestData.h"

#include <ATen/Parallel.h>

using namespace trainyard;

class tst_Precision : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void readsCpuInfo() {
        const auto features = parseCpuInfo("processor\t: 0\n"
                                           "model name\t: Some CPU 9000\n"
                                           "flags\t\t: fpu avx512f avx512_bf16 amx_bf16x\n");
        QCOMPARE(features.model, std::string("Some CPU 9000"));
        QVERIFY(features.hasAvx512);
        QVERIFY(features.hasBf16Dot);
        QVERIFY(!features.hasBf16Matrix); // whole words only
    }

    void textOfAnotherSystemHasNothing() {
        for (const char* text : {"", "flags", "flags\t:\nmodel name\t:  \n", "Hardware : BCM2835\n"}) {
            const auto features = parseCpuInfo(text);
            QVERIFY(features.model.empty());
            QVERIFY(!features.hasAvx512 && !features.hasBf16Dot && !features.hasBf16Matrix);
        }
    }

    void bfloat16NeedsHardware() {
        QCOMPARE(defaultPrecision(parseCpuInfo("flags : avx512f")).precision, Precision::Float32);
        QCOMPARE(defaultPrecision(parseCpuInfo("flags : avx512f avx512_bf16")).precision, Precision::BFloat16);
        QCOMPARE(defaultPrecision(parseCpuInfo("flags : amx_bf16")).precision, Precision::BFloat16);
        QVERIFY(!defaultPrecision(cpuFeatures()).reason.empty());
    }

    void threadsAreAsTold() {
        configureThreads(2);
        QCOMPARE(at::get_num_threads(), 2);
        configureThreads(0);
        QCOMPARE(at::get_num_threads(), 1);
    }
};

QTEST_GUILESS_MAIN(tst_Precision)
#include "tst_Precision.moc"
