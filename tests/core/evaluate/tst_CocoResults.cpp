#include "core/base/AtomicFile.h"
#include "core/evaluate/CocoResults.h"
#include "tests/support/TestData.h"

using namespace trainyard;

Q_DECLARE_METATYPE(trainyard::CocoType)

namespace {

using Row = QList<double>;

void compare(const Metrics& metrics, const Row& expected, double tolerance) {
    QCOMPARE(qsizetype(metrics.size()), expected.size());
    for (qsizetype i = 0; i < expected.size(); ++i) {
        const auto& [name, value] = metrics[std::size_t(i)];
        QVERIFY2(
            std::abs(value - expected[i]) < tolerance,
            qPrintable(
                QString("%1 is %2, not %3").arg(name.c_str()).arg(value, 0, 'g', 12).arg(expected[i], 0, 'g', 12)));
    }
}

/// JSON written with single quotes.
std::string json(QString text) {
    return text.replace('\'', '"').toStdString();
}

const char* kTruth =
    "{'images': [{'id': 7, 'width': 40, 'height': 30}], 'categories': [{'id': 4, 'name': 'cat'}], 'annotations': "
    "[{'id': 1, 'image_id': 7, 'category_id': 4, 'bbox': [1, 2, 10, 10], 'area': 100, 'iscrowd': 0}]}";

} // namespace

class tst_CocoResults : public QObject {
    Q_OBJECT
private Q_SLOTS:
    // Expected: the README of the reference data, whose rows the COCO API prints.
    void agreesWithPublishedNumbers_data() {
        QTest::addColumn<QString>("results");
        QTest::addColumn<QString>("annotations");
        QTest::addColumn<CocoType>("type");
        QTest::addColumn<Row>("expected");
        QTest::addColumn<double>("tolerance");
        QTest::newRow("boxes") << "coco/instances_val2014_fakebbox100_results.json"
                               << "coco/instances_val2014_100.json" << CocoType::Boxes
                               << Row{0.5045806987, 0.6969727247, 0.5729816670, 0.5856257209,
                                      0.5193996948, 0.5013978986, 0.3868127796, 0.5936795763,
                                      0.5953529829, 0.6398109626, 0.5664205979, 0.5642905983}
                               << 1e-9;
        QTest::newRow("masks") << "coco/instances_val2014_fakesegm100_results.json"
                               << "coco/instances_val2014_100.json" << CocoType::Masks
                               << Row{0.3195452759, 0.5622883973, 0.2989265341, 0.3873740316,
                                      0.3101827240, 0.3269339071, 0.2682297226, 0.4154486812,
                                      0.4168394992, 0.4694498623, 0.3767592267, 0.3814715100}
                               << 1e-9;
        QTest::newRow("a crowd, ids as texts")
            << "coco_edge/dt_ignore_test.json"
            << "coco_edge/gt_ignore_test.json" << CocoType::Boxes
            << Row{0.7099009901, 1,  0.8415841584, -1, 0.7099009901, -1, 0, 0.4538461538,
                   0.7153846154, -1, 0.7153846154, -1}
            << 1e-9;
        QTest::newRow("keypoints") << "coco_keypoints/dt_dataset.json"
                                   << "coco_keypoints/gt_dataset.json" << CocoType::Keypoints
                                   << Row{0.5048844884, 0.7227722772, 0.6336633663, 0.4663366337, 0.7504950495,
                                          0.5181818182, 0.7272727273, 0.6363636364, 0.4666666667, 0.75}
                                   << 1e-9;
        QTest::newRow("box areas, results inside a data set")
            << "voc_and_coco_padilla/tests/test_coco_eval/dets/sampled_bbox_results.json"
            << "voc_and_coco_padilla/tests/test_coco_eval/gts/sampled_gts_bbox_area.json" << CocoType::Boxes
            << Row{0.503647, 0.696973, 0.571667, 0.593252, 0.557991, 0.489363,
                   0.386813, 0.593680, 0.595353, 0.654764, 0.603130, 0.553744}
            << 1e-6;
    }
    void agreesWithPublishedNumbers() {
        QFETCH(QString, results);
        QFETCH(QString, annotations);
        QFETCH(CocoType, type);
        QFETCH(Row, expected);
        QFETCH(double, tolerance);
        NEED_SHARED_DATA(folder, "eval_reference");
        const auto score = scoreCocoResults(folder / results.toStdString(), folder / annotations.toStdString(), type);
        VERIFY_RESULT(score);
        compare(score->metrics, expected, tolerance);
    }

