#include "core/evaluate/Confusion.h"
#include "tests/support/TestData.h"

#include <nlohmann/json.hpp>

using namespace trainyard;

namespace {

using Counts = std::vector<std::vector<std::int64_t>>;

CocoTruth truth(int label, CocoBox box, bool isCrowd = false) {
    CocoTruth one;
    one.label = label;
    one.box = box;
    one.isCrowd = isCrowd;
    return one;
}

CocoFinding finding(int label, double score, CocoBox box) {
    CocoFinding one;
    one.label = label;
    one.score = score;
    one.box = box;
    return one;
}

} // namespace

class tst_Confusion : public QObject {
    Q_OBJECT
private Q_SLOTS:
    // By hand: a cat found as a cat, a dog taken for a cat, a dog missed, a dog seen in the air; one in a crowd and one
    // of too small a score do not count.
    void countsWhoWasTakenForWhom() {
        ConfusionCounter counter({"cat", "dog"});
        counter.add(
            {1,
             {truth(0, {0, 0, 10, 10}), truth(1, {20, 0, 10, 10}), truth(1, {40, 0, 10, 10}),
              truth(0, {60, 0, 40, 40}, true)},
             {finding(0, 0.9, {0, 0, 10, 10}), finding(0, 0.8, {20, 0, 10, 9}), finding(1, 0.7, {0, 50, 10, 10}),
              finding(1, 0.6, {70, 10, 5, 5}), finding(1, 0.1, {40, 0, 10, 10})}});
        QVERIFY(counter.matrix().counts == (Counts{{1, 0, 0}, {1, 0, 1}, {0, 1, 0}}));
    }

    // The overlap decides, not the score: the better-scored box covers the object less well.
    void theClosestPairComesFirst() {
        ConfusionCounter counter({"cat", "dog"});
        counter.add({1, {truth(0, {0, 0, 10, 10})}, {finding(1, 0.9, {0, 0, 10, 6}), finding(0, 0.5, {0, 0, 10, 10})}});
        QVERIFY(counter.matrix().counts == (Counts{{1, 0, 0}, {0, 0, 0}, {0, 1, 0}}));
    }

    void isWrittenBothWays() {
        ConfusionCounter counter({"cat, black"});
        counter.add({1, {truth(0, {0, 0, 10, 10})}, {}});
        QCOMPARE(confusionAsCsv(counter.matrix()),
                 std::string("truth,\"cat, black\",background\n\"cat, black\",0,1\nbackground,0,0\n"));
        const auto json = nlohmann::json::parse(confusionAsJson(counter.matrix()));
        QVERIFY(json["classes"] == (std::vector<std::string>{"cat, black", "background"}));
        QVERIFY(json["counts"] == (Counts{{0, 1}, {0, 0}}));
        QCOMPARE(json["iou"].get<double>(), 0.5);
    }
};

QTEST_GUILESS_MAIN(tst_Confusion)
#include "tst_Confusion.moc"
