#include "app/workbench/monitor/SampleGallery.h"
#include "app/workbench/monitor/SampleStrip.h"
#include "app/workbench/monitor/SampleViewer.h"
#include "core/base/AtomicFile.h"
#include "tests/support/TestData.h"

#include <QPainter>
#include <QtTest>

using namespace trainyard;

namespace {

constexpr const char* kTwoWords = R"([
  {"image": "a.png", "transcript": "house", "objects": 0, "text": "house", "score": 0.93, "place": [12, 12, 112, 72]},
  {"image": "b.png", "transcript": "tree", "objects": 0, "text": "free", "score": 0.41, "place": [124, 12, 224, 72]},
  {"image": "c.png", "transcript": "off", "objects": 0, "text": "off", "score": 0.5, "place": [900, 12, 990, 72]}])";

void writeEvaluation(const std::filesystem::path& run, const char* iteration, const char* list) {
    const auto folder = run / "pictures";
    std::filesystem::create_directories(folder);
    QImage sheet(236, 84, QImage::Format_RGB32);
    sheet.fill(Qt::white);
    QPainter painter(&sheet);
    painter.fillRect(12, 12, 100, 60, Qt::red);
    painter.fillRect(124, 12, 100, 60, Qt::blue);
    painter.end();
    const std::string name = std::string("iteration-") + iteration;
    QVERIFY(sheet.save(QString::fromStdString((folder / (name + ".png")).string())));
    if (list)
        VERIFY_RESULT(writeFile(folder / (name + ".json"), list));
}

} // namespace

class tst_SamplePictures : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void readsWhatTheModelSaidOfEachSample() {
        testing::ScratchFolder run;
        writeEvaluation(run.path(), "00000250", kTwoWords);
        const auto pictures = readPictures(run.path(), 250);
        QVERIFY(pictures);
        QCOMPARE(pictures->samples.size(), std::size_t(2)); // one lies outside the sheet: the list is not of it
        QCOMPARE(pictures->samples[0].place, QRect(12, 12, 100, 60));
        QVERIFY(pictures->samples[0].isRight && !pictures->samples[1].isRight);
        QVERIFY(verdict(pictures->samples[1]).contains(QStringLiteral("tree")));
        QVERIFY(verdict(pictures->samples[1]).contains(QStringLiteral("free")));
    }

    void countsWhatADetectorFound() {
        testing::ScratchFolder run;
        writeEvaluation(run.path(), "00000010",
                        R"([{"image": "x", "transcript": "", "objects": 7, "place": [12, 12, 112, 72], "detections":
                            [{"label": "a", "score": 0.9, "box": [0, 0, 1, 1]},
                             {"label": "a", "score": 0.2, "box": [0, 0, 1, 1]}]}])");
        const auto pictures = readPictures(run.path(), 10);
        QVERIFY(pictures && pictures->samples.size() == 1);
        QCOMPARE(pictures->samples[0].truth, QStringLiteral("7"));
        QCOMPARE(pictures->samples[0].said, QStringLiteral("1"));
    }

    void aSheetWithoutAListIsOneSample() {
        testing::ScratchFolder run;
        writeEvaluation(run.path(), "00000010", nullptr);
        QCOMPARE(readPictures(run.path(), 10)->samples.size(), std::size_t(1));
        writeEvaluation(run.path(), "00000020", "[{\"place\": ");
        QCOMPARE(readPictures(run.path(), 20)->samples.size(), std::size_t(1));
        QVERIFY(!readPictures(run.path(), 30));
        QCOMPARE(pictureIterations(run.path()), (std::vector<std::int64_t>{10, 20}));
        QVERIFY(pictureIterations(run.path() / "none").empty());
    }

    void theGalleryFollowsTheNewest() {
        testing::ScratchFolder run;
        writeEvaluation(run.path(), "00000250", kTwoWords);
        SampleGallery gallery;
        gallery.setFolder(run.path());
        QTRY_VERIFY(gallery.pictures() && gallery.pictures()->iteration == 250);
        QVERIFY(!gallery.hasOlder() && !gallery.hasNewer());
        writeEvaluation(run.path(), "00000500", kTwoWords);
        VERIFY_RESULT(writeFile(run.path() / "pictures" / "iteration-00000750.png", "half a pict"));
        gallery.refresh();
        QTRY_COMPARE(gallery.pictures()->iteration, std::int64_t(500)); // the damaged one is passed over
        gallery.step(-1);
        QTRY_COMPARE(gallery.pictures()->iteration, std::int64_t(250));
        gallery.refresh();
        QTest::qWait(0);
        QTRY_COMPARE(gallery.pictures()->iteration, std::int64_t(250)); // it stays with what was asked for
        gallery.follow();
        QTRY_COMPARE(gallery.pictures()->iteration, std::int64_t(500));
        gallery.setFolder({});
        QVERIFY(!gallery.pictures());
    }

    void aClickOpensASample() {
        testing::ScratchFolder run;
        writeEvaluation(run.path(), "00000250", kTwoWords);
        SampleStrip strip;
        strip.resize(900, strip.sizeHint().height());
        strip.setPictures(std::make_shared<const SamplePictures>(*readPictures(run.path(), 250)));
        QSignalSpy opened(&strip, &SampleStrip::opened);
        QTest::mouseClick(&strip, Qt::LeftButton, {}, strip.placeOf(1).center());
        QCOMPARE(opened.count(), 1);
        QCOMPARE(opened[0][0].toInt(), 1);
        QTest::keyClick(&strip, Qt::Key_Left);
        QTest::keyClick(&strip, Qt::Key_Return);
        QCOMPARE(opened[1][0].toInt(), 0);
        const QImage drawn = strip.grab().toImage();
        const QPoint first = strip.placeOf(0).center() * drawn.devicePixelRatio();
        QCOMPARE(drawn.pixelColor(first), QColor(Qt::red));
    }

    void theViewerWalksSamplesAndEvaluations() {
        testing::ScratchFolder run;
        writeEvaluation(run.path(), "00000250", kTwoWords);
        SampleViewer viewer;
        viewer.resize(600, 400);
        viewer.setPictures(std::make_shared<const SamplePictures>(*readPictures(run.path(), 250)), true, false);
        viewer.showSample(0);
        QTest::keyClick(&viewer, Qt::Key_Right);
        QTest::keyClick(&viewer, Qt::Key_Right);
        QCOMPARE(viewer.sample(), 1);
        QSignalSpy asked(&viewer, &SampleViewer::evaluationAsked), closed(&viewer, &SampleViewer::closed);
        QTest::keyClick(&viewer, Qt::Key_Down); // there is none newer
        QTest::keyClick(&viewer, Qt::Key_Up);
        QCOMPARE(asked.count(), 1);
        QCOMPARE(asked[0][0].toInt(), -1);
        QTest::keyClick(&viewer, Qt::Key_Escape);
        QCOMPARE(closed.count(), 1);
    }
};

QTEST_MAIN(tst_SamplePictures)
#include "tst_SamplePictures.moc"