    // Expected: what pycocotools says, stored with the script that asked it (tests/data/evaluate/make_reference.py).
    void agreesWithTheCocoApi_data() {
        QTest::addColumn<CocoType>("type");
        QTest::newRow("boxes") << CocoType::Boxes;
        QTest::newRow("masks") << CocoType::Masks;
        QTest::newRow("keypoints") << CocoType::Keypoints;
    }
    void agreesWithTheCocoApi() {
        QFETCH(CocoType, type);
        const std::string prefix = std::string("evaluate/") + prefixOf(type);
        const auto score = scoreCocoResults(testing::testData(prefix + "_results.json"),
                                            testing::testData(prefix + "_truth.json"), type);
        VERIFY_RESULT(score);
        const auto text = readFile(testing::testData(prefix + "_expected.json"));
        VERIFY_RESULT(text);
        Row expected;
        for (const auto& value : QByteArray::fromStdString(*text).replace('[', "").replace(']', "").split(','))
            expected.push_back(value.trimmed().toDouble());
        compare(score->metrics, expected, 1e-12);
    }

    void whatIsWrittenScoresAsItShould() {
        testing::ScratchFolder folder;
        VERIFY_RESULT(writeFile(folder / "truth.json", json(kTruth)));
        Detection found;
        found.score = 0.1f;
        found.box = {1, 2, 11, 12};
        const auto text = cocoResults(CocoType::Boxes, {{7, {found}}}, {4});
        QVERIFY2(text.find("\"score\":0.1}") != std::string::npos,
                 text.c_str()); // the shortest form, not 0.10000000149
        VERIFY_RESULT(writeFile(folder / "results.json", text));
        const auto score = scoreCocoResults(folder / "results.json", folder / "truth.json", CocoType::Boxes);
        VERIFY_RESULT(score);
        QCOMPARE(score->detections, std::int64_t(1));
        QVERIFY(std::abs(score->metrics[0].second - 1) < 1e-12);
        VERIFY_RESULT(writeFile(folder / "none.json", cocoResults(CocoType::Boxes, {}, {})));
        const auto none = scoreCocoResults(folder / "none.json", folder / "truth.json", CocoType::Boxes);
        VERIFY_RESULT(none);
        QCOMPARE(none->metrics[0].second, 0.0);
    }

    void leavesOutUnknownCategories() {
        testing::ScratchFolder folder;
        VERIFY_RESULT(writeFile(folder / "truth.json", json(kTruth)));
        VERIFY_RESULT(writeFile(folder / "results.json",
                                json("[{'image_id': 7, 'category_id': 99, 'bbox': [1, 2, 3, 4], 'score': 0.5}]")));
        const auto score = scoreCocoResults(folder / "results.json", folder / "truth.json", CocoType::Boxes);
        VERIFY_RESULT(score);
        QCOMPARE(score->ofUnknownCategory, std::int64_t(1));
    }

