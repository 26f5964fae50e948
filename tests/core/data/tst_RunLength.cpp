#include "core/data/RunLength.h"

#include <QtTest>

using namespace trainyard;

namespace {

/// A world of 7 rows and 9 columns: a block of rows 2…4 and columns 3…7, and the first and the last pixel.
RunLengthMask handMade() {
    std::vector<std::uint8_t> pixels(63, 0);
    for (int y = 2; y < 5; ++y)
        for (int x = 3; x < 8; ++x)
            pixels[std::size_t(y * 9 + x)] = 1;
    pixels[0] = pixels[62] = 1;
    return runlength::fromPixels(pixels.data(), 9, 7);
}

} // namespace

class tst_RunLength : public QObject {
    Q_OBJECT

private Q_SLOTS:
    /// pycocotools 2.0: mask.encode, mask.area, mask.toBbox of the same array.
    void agreesWithPycocotools() {
        const RunLengthMask mask = handMade();
        QVERIFY(runlength::isWhole(mask));
        QCOMPARE(runlength::toText(mask.counts), std::string("01f02^O00000004N"));
        QCOMPARE(runlength::area(mask), 17);
        QVERIFY((runlength::bounds(mask) == Box{0, 0, 9, 7}));
        const std::string frame =
            "n?`2d0000000000000000000000000000000000000000000000000^N0000000000000000000000000000000000"
            "000000000000000000000000000000000000000000000b100000000000000000000000000000000000000nn0";
        const auto counts = runlength::fromText(frame);
        QVERIFY(counts.has_value());
        const RunLengthMask ring{80, 100, *counts};
        QVERIFY(runlength::isWhole(ring));
        QCOMPARE(runlength::area(ring), 4800);
        QVERIFY((runlength::bounds(ring) == Box{5, 10, 70, 90}));
        QCOMPARE(runlength::toText(ring.counts), frame);
    }

    void goesThroughPixelsAndBack() {
        const RunLengthMask mask = handMade();
        const auto bytes = runlength::pixels(mask);
        QCOMPARE(int(bytes[2 * 9 + 3]), 255);
        QCOMPARE(int(bytes[1 * 9 + 3]), 0);
        QCOMPARE(runlength::fromPixels(bytes.data(), 9, 7).counts, mask.counts);
    }

    void boundsOfRunsOverSeveralColumns() {
        QVERIFY((runlength::bounds({4, 3, {4, 4, 4}}) ==
                 Box{1, 0, 3, 3})); // pixels 4…7: end of column 1, start of column 2
        QVERIFY((runlength::bounds({4, 3, {12}}) == Box{}));
    }

    void refusesMalformedText() {
        for (const char* text : {"o", "\x01", "PPPPPPPPPPPPPPPP", "N"})
            QVERIFY2(!runlength::fromText(text).has_value(), text);
        QVERIFY(!runlength::isWhole({9, 7, {60}}));
    }
};

QTEST_GUILESS_MAIN(tst_RunLength)
#include "tst_RunLength.moc"
