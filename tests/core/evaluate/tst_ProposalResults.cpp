#include "core/base/AtomicFile.h"
#include "core/evaluate/ProposalResults.h"
#include "tests/support/TestData.h"

#include <nlohmann/json.hpp>

using namespace trainyard;

namespace {

Detection proposal(float score, Box box) {
    Detection found;
    found.score = score;
    found.box = box;
    return found;
}

} // namespace

class tst_ProposalResults : public QObject {
    Q_OBJECT
private Q_SLOTS:
    // Expected: pycocotools without classes, stored with tests/data/evaluate/make_proposals_reference.py.
    void recallAgreesWithTheCocoApi() {
        const auto score = scoreProposals(testing::testData("evaluate/proposals_results.json"),
                                          testing::testData("evaluate/bbox_truth.json"));
        VERIFY_RESULT(score);
        QCOMPARE(score->images, std::int64_t(5));
        QCOMPARE(score->proposals, std::int64_t(575));
        const auto text = readFile(testing::testData("evaluate/proposals_expected.json"));
        VERIFY_RESULT(text);
        const auto expected = nlohmann::json::parse(*text).get<std::vector<double>>();
        const std::vector<std::string> names = {"AR100",  "ARs100",  "ARm100",  "ARl100",
                                                "AR1000", "ARs1000", "ARm1000", "ARl1000"};
        QCOMPARE(score->metrics.size(), names.size());
        for (std::size_t i = 0; i < names.size(); ++i) {
            QCOMPARE(score->metrics[i].first, "proposals/" + names[i]);
            QVERIFY2(std::abs(score->metrics[i].second - expected[i]) < 1e-12, names[i].c_str());
        }
    }

    // By hand: two objects of which one is covered exactly by the 101st proposal, the other never.
    void onlyTheBestCount() {
        SampleInfo image;
        for (const Box& box : {Box{0, 0, 50, 50}, Box{100, 100, 150, 150}}) {
            auto& object = image.objects.emplace_back();
            object.box = box;
            object.label = int(image.objects.size()); // classes are no matter
        }
        std::vector<Detection> proposals(100, proposal(0.9f, {60, 0, 90, 30}));
        proposals.push_back(proposal(0.1f, {0, 0, 50, 50}));
        ProposalRecall recall;
        recall.add(image, proposals);
        QCOMPARE(recall.metrics()[0].second, 0.0);
        QCOMPARE(recall.metrics()[4].second, 0.5);
        QVERIFY(!isMeasured(recall.metrics()[1].second)); // there is no small object
    }

    void writesTheBestFirst() {
        const auto text = proposalResults({{7, {proposal(0.1f, {1, 2, 4, 6}), proposal(0.75f, {0, 0, 10, 5})}}});
        QCOMPARE(text, std::string("[\n{\"image_id\":7,\"bbox\":[0.0,0.0,10.0,5.0],\"score\":0.75},\n"
                                   "{\"image_id\":7,\"bbox\":[1.0,2.0,3.0,4.0],\"score\":0.1}\n]\n"));
    }

    void whatIsWrittenIsRead() {
        testing::ScratchFolder folder;
        VERIFY_RESULT(writeFile(folder / "truth.json",
                                R"({"images": [{"id": 7}], "categories": [{"id": 1}], "annotations": [)"
                                R"({"image_id": 7, "category_id": 1, "bbox": [1, 2, 3, 4], "area": 12}]})"));
        VERIFY_RESULT(writeFile(folder / "found.json", proposalResults({{7, {proposal(0.5f, {1, 2, 4, 6})}}})));
        const auto score = scoreProposals(folder / "found.json", folder / "truth.json");
        VERIFY_RESULT(score);
        QCOMPARE(score->metrics[0].second, 1.0);
        VERIFY_RESULT(writeFile(folder / "bad.json", "[{\"image_id\": 7, \"bbox\": [1, 2, 3, 4]}]"));
        const auto bad = scoreProposals(folder / "bad.json", folder / "truth.json");
        QVERIFY(!bad);
        QVERIFY2(bad.error().sentence().find("Result 0: it has no score.") != std::string::npos,
                 bad.error().sentence().c_str());
    }
};

QTEST_GUILESS_MAIN(tst_ProposalResults)
#include "tst_ProposalResults.moc"