    void saysWhatIsWrongWithAFile_data() {
        QTest::addColumn<QString>("results");
        QTest::addColumn<QString>("sentence");
        QTest::newRow("cut off") << "[{'image_id': 7,\n 'cat"
                                 << "results.json:2:6: This is not JSON: a quote that ends the text is expected where "
                                    "the file ends.";
        QTest::newRow("NaN")
            << "[{'image_id': 7, 'category_id': 4, 'bbox': [1,2,3,4], 'score': NaN}]"
            << "results.json:1:64: This is not JSON: a value (a number, a text in quotes, true, false, "
               "null, a list or an object) is expected where \"NaN\" stands.";
        QTest::newRow("no list") << "{'image_id': 7}"
                                 << "results.json:1:1: The file: results are a list of objects, one a detection, not "
                                    "an object.";
        QTest::newRow("numbers for results") << "[7]"
                                             << "results.json:1:2: Result 0: an object is needed, not the number 7.";
        QTest::newRow("no image id") << "[{'category_id': 4}]"
                                     << "results.json:1:2: Result 0: it has no image_id.";
        QTest::newRow("text as score")
            << "[\n{'image_id': 7, 'category_id': 4, 'bbox': [1, 2, 3, 4], 'score': 1},\n"
               "  {'image_id': 7, 'category_id': 4, 'bbox': [1, 2, 3, 4], 'score': 'high'}]"
            << "results.json:3:3: Result 1: its score must be a number, not the text \"high\".";
        QTest::newRow("list as id") << "[{'image_id': [7]}]"
                                    << "Result 0: its image_id must be a whole number or a text, not a list.";
        QTest::newRow("unknown image") << "[{'image_id': 8, 'category_id': 4, 'bbox': [1,2,3,4], 'score': 1}]"
                                       << "results.json:1:2: Result 0: the annotations have no image 8.";
        QTest::newRow("short box") << "[{'image_id': 7, 'category_id': 4, 'bbox': [1, 2], 'score': 1}]"
                                   << "its bbox must be [x, y, width, height].";
        QTest::newRow("text in box") << "[{'image_id': 7, 'category_id': 4, 'bbox': [1, 2, 'x', 4], 'score': 1}]"
                                     << "its bbox must be numbers, not the text \"x\".";
        QTest::newRow("no score") << "[{'image_id': 7, 'category_id': 4, 'bbox': [1, 2, 3, 4]}]"
                                  << "Result 0: it has no score.";
        QTest::newRow("no box") << "[{'image_id': 7, 'category_id': 4, 'score': 1}]"
                                << "it has no bbox";
        QTest::newRow("damaged mask")
            << "[{'image_id': 7, 'category_id': 4, 'segmentation': {'size': [30, 40], 'counts': '~~'}, 'score': 1}]"
            << "its compressed mask is damaged.";
        QTest::newRow("short mask")
            << "[{'image_id': 7, 'category_id': 4, 'segmentation': {'size': [30, 40], 'counts': [3]}, 'score': 1}]"
            << "do not fill its size";
        QTest::newRow("deep nesting") << QString("[").repeated(100000) << "This is not JSON";
    }
    void saysWhatIsWrongWithAFile() {
        QFETCH(QString, results);
        QFETCH(QString, sentence);
        testing::ScratchFolder folder;
        VERIFY_RESULT(writeFile(folder / "truth.json", json(kTruth)));
        VERIFY_RESULT(writeFile(folder / "results.json", json(results)));
        const auto score = scoreCocoResults(folder / "results.json", folder / "truth.json", CocoType::Boxes);
        QVERIFY(!score);
        QCOMPARE(exitCode(score.error().kind), 3);
        const auto said = QString::fromStdString(score.error().sentence());
        QVERIFY2(said.contains(sentence) && said.contains("results.json") && !said.contains("json.exception"),
                 qPrintable(said));
    }

    void saysWhatIsWrongWithTheAnnotations_data() {
        QTest::addColumn<QString>("truth");
        QTest::addColumn<QString>("sentence");
        QTest::newRow("list") << "[]"
                              << "truth.json:1:1: The file: an object is needed, not a list.";
        QTest::newRow("no images") << "{'categories': [], 'annotations': []}"
                                   << "The file: it has no images.";
        QTest::newRow("images no list") << "{'images': {}, 'categories': [], 'annotations': []}"
                                        << "The file: its images must be a list, not an object.";
        QTest::newRow("image without id")
            << "{'images': [{'id': 1},\n{'width': 4}], 'categories': [], 'annotations': []}"
            << "truth.json:2:1: Image 1: it has no id.";
        QTest::newRow("width in words") << "{'images': [{'id': 1, 'width': 'x'}], 'categories': [], 'annotations': []}"
                                        << "Image 0: its width must be a number, not the text \"x\".";
        QTest::newRow("crowd in words")
            << "{'images': [{'id': 1}], 'categories': [{'id': 2, 'name': 'a'}], 'annotations': "
               "[{'image_id': 1, 'category_id': 2, 'bbox': [0,0,1,1], 'iscrowd': 'no'}]}"
            << "Annotation 0: its iscrowd must be a number, not the text \"no\".";
        QTest::newRow("category twice") << "{'images': [], 'categories': [{'id': 2}, {'id': 2}], 'annotations': []}"
                                        << "Category 1: its id 2 is given twice.";
    }
    void saysWhatIsWrongWithTheAnnotations() {
        QFETCH(QString, truth);
        QFETCH(QString, sentence);
        testing::ScratchFolder folder;
        VERIFY_RESULT(writeFile(folder / "truth.json", json(truth)));
        VERIFY_RESULT(writeFile(folder / "results.json", "[]"));
        const auto score = scoreCocoResults(folder / "results.json", folder / "truth.json", CocoType::Boxes);
        QVERIFY(!score);
        const auto said = QString::fromStdString(score.error().sentence());
        QVERIFY2(said.contains(sentence) && !said.contains("json.exception"), qPrintable(said));
    }
};

QTEST_GUILESS_MAIN(tst_CocoResults)
#include "tst_CocoResults.moc"
