#include "core/evaluate/VocEvaluation.h"
#include "core/evaluate/VocResults.h"
#include "tests/support/TestData.h"

#include <fstream>
#include <sys/stat.h>

using namespace trainyard;

namespace {

void write(const std::filesystem::path& path, const std::string& text) {
    std::ofstream(path) << text;
}

const std::vector<std::string> kClasses = {"car", "cat", "cable car"};

} // namespace

class tst_VocResults : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void readsAFileAClass_data() {
        QTest::addColumn<QString>("given");
        QTest::newRow("folder") << "";
        QTest::newRow("one of the files") << "comp4_det_test_car.txt";
        QTest::newRow("the one with the longer name") << "comp4_det_test_cable car.txt";
    }
    void readsAFileAClass() {
        QFETCH(QString, given);
        testing::ScratchFolder folder;
        write(folder / "comp4_det_test_car.txt", "000004 0.702732 89 112 516 466\r\n000006 0.870849 1 1 10 10\n\n"
                                                 "my photo 2 -0.5 1.5 2 3.25 4");
        write(folder / "comp4_det_test_cable car.txt", "000004\t0.25\t5\t6\t7\t8\n");
        write(folder / "readme.txt", "nothing of ours");
        const auto results = readVocResults(folder / given.toStdString(), kClasses);
        VERIFY_RESULT(results);
        QCOMPARE(results->size(), std::size_t(3));
        const auto& both = results->at("000004");
        QCOMPARE(both.size(), std::size_t(2));
        QCOMPARE(both[0].label, 0);
        QCOMPARE(both[0].score, 0.702732f);
        QVERIFY((both[0].box == Box{88, 111, 516, 466})); // corners count from 1 and belong to the box
        QCOMPARE(both[1].label, 2);
        QVERIFY((results->at("000006")[0].box == Box{0, 0, 10, 10}));
        QVERIFY((results->at("my photo 2")[0].box == Box{0.5f, 1, 3.25f, 4}));
        QCOMPARE(results->at("my photo 2")[0].score, -0.5f);
    }

    void readsFilesThatAreNamedLikeTheirClass() {
        testing::ScratchFolder folder;
        write(folder / "cat.txt", "a 1 1 1 2 2\n");
        const auto results = readVocResults(folder.path(), kClasses);
        VERIFY_RESULT(results);
        QCOMPARE(results->at("a")[0].label, 1);
    }

    void saysWhatIsWrong_data() {
        QTest::addColumn<QString>("name");
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("sentence");
        const QString line = "The line is not \"image score xmin ymin xmax ymax\".";
        QTest::newRow("five fields") << "comp4_det_test_car.txt"
                                     << "a 1 1 1 2 2\nb 1 1 1 2\n"
                                     << "comp4_det_test_car.txt:2: " + line;
        QTest::newRow("word for a number") << "comp4_det_test_car.txt"
                                           << "a high 1 1 2 2"
                                           << "comp4_det_test_car.txt:1: " + line;
        QTest::newRow("not finite") << "comp4_det_test_car.txt"
                                    << "a nan 1 1 2 2"
                                    << "comp4_det_test_car.txt:1: " + line;
        QTest::newRow("unknown class")
            << "comp4_det_test_dog.txt"
            << "a 1 1 1 2 2"
            << "There are no results of a class that the data has. VOC results are files like "
               "comp4_det_test_car.txt; the classes are car, cat, cable car.";
        QTest::newRow("half a class name") << "comp4_det_test_oscar.txt"
                                           << "a 1 1 1 2 2"
                                           << "There are no results of a class";
    }
    void saysWhatIsWrong() {
        QFETCH(QString, name);
        QFETCH(QString, text);
        QFETCH(QString, sentence);
        testing::ScratchFolder folder;
        write(folder / name.toStdString(), text.toStdString());
        for (const auto& given : {folder / name.toStdString(), folder.path()}) {
            const auto results = readVocResults(given, kClasses);
            QVERIFY(!results);
            QCOMPARE(exitCode(results.error().kind), 3);
            const auto said = QString::fromStdString(results.error().sentence());
            QVERIFY2(said.contains(sentence), qPrintable(said));
        }
    }

    void refusesWhatIsNoFileOrTwoFamilies() {
        testing::ScratchFolder folder;
        QCOMPARE(::mkfifo((folder / "comp4_det_test_car.txt").c_str(), 0600), 0);
        for (const auto& given : {folder / "comp4_det_test_car.txt", folder.path()}) {
            const auto results = readVocResults(given, kClasses);
            QVERIFY(!results);
            QCOMPARE(results.error().what, std::string("This is a pipe, not a file."));
        }
        write(folder / "comp3_det_test_cat.txt", "a 1 1 1 2 2");
        const auto results = readVocResults(folder.path(), kClasses);
        QVERIFY(!results);
        QVERIFY(results.error().what.find("comp3_det_test_…") != std::string::npos);
    }

    /// Expected: Padilla et al., review_object_detection_metrics, test case 1, at an overlap of 0.3 over all points.
    void scoresAsPublished() {
        NEED_SHARED_DATA(shared, "eval_reference");
        const auto world = shared / "voc_and_coco_padilla/tests/test_case_1";
        testing::ScratchFolder folder;
        VocEvaluation evaluation({"object"}, VocRule::AllPoints, 0.3);
        std::string text;
        std::vector<SampleInfo> images;
        for (int number = 1; number <= 7; ++number) {
            const auto name = QString("%1.txt").arg(number, 5, 10, QChar('0')).toStdString();
            SampleInfo info;
            info.id = name;
            info.imageId = number;
            std::ifstream truths(world / "gts" / name), found(world / "dets" / name);
            QVERIFY(truths && found);
            std::string word;
            for (float x, y, w, h; truths >> word >> x >> y >> w >> h;) {
                ObjectAnnotation object;
                object.box = {x, y, x + w + 1, y + h + 1};
                info.objects.push_back(object);
            }
            for (double score, x, y, w, h; found >> word >> score >> x >> y >> w >> h;) // in VOC's way: from 1
                text += QString("%1 %2 %3 %4 %5 %6\n")
                            .arg(number, 5, 10, QChar('0'))
                            .arg(score)
                            .arg(x + 1)
                            .arg(y + 1)
                            .arg(x + w + 1)
                            .arg(y + h + 1)
                            .toStdString();
            images.push_back(info);
        }
        write(folder / "comp4_det_test_object.txt", text);
        const auto results = readVocResults(folder / "comp4_det_test_object.txt", {"object"});
        VERIFY_RESULT(results);
        for (const auto& info : images)
            if (const auto own = results->find(info.id.substr(0, 5)); own != results->end())
                evaluation.add(info, own->second);
            else
                evaluation.add(info, {});
        QVERIFY(std::abs(evaluation.metrics()[0].second - 0.2456866804) < 1e-9);
    }
};

QTEST_GUILESS_MAIN(tst_VocResults)
#include "tst_VocResults.moc"
