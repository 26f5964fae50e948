#include "app/engine/DetectionOutputs.h"
#include "app/engine/DetectionScorer.h"
#include "tests/support/TestData.h"

#include "app/engine/Task.h"

#include <nlohmann/json.hpp>

#include <algorithm>

using namespace trainyard;

namespace {

constexpr Box kBox{0, 0, 20, 20};

/// A solid square of 20 pixels in the corner of an image of 40 by 40.
RunLengthMask square() {
    RunLengthMask mask{40, 40, {0}};
    for (int x = 0; x < 20; ++x)
        mask.counts.insert(mask.counts.end(), {20, 20});
    mask.counts.back() += 20 * 40;
    return mask;
}

SampleInfo truth() {
    SampleInfo info;
    info.imageId = 7;
    info.width = info.height = 40;
    ObjectAnnotation object;
    object.box = kBox;
    object.area = 400;
    object.mask = square();
    object.keypoints = {{{5, 5}, 2}, {{10, 10}, 2}};
    info.objects = {object};
    return info;
}

Prediction prediction() {
    Detection found;
    found.score = 0.75F;
    found.box = kBox;
    found.mask = square();
    found.keypoints = {{{5, 5}, 2}, {{10, 10}, 2}};
    Prediction all;
    all.detections = {found};
    return all;
}

double metric(const Metrics& metrics, const std::string& name) {
    const auto at = std::find_if(metrics.begin(), metrics.end(), [&](const auto& one) { return one.first == name; });
    return at == metrics.end() ? -99 : at->second;
}

} // namespace

class tst_DetectionScorer : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void scoresEachKindOfResult() {
        DetectionScorer scorer({"cat"}, {4}, {CocoType::Boxes, CocoType::Masks, CocoType::Keypoints},
                               VocRule::ElevenPoints);
        scorer.add(truth(), prediction());
        for (const char* name : {"bbox/AP", "segm/AP", "voc/AP50"})
            QVERIFY2(std::abs(metric(scorer.metrics(), name) - 1) < 1e-12, name);
        QVERIFY(std::abs(metric(scorer.metrics(), "keypoints/AP") - 1) < 1e-12);
        QCOMPARE(scorer.metrics().size(), std::size_t(12 + 12 + 10 + 1));
        QCOMPARE(scorer.classScores().size(), std::size_t(4));
        QCOMPARE(scorer.curves().size(), std::size_t(10 + 10 + 10 + 1));
        QVERIFY(scorer.confusion()->counts[0][0] == 1);
    }

    void writesAFileForEachKind() {
        DetectionScorer scorer({"cat"}, {4}, {CocoType::Boxes, CocoType::Masks, CocoType::Keypoints}, {});
        scorer.add(truth(), prediction());
        const auto files = scorer.results();
        QCOMPARE(files.size(), std::size_t(3));
        const std::vector<const char*> keys = {"bbox", "segmentation", "keypoints"};
        for (std::size_t i = 0; i < files.size(); ++i) {
            const auto entry = nlohmann::json::parse(files[i].text).at(0);
            QCOMPARE(entry.at("category_id").get<int>(), 4);
            QCOMPARE(entry.at("image_id").get<int>(), 7);
            QCOMPARE(entry.size(), std::size_t(4)); // nothing else that a tool could take the size from
            QVERIFY(entry.contains(keys[i]));
        }
        QCOMPARE(files[1].type, std::string("segm"));
    }

    void whatHasNoMaskIsNoResultOfMasks() {
        DetectionScorer scorer({"cat"}, {4}, {CocoType::Boxes, CocoType::Masks}, {});
        Prediction bare = prediction();
        bare.detections[0].mask.reset();
        scorer.add(truth(), bare);
        QCOMPARE(nlohmann::json::parse(scorer.results()[1].text).size(), std::size_t(0));
        QCOMPARE(metric(scorer.metrics(), "segm/AP"), 0.0);
    }

    void proposalsAreScoredByWhatTheyCover() {
        RunConfig config;
        config.model.type = "rpn";
        const auto task = Task::make(config, {"cat"});
        QCOMPARE(task->mainMetric(), std::string("proposals/AR1000"));
        ProposalScorer scorer;
        scorer.add(truth(), prediction());
        QCOMPARE(metric(scorer.metrics(), "proposals/AR1000"), 1.0);
        QCOMPARE(scorer.results()[0].type, std::string("proposals"));
        const auto entry = nlohmann::json::parse(scorer.results()[0].text).at(0);
        QVERIFY(entry == nlohmann::json::parse(R"({"image_id": 7, "bbox": [0, 0, 20, 20], "score": 0.75})"));
    }

    void theModelDecidesWhatIsScored() {
        RunConfig config;
        config.model.type = "mask_rcnn";
        const auto names = Task::make(config, {"cat"})->metricNames();
        QVERIFY(std::find(names.begin(), names.end(), "segm/AP") != names.end());
        QVERIFY(std::find(names.begin(), names.end(), "keypoints/AP") == names.end());
        config.model.type = "keypoint_rcnn";
        QCOMPARE(outputsOf(config).types.size(), std::size_t(2));
        QVERIFY(outputsOf(config).types[1] == CocoType::Keypoints);
    }
};

QTEST_GUILESS_MAIN(tst_DetectionScorer)
#include "tst_DetectionScorer.moc"
