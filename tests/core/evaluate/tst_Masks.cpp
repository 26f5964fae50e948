#include "core/base/AtomicFile.h"
#include "core/evaluate/Masks.h"
#include "core/telemetry/RunLength.h"
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
            QVERIFY(runlength::isWhole(shapes.back()));
            QCOMPARE(runlength::toText(shapes.back().counts), entry["counts"].get<std::string>());
            QCOMPARE(runlength::area(shapes.back()), entry["area"].get<std::int64_t>());
            const auto box = runlength::bounds(shapes.back());
            QVERIFY((std::vector<int>{int(box.x1), int(box.y1), int(box.width()), int(box.height())}) ==
                    entry["bbox"].get<std::vector<int>>());
        }
        for (std::size_t i = 0; i < shapes.size(); ++i) {
            const auto &a = shapes[i], &b = shapes[(i + 1) % shapes.size()];
            const auto& entry = file["shapes"][i];
            const auto shared = double(masks::intersection(a, b));
            const auto both = double(runlength::area(a) + runlength::area(b)) - shared;
            QVERIFY(std::abs(shared / both - entry["iou_with_next"].get<double>()) < 1e-12);
            if (runlength::area(a) > 0)
                QVERIFY(std::abs(shared / double(runlength::area(a)) - entry["crowd_iou_with_next"].get<double>()) <
                        1e-12);
            QCOMPARE(runlength::toText(masks::unionOf({a, b}).counts), entry["union_with_next"].get<std::string>());
        }
    }

    void emptyMasksAreEmpty() {
        const RunLengthMask empty{4, 3, {12}};
        QCOMPARE(runlength::area(empty), std::int64_t(0));
        QCOMPARE(runlength::bounds(empty), Box());
        QCOMPARE(runlength::area(masks::fromPolygon({}, 4, 3)), std::int64_t(0));
        QCOMPARE(runlength::area(masks::fromPolygon({1, 1}, 4, 3)), std::int64_t(0));
        QCOMPARE(runlength::area(masks::fromPolygon({1e300, 1, -1e300, 2, 0, 1e300}, 0, 0)), std::int64_t(0));
        QVERIFY(masks::unionOf({}).counts.empty());
    }

    void rectanglesFillTheirPixels() {
        const auto mask = masks::fromBox(1, 1, 2, 1, 4, 3); // columns 1 and 2, row 1
        QVERIFY(mask.counts == (std::vector<std::uint32_t>{4, 1, 2, 1, 4}));
        QCOMPARE(runlength::bounds(mask), (Box{1, 1, 3, 2}));
        QCOMPARE(masks::intersection(mask, masks::fromBox(2, 0, 2, 3, 4, 3)), std::int64_t(1));
    }

    void masksOfOtherSizesShareNothing() {
        QCOMPARE(masks::intersection({2, 2, {0, 4}}, {4, 1, {0, 4}}), std::int64_t(0));
    }
};

QTEST_GUILESS_MAIN(tst_Masks)
#include "tst_Masks.moc"
