#include "widgets/pictures/AnnotationPainter.h"
#include "widgets/pictures/PictureView.h"
#include "widgets/theme/Theme.h"

#include <QPainter>
#include <QtTest>

using namespace trainyard;

namespace {

ObjectAnnotation boxOf(float x1, float y1, float x2, float y2, int label = 0) {
    ObjectAnnotation object;
    object.label = label;
    object.box = {x1, y1, x2, y2};
    return object;
}

/// A grey picture of 20 x 10, drawn ten times as large with `layers`.
QImage drawn(const std::vector<ObjectAnnotation>& objects, const AnnotationLayers& layers) {
    QImage grey(20, 10, QImage::Format_RGB32);
    grey.fill(QColor(100, 100, 100));
    const AnnotatedPicture picture = annotated(grey, {}, objects, {});
    QImage canvas(200, 100, QImage::Format_RGB32);
    QPainter painter(&canvas);
    painter.drawImage(canvas.rect(), picture.image);
    paintAnnotations(painter, canvas.rect(), picture, {QStringLiteral("cat"), QStringLiteral("dog")}, layers);
    return canvas;
}

const QRgb kGrey = qRgb(100, 100, 100);

} // namespace

class tst_AnnotationPainter : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { theme::apply(theme::Choice::Light); }

    void drawsABoxWhereItStands() {
        const QImage picture = drawn({boxOf(5, 2, 15, 8)}, {true, false, false, false});
        QVERIFY(picture.pixel(50, 50) != kGrey);  // x = 5, ten times as large
        QVERIFY(picture.pixel(150, 50) != kGrey); // x = 15
        QVERIFY(picture.pixel(100, 20) != kGrey); // y = 2
        QCOMPARE(picture.pixel(100, 50), kGrey);  // within
        QCOMPARE(picture.pixel(30, 50), kGrey);   // beside
    }

    void everyLayerCanBeLeftOut() {
        ObjectAnnotation object = boxOf(5, 2, 15, 8);
        object.polygons = {{{5, 2}, {15, 2}, {15, 8}, {5, 8}}};
        object.keypoints = {{{10, 5}, 2}};
        const QImage nothing = drawn({object}, {false, false, false, false});
        QCOMPARE(nothing.pixel(50, 50), kGrey);
        QCOMPARE(nothing.pixel(100, 50), kGrey);
    }

    void fillsMasksAndPolygonsAlike() {
        ObjectAnnotation polygon = boxOf(5, 2, 15, 8);
        polygon.polygons = {{{5, 2}, {15, 2}, {15, 8}, {5, 8}}};
        ObjectAnnotation mask = boxOf(5, 2, 15, 8);
        RunLengthMask runs{20, 10, {52}}; // column by column: five columns and two rows before the first pixel
        for (int column = 0; column < 10; ++column) {
            runs.counts.push_back(6);
            runs.counts.push_back(column < 9 ? 4 : 52);
        }
        mask.mask = runs;
        const AnnotationLayers masks{false, true, false, false};
        const QColor colour = classColour(0);
        for (const auto& object : {polygon, mask}) {
            const QImage picture = drawn({object}, masks);
            const QColor inside(picture.pixel(100, 50));
            QVERIFY(std::abs(inside.red() - int(100 * 0.65 + colour.red() * 0.35)) <= 2);
            QVERIFY(std::abs(inside.blue() - int(100 * 0.65 + colour.blue() * 0.35)) <= 2);
            QCOMPARE(picture.pixel(30, 50), kGrey);
            QCOMPARE(picture.pixel(170, 50), kGrey);
        }
    }

    void leavesOutWhatIsNotLabelled() {
        ObjectAnnotation object = boxOf(0, 0, 0, 0);
        object.keypoints = {{{5, 5}, 0}, {{15, 5}, 2}};
        const QImage picture = drawn({object}, {false, false, true, false});
        QCOMPARE(picture.pixel(50, 50), kGrey);
        QCOMPARE(QColor(picture.pixel(150, 50)), classColour(0));
    }

    void aFaultWithoutAreaIsSeen() {
        QImage canvas(200, 100, QImage::Format_RGB32);
        canvas.fill(kGrey);
        QPainter painter(&canvas);
        paintFault(painter, canvas.rect(), QSizeF(20, 10), QRectF(10, 5, 0, 0), theme::lightPalette());
        painter.end();
        int changed = 0;
        for (int y = 0; y < canvas.height(); ++y)
            for (int x = 0; x < canvas.width(); ++x)
                changed += canvas.pixel(x, y) != kGrey;
        QVERIFY(changed > 50);
        QCOMPARE(canvas.pixel(20, 20), kGrey);
    }

    void zoomsAroundAPointAndBack() {
        PictureView view;
        view.resize(400, 300);
        QImage image(40, 30, QImage::Format_RGB32);
        image.fill(Qt::darkGreen);
        view.setPicture(annotated(image, {}, {}, {}), {});
        QTest::keyClick(&view, Qt::Key_Plus);
        QCOMPARE(view.magnification(), 1.25);
        for (int i = 0; i < 60; ++i)
            QTest::keyClick(&view, Qt::Key_Plus);
        QVERIFY(view.magnification() < 100); // there is an end
        QTest::keyClick(&view, Qt::Key_0);
        QCOMPARE(view.magnification(), 1.0);
        QTest::keyClick(&view, Qt::Key_Minus);
        QCOMPARE(view.magnification(), 1.0);
    }
};

QTEST_MAIN(tst_AnnotationPainter)
#include "tst_AnnotationPainter.moc"
