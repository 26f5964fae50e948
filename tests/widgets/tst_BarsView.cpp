#include "widgets/plots/BarsView.h"
#include "widgets/theme/Theme.h"

#include <QClipboard>
#include <QSignalSpy>
#include <QtTest>

using namespace trainyard;

class tst_BarsView : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { theme::apply(theme::Choice::Light); }

    void arrowsWalkTheBarsAndSayThem() {
        BarsView view(QStringLiteral("Classes"));
        view.setBars({{QStringLiteral("cat"), 3}, {QStringLiteral("dog"), 1}});
        QCOMPARE(view.accessibleName(), QStringLiteral("Classes"));
        QTest::keyClick(&view, Qt::Key_Right);
        QCOMPARE(view.accessibleDescription(), QStringLiteral("cat: 3 (75.0\u202f%)"));
        QTest::keyClick(&view, Qt::Key_End);
        QCOMPARE(view.accessibleDescription(), QStringLiteral("dog: 1 (25.0\u202f%)"));
        QTest::keyClick(&view, Qt::Key_Right);
        QCOMPARE(view.accessibleDescription(), QStringLiteral("dog: 1 (25.0\u202f%)"));
    }

    void copiesItselfAsATable() {
        BarsView view(QStringLiteral("Classes"));
        view.setBars({{QStringLiteral("cat"), 3}, {QStringLiteral("dog"), 1}});
        QTest::keyClick(&view, Qt::Key_C, Qt::ControlModifier);
        QCOMPARE(QApplication::clipboard()->text(), QStringLiteral("Classes\tCount\ncat\t3\ndog\t1\n"));
    }

    void tellsWhichBarWasMeant() {
        BarsView view(QStringLiteral("Classes"));
        view.setBars({{QStringLiteral("cat"), 3}, {QStringLiteral("dog"), 1}});
        QSignalSpy chosen(&view, &BarsView::chosen);
        QTest::keyClick(&view, Qt::Key_Right);
        QTest::keyClick(&view, Qt::Key_Return);
        QCOMPARE(chosen.size(), qsizetype(0)); // these bars stand for nothing
        view.setChoosable(true);
        QTest::keyClick(&view, Qt::Key_Right);
        QTest::keyClick(&view, Qt::Key_Return);
        QCOMPARE(chosen.size(), qsizetype(1));
        QCOMPARE(chosen[0][0].toInt(), 1);
    }

    void theHighestColumnFillsTheHeight() {
        BarsView view(QStringLiteral("Sizes"));
        view.setBars({{QStringLiteral("1 to 2"), 8}, {QStringLiteral("2 to 3"), 4}}, QStringLiteral("1"),
                     QStringLiteral("3"));
        view.resize(200, view.sizeHint().height());
        const QImage picture = view.grab().toImage();
        const QColor blue = theme::seriesColour(0, view.palette());
        const auto heightAt = [&](int x) {
            int rows = 0;
            for (int y = 0; y < picture.height(); ++y)
                rows += QColor(picture.pixel(x, y)) == blue;
            return rows;
        };
        QVERIFY(heightAt(50) > 20);
        QVERIFY(std::abs(heightAt(50) - 2 * heightAt(150)) <= 2);
    }
};

QTEST_MAIN(tst_BarsView)
#include "tst_BarsView.moc"
