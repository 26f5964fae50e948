#include "core/telemetry/RunLength.h"

#include "core/base/Random.h"

#include <QtTest>

#include <nlohmann/json.hpp>

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

    void readsBackWhatItWrites() {
        Random random(5);
        for (int round = 0; round < 200; ++round) {
            std::vector<std::uint32_t> counts;
            for (auto left = random.integer(1, 20); left > 0; --left)
                counts.push_back(std::uint32_t(random.integer(0, random.chance(0.1) ? 4000000000LL : 300)));
            const auto read = runlength::fromText(runlength::toText(counts));
            QVERIFY(read.has_value());
            QVERIFY(*read == counts);
        }
    }

    void refusesDamagedText_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::newRow("ends in a number") << QByteArray("5P");
        QTest::newRow("not of its characters") << QByteArray("5\x01");
        QTest::newRow("negative") << QByteArray("O"); // -1
        QTest::newRow("endless number") << QByteArray("oooooooooooooooo0");
    }
    void refusesDamagedText() {
        QFETCH(QByteArray, text);
        QVERIFY(!runlength::fromText(text.toStdString()));
    }

    /// What a file can say wrongly of a mask of 40 x 30 pixels.
    void saysWhatIsWrongWithAMask_data() {
        QTest::addColumn<QByteArray>("json");
        QTest::addColumn<QByteArray>("clause");
        QTest::newRow("no counts") << QByteArray(R"({"size": [30, 40]})") << QByteArray("needs a size and counts");
        QTest::newRow("no object") << QByteArray("[[1, 2, 3]]") << QByteArray("needs a size and counts");
        QTest::newRow("text as size") << QByteArray(R"({"size": "big", "counts": []})")
                                      << QByteArray("[height, width]");
        QTest::newRow("no size") << QByteArray(R"({"size": [0, 40], "counts": [0]})") << QByteArray("[height, width]");
        QTest::newRow("huge") << QByteArray(R"({"size": [999999, 1], "counts": [999999]})")
                              << QByteArray("[height, width]");
        QTest::newRow("damaged") << QByteArray(R"({"size": [30, 40], "counts": "~~"})") << QByteArray("is damaged");
        QTest::newRow("object as counts")
            << QByteArray(R"({"size": [30, 40], "counts": {}})") << QByteArray("neither numbers nor a compressed text");
        QTest::newRow("negative run") << QByteArray(R"({"size": [30, 40], "counts": [-5, 1205]})")
                                      << QByteArray("impossible length");
        QTest::newRow("half a run") << QByteArray(R"({"size": [30, 40], "counts": [0.5, 1199.5]})")
                                    << QByteArray("impossible length");
        QTest::newRow("short") << QByteArray(R"({"size": [30, 40], "counts": [3]})") << QByteArray("do not fill");
    }
    void saysWhatIsWrongWithAMask() {
        QFETCH(QByteArray, json);
        QFETCH(QByteArray, clause);
        const auto read = runlength::fromJson(nlohmann::json::parse(json.toStdString()));
        QVERIFY(!read);
        QVERIFY2(read.error().find(clause.toStdString()) != std::string::npos, read.error().c_str());
    }

    void readsBothFormsOfAMask() {
        const RunLengthMask mask = handMade();
        const auto compressed = runlength::fromJson({{"size", {7, 9}}, {"counts", "01f02^O00000004N"}});
        const auto runs = runlength::fromJson({{"size", {7, 9}}, {"counts", mask.counts}});
        QVERIFY(compressed && runs);
        QCOMPARE(compressed->counts, mask.counts);
        QCOMPARE(runs->counts, mask.counts);
        QCOMPARE(runs->width, 9);
        QVERIFY(runlength::toJson(mask) == nlohmann::json({{"size", {7, 9}}, {"counts", "01f02^O00000004N"}}));
        QVERIFY(!runlength::isWhole({9, 7, {60}}));
    }
};

QTEST_GUILESS_MAIN(tst_RunLength)
#include "tst_RunLength.moc"
