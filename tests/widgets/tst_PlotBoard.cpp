#include "widgets/plots/PlotBoard.h"
#include "widgets/plots/SeriesPlot.h"

#include <QAction>
#include <QApplication>
#include <QMenu>
#include <QMouseEvent>
#include <QtTest>

using namespace trainyard;

class tst_PlotBoard : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void init() {
        m_board = std::make_unique<PlotBoard>();
        m_board->resize(1200, 700);
        for (const char* title : {"Loss", "Rate", "Norm"})
            m_board->addPlot(new SeriesPlot(QLatin1String(title), ValueStyle::Number));
        m_board->setExtent(0, 1000);
        m_board->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_board.get()));
    }

    void showsEverythingAtFirstAndFollows() {
        QCOMPARE(m_board->to(), 1000.0);
        m_board->setExtent(0, 2000);
        QCOMPARE(m_board->from(), 0.0);
        QCOMPARE(m_board->to(), 2000.0);
    }

    void aStretchInTheMiddleStaysWhereItIs() {
        Q_EMIT m_board->plots()[1]->rangeChosen(200, 400);
        m_board->setExtent(0, 5000);
        QCOMPARE(m_board->from(), 200.0);
        QCOMPARE(m_board->to(), 400.0);
        QVERIFY(!m_board->view().followsEnd);
    }

    void aStretchThatTouchesTheEndMovesWithIt() {
        Q_EMIT m_board->plots()[0]->rangeChosen(700, 1005);
        QVERIFY(m_board->view().followsEnd);
        m_board->setExtent(0, 1500);
        QCOMPARE(m_board->to(), 1500.0);
        QCOMPARE(m_board->to() - m_board->from(), 305.0);
    }

    void zoomingOutFarEnoughShowsEverything() {
        Q_EMIT m_board->plots()[0]->rangeChosen(200, 400);
        m_board->zoom(100);
        QVERIFY(m_board->view().isAll);
    }

    void neverZoomsToNothing() {
        Q_EMIT m_board->plots()[0]->rangeChosen(300, 300.0001);
        QVERIFY(m_board->to() - m_board->from() >= 1);
    }

    void neverShowsNegativeIterations() {
        Q_EMIT m_board->plots()[0]->rangeChosen(-300, 200);
        QCOMPARE(m_board->from(), 0.0);
        QCOMPARE(m_board->to(), 500.0);
    }

    void escapeGoesBackStepByStep() {
        SeriesPlot* plot = m_board->plots()[0];
        Q_EMIT plot->rangeChosen(200, 400);
        Q_EMIT plot->enlargeAsked();
        QCOMPARE(m_board->enlarged(), plot);
        QVERIFY(!m_board->plots()[1]->isVisible());
        QTest::keyClick(m_board.get(), Qt::Key_Escape);
        QVERIFY(!m_board->enlarged());
        QVERIFY(m_board->plots()[1]->isVisible());
        QVERIFY(!m_board->view().isAll);
        QTest::keyClick(m_board.get(), Qt::Key_Escape);
        QVERIFY(m_board->view().isAll);
    }

    void tellsOnceWhenTheViewChanged() {
        QSignalSpy changes(m_board.get(), &PlotBoard::viewChanged);
        Q_EMIT m_board->plots()[0]->rangeChosen(200, 400);
        QCOMPARE(changes.count(), 1);
        m_board->setView(m_board->view());
        QCOMPARE(changes.count(), 1);
    }

    void aLogScaleOfIterationsBeginsAtOne() {
        m_board->setLogIterations(true);
        QCOMPARE(m_board->from(), 1.0);
    }

    void hidesAPlotWithoutAPlaceForIt() {
        m_board->setPlotVisible(m_board->plots()[2], false);
        QVERIFY(!m_board->plots()[2]->isVisible());
        m_board->setPlotVisible(m_board->plots()[2], true);
        QVERIFY(m_board->plots()[2]->isVisible());
    }

    void aPlotIsDraggedByItsHead() {
        QSignalSpy changes(m_board.get(), &PlotBoard::arrangementChanged);
        SeriesPlot *loss = m_board->plots()[0], *norm = m_board->plots()[2];
        const QRect last = norm->geometry();
        const QPoint head(loss->width() / 2, 4);
        const QPoint target = norm->mapTo(loss->window(), norm->rect().center());
        drag(loss, head, loss->mapFrom(loss->window(), target));
        QCOMPARE(changes.count(), 1);
        QCOMPARE(m_board->arrangement().items().back().key, QStringLiteral("Loss"));
        QCoreApplication::sendPostedEvents();
        QTRY_COMPARE(loss->geometry().topLeft(), last.topLeft());
        QVERIFY(m_board->view().isAll); // dragging a head is no zoom
        m_board->resetArrangement();
        QVERIFY(!m_board->arrangement().isChanged());
    }

    void keysMoveAndSizeAPlot() {
        SeriesPlot* loss = m_board->plots()[0];
        loss->setFocus();
        QTest::keyClick(loss, Qt::Key_Right, Qt::AltModifier);
        QCOMPARE(m_board->arrangement().items()[1].key, QStringLiteral("Loss"));
        QTest::keyClick(loss, Qt::Key_Right, Qt::AltModifier | Qt::ShiftModifier);
        QTest::keyClick(loss, Qt::Key_Down, Qt::AltModifier | Qt::ShiftModifier);
        QCOMPARE(m_board->arrangement().items()[1], (PlotArrangement::Item{QStringLiteral("Loss"), 2, 2}));
        QTRY_VERIFY(loss->width() > m_board->width() / 2 + 100);
        PlotBoard other;
        for (const char* title : {"Loss", "Rate", "Norm"})
            other.addPlot(new SeriesPlot(QLatin1String(title), ValueStyle::Number));
        other.setArrangement(m_board->arrangement().toJson());
        QCOMPARE(other.arrangement().items(), m_board->arrangement().items());
    }

    void keysZoomAndMoveTheRange() {
        SeriesPlot* plot = m_board->plots()[1];
        plot->setFocus();
        QTest::keyClick(plot, Qt::Key_Plus);
        QCOMPARE(m_board->from(), 500.0); // the newest half
        QTest::keyClick(plot, Qt::Key_Left, Qt::ShiftModifier);
        QCOMPARE(m_board->from(), 375.0);
        QCOMPARE(m_board->to(), 875.0);
        QTest::keyClick(plot, Qt::Key_Minus);
        QCOMPARE(m_board->to() - m_board->from(), 1000.0);
        QTest::keyClick(plot, Qt::Key_0);
        QVERIFY(m_board->view().isAll);
    }

    void aSinglePlotIsNotArranged() {
        PlotBoard board;
        auto* plot = new SeriesPlot(QStringLiteral("Loss"), ValueStyle::Number);
        board.addPlot(plot);
        for (const QAction* action : plot->menu()->actions())
            QVERIFY(!action->isVisible() || action->text() != QStringLiteral("Move Later"));
    }

private:
    static void drag(QWidget* widget, const QPoint& from, const QPoint& to) {
        QTest::mousePress(widget, Qt::LeftButton, {}, from);
        for (const double share : {0.3, 0.7, 1.0}) { // QTest::mouseMove holds no button
            const QPointF at = QPointF(from) + share * QPointF(to - from);
            QMouseEvent move(QEvent::MouseMove, at, widget->mapToGlobal(at), Qt::NoButton, Qt::LeftButton, {});
            QApplication::sendEvent(widget, &move);
        }
        QTest::mouseRelease(widget, Qt::LeftButton, {}, to);
    }

    std::unique_ptr<PlotBoard> m_board;
};

QTEST_MAIN(tst_PlotBoard)
#include "tst_PlotBoard.moc"
