#include "core/models/detection/KeypointSuppression.h"
#include "tests/core/models/Reference.h"

using namespace trainyard;
using namespace trainyard::testing;

namespace {

/// An object of 100 by 100 pixels with `count` keypoints, all at one place.
Detection objectAt(float x, int label = 0, std::size_t count = 5) {
    Detection detection;
    detection.label = label;
    detection.box = {0, 0, 100, 100};
    detection.keypoints.assign(count, {{x, 30}, 2});
    return detection;
}

} // namespace

class tst_KeypointSuppression : public QObject {
    Q_OBJECT
private Q_SLOTS:
    /// By hand: five keypoints have the mean deviation of the human ones, 1.138 / 17; two objects d pixels apart are
    /// exp(-d² / (2 · 4 σ² · 10000)) alike, which is 0.3 where d is 20.776.
    void ofTwoThatAreAlikeTheClearerStays() {
        for (const float apart : {20.7F, 20.9F}) {
            std::vector<Detection> found = {objectAt(10), objectAt(10 + apart)};
            suppressAlikeKeypoints(found, {1, 2}, 0.3);
            QCOMPARE(found.size(), apart < 20.8F ? std::size_t(1) : std::size_t(2));
            QCOMPARE(found.back().keypoints[0].at.x, 10 + apart);
        }
    }

    /// Noses are told apart at a shorter distance than ankles: with one of 17 far off, 16 / 17 = 0.941 are alike.
    void personsHaveDeviationsOfTheirOwn() {
        for (const double most : {0.93, 0.95}) {
            std::vector<Detection> found = {objectAt(10, 0, 17), objectAt(10, 0, 17)};
            found[1].keypoints[0].at.x = 1000;
            suppressAlikeKeypoints(found, {2, 1}, most);
            QCOMPARE(found.size(), most < 0.94 ? std::size_t(1) : std::size_t(2));
        }
        for (const std::size_t place : {std::size_t(0), std::size_t(16)}) { // 26 and 89 thousandths of the size
            std::vector<Detection> found = {objectAt(10, 0, 17), objectAt(10, 0, 17)};
            found[1].keypoints[place].at.x = 16; // 0.51 and 0.94 alike
            suppressAlikeKeypoints(found, {2, 1}, 0.98);
            QCOMPARE(found.size(), place == 0 ? std::size_t(2) : std::size_t(1));
        }
    }

    void otherClassesAndNothingAskedForLeaveAll() {
        std::vector<Detection> found = {objectAt(10), objectAt(10, 1)};
        suppressAlikeKeypoints(found, {1, 2}, 0.3);
        QCOMPARE(found.size(), std::size_t(2));
        found[1].label = 0;
        suppressAlikeKeypoints(found, {1, 2}, 0);
        QCOMPARE(found.size(), std::size_t(2));
        found.clear();
        suppressAlikeKeypoints(found, {}, 0.3);
        QVERIFY(found.empty());
    }

    /// One that is gone suppresses nobody, and who is left keeps the order.
    void whatIsGoneSuppressesNobody() {
        std::vector<Detection> found = {objectAt(0), objectAt(15), objectAt(30)};
        suppressAlikeKeypoints(found, {3, 2, 1}, 0.3); // neighbours are alike, the outer two are not
        QCOMPARE(found.size(), std::size_t(2));
        QCOMPARE(found[0].keypoints[0].at.x, 0.F);
        QCOMPARE(found[1].keypoints[0].at.x, 30.F);
    }

    void clarityIsTheMeanLogit() {
        const auto places = torch::tensor({1.F, 2.F, 4.F, 3.F, 4.F, -1.F}).reshape({1, 2, 3});
        QCOMPARE(keypointClarity(places), (std::vector<double>{1.5}));
        QVERIFY(keypointClarity(torch::zeros({0, 2, 3})).empty());
    }
};

QTEST_GUILESS_MAIN(tst_KeypointSuppression)
#include "tst_KeypointSuppression.moc"
