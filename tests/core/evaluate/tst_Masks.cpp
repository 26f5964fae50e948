#include "core/base/AtomicFile.h"
#include "core/base/Random.h"
#include "core/evaluate/Masks.h"
#include "tests/support/TestData.h"

#include <nlohmann/json.hpp>

using namespace trainyard;

class tst_Masks : public QObject {
    Q_OBJECT
private Q_SLOTS:
    // Expected: pycocotools, stored with tests/data/evaluate/make_reference.py; half of the shapes reach beyond the
    // image.
    void drawsPolygonsAsTheCocoApi() {
        const auto text = readFile(testing::testData("evaluate/polygons.json"));
        VERIFY_RESULT(text);
        const auto file = nlohmann::json::parse(*text);
        const int width = file["width"], height = file["height"];
        std::vector<RunLengthMask> shapes;
        for (const auto& entry : file["shapes"]) {
            shapes.push_back(masks::fromPolygon(entry["polygon"], width, height));
            QVERIFY(masks::isWhole(shapes.back()));
            QCOMPARE(masks::countsToText(shapes.back().counts), entry["counts"].get<std::string>());
            QCOMPARE(masks::area(shapes.back()), entry["area"].get<std::int64_t>());
            const auto box = masks::bounds(shapes.back());
            QVERIFY((std::vector<int>{int(box.x1), int(box.y1), int(box.width()), int(box.height())}) ==
                    entry["bbox"].get<std::vector<int>>());
        }
        for (std::size_t i = 0; i < shapes.size(); ++i) {
            const auto &a = shapes[i], &b = shapes[(i + 1) % shapes.size()];
            const auto& entry = file["shapes"][i];
            const auto shared = double(masks::intersection(a, b));
            const auto both = double(masks::area(a) + masks::area(b)) - shared;
            QVERIFY(std::abs(shared / both - entry["iou_with_next"].get<double>()) < 1e-12);
            if (masks::area(a) > 0)
                QVERIFY(std::abs(shared / double(masks::area(a)) - entry["crowd_iou_with_next"].get<double>()) < 1e-12);
            QCOMPARE(masks::countsToText(masks::unionOf({a, b}).counts), entry["union_with_next"].get<std::string>());
        }
    }

    void readsBackWhatItWrites() {
        Random random(5);
        for (int round = 0; round < 200; ++round) {
            std::vector<std::uint32_t> counts;
            for (auto left = random.integer(1, 20); left > 0; --left)
                counts.push_back(std::uint32_t(random.integer(0, random.chance(0.1) ? 4000000000LL : 300)));
            const auto read = masks::countsFromText(masks::countsToText(counts));
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
        QVERIFY(!masks::countsFromText(text.toStdString()));
    }

    void emptyMasksAreEmpty() {
        const RunLengthMask empty{4, 3, {12}};
        QCOMPARE(masks::area(empty), std::int64_t(0));
        QCOMPARE(masks::bounds(empty), Box());
        QCOMPARE(masks::area(masks::fromPolygon({}, 4, 3)), std::int64_t(0));
        QCOMPARE(masks::area(masks::fromPolygon({1, 1}, 4, 3)), std::int64_t(0));
        QCOMPARE(masks::area(masks::fromPolygon({1e300, 1, -1e300, 2, 0, 1e300}, 0, 0)), std::int64_t(0));
        QVERIFY(masks::unionOf({}).counts.empty());
    }

    void rectanglesFillTheirPixels() {
        const auto mask = masks::fromBox(1, 1, 2, 1, 4, 3); // columns 1 and 2, row 1
        QVERIFY(mask.counts == (std::vector<std::uint32_t>{4, 1, 2, 1, 4}));
        QCOMPARE(masks::bounds(mask), (Box{1, 1, 3, 2}));
        QCOMPARE(masks::intersection(mask, masks::fromBox(2, 0, 2, 3, 4, 3)), std::int64_t(1));
    }

    void masksOfOtherSizesShareNothing() {
        QCOMPARE(masks::intersection({2, 2, {0, 4}}, {4, 1, {0, 4}}), std::int64_t(0));
    }
};

QTEST_GUILESS_MAIN(tst_Masks)
#include "tst_Masks.moc"
