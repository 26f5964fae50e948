#include "widgets/plots/SeriesPlot.h"

#include <QTemporaryDir>
#include <QtTest>

#include <cmath>
#include <optional>

using namespace trainyard;

namespace {

SeriesBucket point(std::int64_t iteration, double value) {
    return {iteration, iteration, value, value, value, 1, 0};
}

PlotData fallingLoss() {
    PlotCurve curve;
    curve.key = QStringLiteral("loss");
    curve.name = QStringLiteral("Loss");
    for (int at = 1; at <= 100; ++at)
        curve.buckets.push_back(point(at * 120, 2.0 / at));
    curve.lastValue = 0.02;
    curve.lastIteration = 12000;
    PlotData data;
    data.curves = {curve};
    return data;
}

} // namespace

class tst_SeriesPlot : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() {
        m_plot = std::make_unique<SeriesPlot>(QStringLiteral("Loss"), ValueStyle::Number);
        m_plot->resize(600, 300);
        m_plot->setRange(0, 12000);
    }

    void drawsEveryValueItIsGiven() {
        m_plot->setData(fallingLoss());
        const auto line = m_plot->drawn(QStringLiteral("loss"), false);
        QCOMPARE(line.size(), std::size_t(100));
        QCOMPARE(line.front(), QPointF(120, 2.0));
        QCOMPARE(line.back(), QPointF(12000, 0.02));
    }

    void drawsNoSmoothedLineUntilAsked() {
        m_plot->setData(fallingLoss());
        QVERIFY(m_plot->drawn(QStringLiteral("loss"), true).empty());
        m_plot->setSmoothing(0.9);
        QCOMPARE(m_plot->drawn(QStringLiteral("loss"), true).size(), std::size_t(100));
        QCOMPARE(m_plot->drawn(QStringLiteral("loss"), false).size(), std::size_t(100)); // the raw line stays
    }

    void marksWhatIsNotFinite() {
        PlotData data = fallingLoss();
        data.curves[0].buckets[10] = {1320, 1320, 0, 0, 0, 1, 1};
        m_plot->setData(data);
        QCOMPARE(m_plot->marks(QStringLiteral("non-finite")), 1);
        QVERIFY(std::isnan(m_plot->drawn(QStringLiteral("loss"), false)[10].y()));
    }

    void marksWhatALogScaleCannotShow() {
        PlotData data = fallingLoss();
        data.curves[0].buckets[3] = point(480, -1);
        m_plot->setData(data);
        QCOMPARE(m_plot->marks(QStringLiteral("non-positive")), 0);
        m_plot->setLogValues(true);
        QCOMPARE(m_plot->marks(QStringLiteral("non-positive")), 1);
        QVERIFY(std::isnan(m_plot->drawn(QStringLiteral("loss"), false)[3].y()));
        m_plot->setLogValues(false);
        QCOMPARE(m_plot->drawn(QStringLiteral("loss"), false)[3].y(), -1.0);
    }

    void marksEachResume() {
        PlotData data = fallingLoss();
        data.resumes = {4000, 9000};
        m_plot->setData(data);
        QCOMPARE(m_plot->marks(QStringLiteral("resume")), 2);
    }

    void saysItselfToAScreenReader() {
        QCOMPARE(m_plot->accessibleName(), QStringLiteral("Loss, no points yet"));
        m_plot->setData(fallingLoss());
        QCOMPARE(m_plot->accessibleName(), QStringLiteral("Loss 0.0200 at iteration 12\u202f000, falling"));
    }

    void arrowKeysWalkThePointsAndSayThem() {
        m_plot->setData(fallingLoss());
        std::vector<std::optional<double>> cursors;
        connect(m_plot.get(), &SeriesPlot::cursorMoved, this, [&](std::optional<double> at) {
            cursors.push_back(at);
            m_plot->setCursor(at);
        });
        QTest::keyClick(m_plot.get(), Qt::Key_Home);
        QTest::keyClick(m_plot.get(), Qt::Key_Right);
        QCOMPARE(cursors.size(), std::size_t(2));
        QCOMPARE(*cursors[0], 120.0);
        QCOMPARE(*cursors[1], 240.0);
        QCOMPARE(m_plot->accessibleDescription(), QStringLiteral("1.000 at iteration 240"));
        QTest::keyClick(m_plot.get(), Qt::Key_End);
        QCOMPARE(*cursors.back(), 12000.0);
        QTest::keyClick(m_plot.get(), Qt::Key_Right); // there is nothing beyond
        QCOMPARE(*cursors.back(), 12000.0);
    }

    void draggingChoosesAStretch() {
        m_plot->setData(fallingLoss());
        m_plot->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_plot.get()));
        QSignalSpy chosen(m_plot.get(), &SeriesPlot::rangeChosen);
        QWidget* canvas = m_plot->childAt(m_plot->rect().center());
        QVERIFY(canvas);
        const QPoint from(canvas->width() / 3, canvas->height() / 2), to(canvas->width() * 2 / 3, canvas->height() / 2);
        QTest::mousePress(canvas, Qt::LeftButton, {}, from);
        QTest::mouseMove(canvas, to);
        QTest::mouseRelease(canvas, Qt::LeftButton, {}, to);
        QCOMPARE(chosen.count(), 1);
        const double low = chosen[0][0].toDouble(), high = chosen[0][1].toDouble();
        QVERIFY(low > 1000 && low < high && high < 11000);
    }

    void exportsPictures() {
        QTemporaryDir folder;
        m_plot->setData(fallingLoss());
        QVERIFY(m_plot->exportSvg(folder.filePath(QStringLiteral("loss.svg"))));
        QVERIFY(m_plot->exportPng(folder.filePath(QStringLiteral("loss.png"))));
        QVERIFY(!QImage(folder.filePath(QStringLiteral("loss.png"))).isNull());
        QFile svg(folder.filePath(QStringLiteral("loss.svg")));
        QVERIFY(svg.open(QIODevice::ReadOnly));
        const QByteArray text = svg.readAll();
        QVERIFY(text.contains("<svg"));
        QVERIFY(text.contains("path") || text.contains("polyline"));
        QVERIFY(!m_plot->exportPng(folder.filePath(QStringLiteral("missing/loss.png"))));
    }

    void redrawsWhenCurvesComeAndGo() {
        PlotData two = fallingLoss();
        two.curves.push_back(two.curves[0]);
        two.curves[1].key = QStringLiteral("loss/box");
        two.curves[1].colour = 1;
        m_plot->setData(two);
        QCOMPARE(m_plot->drawn(QStringLiteral("loss/box"), false).size(), std::size_t(100));
        m_plot->setData(fallingLoss());
        QVERIFY(m_plot->drawn(QStringLiteral("loss/box"), false).empty());
        m_plot->setCursor(600); // tracers of the removed curve must be gone
        m_plot->setData({});
        m_plot->setCursor(600);
        QVERIFY(m_plot->drawn(QStringLiteral("loss"), false).empty());
    }

    void valuesAreZoomedByKeysAndFitAgain() {
        m_plot->setData(fallingLoss());
        const auto all = m_plot->values();
        m_plot->setFocus();
        QTest::keyClick(m_plot.get(), Qt::Key_Up, Qt::ShiftModifier);
        const auto half = m_plot->values();
        QVERIFY(std::abs((half.second - half.first) - (all.second - all.first) / 2) < 1e-9);
        m_plot->setData(fallingLoss()); // new points do not take the zoom away
        QCOMPARE(m_plot->values(), half);
        QTest::keyClick(m_plot.get(), Qt::Key_0);
        QCOMPARE(m_plot->values(), all);
    }

private:
    std::unique_ptr<SeriesPlot> m_plot;
};

QTEST_MAIN(tst_SeriesPlot)
#include "tst_SeriesPlot.moc"
