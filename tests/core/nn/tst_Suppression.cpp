#include "core/nn/BoxVoting.h"
#include "core/nn/Nms.h"
#include "core/nn/SoftNms.h"
#include "core/nn/Threads.h"
#include "tests/core/models/Reference.h"

#include <numeric>

using namespace trainyard;
using namespace trainyard::testing;

namespace {

using Method = SoftNmsRules::Method;
using Scoring = BoxVotingRules::Scoring;

torch::Tensor randomBoxes(const std::string& name, std::int64_t count) {
    const auto u = noise(name, {count, 4}).to(torch::kFloat);
    const auto corner = 50 + 40 * u.slice(1, 0, 2);
    return torch::cat({corner, corner + 15 + 10 * u.slice(1, 2, 4)}, 1);
}

ScoredBoxes randomScored(const std::string& name, std::int64_t count) {
    return {randomBoxes(name, count), (noise(name + " scores", {count}) * 0.45 + 0.5).to(torch::kFloat),
            (noise(name + " labels", {count}) * 1.5 + 1.5).floor().to(torch::kLong)};
}

std::vector<std::int64_t> listOf(const torch::Tensor& rows) {
    return {rows.data_ptr<std::int64_t>(), rows.data_ptr<std::int64_t>() + rows.numel()};
}

/// Overlap as the convention has it: `border` is 1 where end pixels belong to the box.
double overlapOf(const torch::Tensor& a, const torch::Tensor& b, double border) {
    const auto at = [](const torch::Tensor& box, int i) { return double(box[i].item<float>()); };
    const auto area = [&](const torch::Tensor& box) {
        return (at(box, 2) - at(box, 0) + border) * (at(box, 3) - at(box, 1) + border);
    };
    const double width = std::min(at(a, 2), at(b, 2)) - std::max(at(a, 0), at(b, 0)) + border;
    const double height = std::min(at(a, 3), at(b, 3)) - std::max(at(a, 1), at(b, 1)) + border;
    const double shared = std::max(0.0, width) * std::max(0.0, height);
    return shared / (area(a) + area(b) - shared);
}

double borderOf(BoxConvention convention) {
    return convention == BoxConvention::Detectron ? 1 : 0;
}

/// Soft suppression word for word: take the best, make the others pay, drop what is below the floor.
std::vector<std::pair<std::int64_t, double>> bruteForceSoftNms(const ScoredBoxes& all, const SoftNmsRules& rules) {
    std::vector<double> scores;
    std::vector<std::int64_t> left;
    for (std::int64_t i = 0; i < all.scores.size(0); ++i) {
        scores.push_back(all.scores[i].item<float>());
        left.push_back(i);
    }
    std::vector<std::pair<std::int64_t, double>> kept;
    while (true) {
        std::erase_if(left, [&](std::int64_t i) { return scores[std::size_t(i)] < rules.leastScore; });
        if (left.empty())
            return kept;
        const auto best = *std::max_element(
            left.begin(), left.end(), [&](auto a, auto b) { return scores[std::size_t(a)] < scores[std::size_t(b)]; });
        kept.emplace_back(best, scores[std::size_t(best)]);
        std::erase(left, best);
        for (const auto i : left) {
            if (all.labels[i].item<std::int64_t>() != all.labels[best].item<std::int64_t>())
                continue;
            const double overlap = overlapOf(all.boxes[best], all.boxes[i], borderOf(rules.convention));
            if (rules.method == Method::Gaussian)
                scores[std::size_t(i)] *= std::exp(-overlap * overlap / rules.sigma);
            else if (overlap > rules.maxOverlap)
                scores[std::size_t(i)] *= rules.method == Method::Linear ? 1 - overlap : 0;
        }
    }
}

/// The scores and boxes of one box's voters.
struct Voters {
    std::vector<double> scores, overlaps;
    std::array<double, 4> box = {0, 0, 0, 0};
};
Voters votersOf(std::int64_t k, const ScoredBoxes& kept, const ScoredBoxes& all, const BoxVotingRules& rules) {
    Voters voters;
    double total = 0;
    for (std::int64_t i = 0; i < all.boxes.size(0); ++i) {
        const double overlap = overlapOf(kept.boxes[k], all.boxes[i], borderOf(rules.convention));
        if (overlap < rules.leastOverlap || kept.labels[k].item<std::int64_t>() != all.labels[i].item<std::int64_t>())
            continue;
        const double score = all.scores[i].item<float>();
        voters.scores.push_back(score);
        voters.overlaps.push_back(overlap);
        for (int c = 0; c < 4; ++c)
            voters.box[std::size_t(c)] += score * double(all.boxes[i][c].item<float>());
        total += score;
    }
    for (double& corner : voters.box)
        corner /= total;
    return voters;
}

/// The formulas of Detectron's box_voting, which works with log and exp where ours has powers.
double votedScore(const Voters& voters, double own, const BoxVotingRules& rules) {
    const double n = double(voters.scores.size()), beta = rules.beta;
    double sum = 0, weight = 0;
    for (std::size_t i = 0; i < voters.scores.size(); ++i) {
        const double s = voters.scores[i], most = std::max(s, 1 - s);
        const double right = std::exp(std::log(s / most) / beta), wrong = std::exp(std::log((1 - s) / most) / beta);
        sum += rules.scoring == Scoring::OverlapMean       ? voters.overlaps[i] * s
               : rules.scoring == Scoring::GeneralisedMean ? std::pow(s, beta)
               : rules.scoring == Scoring::TemperedMean    ? right / (right + wrong)
                                                           : s;
        weight += voters.overlaps[i];
    }
    switch (rules.scoring) {
    case Scoring::Unchanged:
        return own;
    case Scoring::OverlapMean:
        return sum / weight;
    case Scoring::GeneralisedMean:
        return std::pow(sum / n, 1 / beta);
    case Scoring::QuasiSum:
        return sum / std::pow(n, beta);
    default:
        return sum / n;
    }
}

} // namespace

class tst_Suppression : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { configureThreads(1); }

    void detectronCountsEndPixels() {
        // 10 × 10 pixels each, 5 columns shared: 50 / 150. As edges: 9 × 9, 4 × 9 shared: 36 / 126.
        const auto boxes = torch::tensor({0.F, 0.F, 9.F, 9.F, 5.F, 0.F, 14.F, 9.F}).reshape({2, 4});
        const auto iou = [&](BoxConvention c) { return pairwiseIou(boxes, boxes, c)[0][1].item<float>(); };
        QCOMPARE(iou(BoxConvention::Detectron), 50.F / 150);
        QCOMPARE(iou(BoxConvention::Torchvision), 36.F / 126);
    }

    void detectronSuppressesFromTheThresholdOn() {
        const auto boxes = torch::tensor({0.F, 0.F, 9.F, 9.F, 0.F, 0.F, 9.F, 4.F}).reshape({2, 4}); // overlap 1 / 2
        const auto edges = boxes + torch::tensor({0, 0, 1, 1});
        const auto scores = torch::tensor({0.9F, 0.8F});
        QCOMPARE(nms(boxes, scores, 0.5, BoxConvention::Detectron).size(0), std::int64_t(1));
        QCOMPARE(nms(boxes, scores, 0.501, BoxConvention::Detectron).size(0), std::int64_t(2));
        QCOMPARE(nms(edges, scores, 0.5).size(0), std::int64_t(2));
        QCOMPARE(nms(edges, scores, 0.499).size(0), std::int64_t(1));
    }

    void batchedNmsEqualsItsDefinition_data() {
        QTest::addColumn<int>("convention");
        QTest::newRow("torchvision") << int(BoxConvention::Torchvision);
        QTest::newRow("detectron") << int(BoxConvention::Detectron);
    }
    void batchedNmsEqualsItsDefinition() {
        QFETCH(int, convention);
        const auto all = randomScored("hard", 150);
        SoftNmsRules hard{Method::Hard, 0.4, 0.5, 1e-4, BoxConvention(convention)};
        std::vector<std::int64_t> expected;
        for (const auto& [row, score] : bruteForceSoftNms(all, hard))
            expected.push_back(row);
        QVERIFY(expected.size() > 10 && expected.size() < 140);
        QCOMPARE(listOf(batchedNms(all.boxes, all.scores, all.labels, 0.4, BoxConvention(convention))), expected);
        QCOMPARE(listOf(softNms(all.boxes, all.scores, all.labels, hard).rows), expected);
    }

    void softNmsEqualsItsDefinition_data() {
        QTest::addColumn<int>("method");
        QTest::addColumn<int>("convention");
        QTest::addColumn<double>("floor");
        QTest::newRow("linear") << int(Method::Linear) << int(BoxConvention::Torchvision) << 1e-4;
        QTest::newRow("linear, detectron") << int(Method::Linear) << int(BoxConvention::Detectron) << 1e-4;
        QTest::newRow("gaussian") << int(Method::Gaussian) << int(BoxConvention::Torchvision) << 1e-4;
        QTest::newRow("gaussian, high floor") << int(Method::Gaussian) << int(BoxConvention::Detectron) << 0.3;
    }
    void softNmsEqualsItsDefinition() {
        QFETCH(int, method);
        QFETCH(int, convention);
        QFETCH(double, floor);
        const auto all = randomScored("soft", 120);
        const SoftNmsRules rules{Method(method), 0.3, 0.5, floor, BoxConvention(convention)};
        const auto expected = bruteForceSoftNms(all, rules);
        const auto found = softNms(all.boxes, all.scores, all.labels, rules);
        QCOMPARE(found.rows.size(0), std::int64_t(expected.size()));
        for (std::int64_t i = 0; i < found.rows.size(0); ++i) {
            QCOMPARE(found.rows[i].item<std::int64_t>(), expected[std::size_t(i)].first);
            QVERIFY(relativeError(double(found.scores[i].item<float>()), expected[std::size_t(i)].second) < 1e-4);
        }
    }

    void votingEqualsItsFormulas_data() {
        QTest::addColumn<int>("scoring");
        QTest::addColumn<double>("beta");
        QTest::newRow("unchanged") << int(Scoring::Unchanged) << 1.0;
        QTest::newRow("mean") << int(Scoring::Mean) << 1.0;
        QTest::newRow("overlap") << int(Scoring::OverlapMean) << 1.0;
        QTest::newRow("generalised") << int(Scoring::GeneralisedMean) << 2.0;
        QTest::newRow("quasi-sum") << int(Scoring::QuasiSum) << 0.5;
        QTest::newRow("tempered") << int(Scoring::TemperedMean) << 1.5;
    }
    void votingEqualsItsFormulas() {
        QFETCH(int, scoring);
        QFETCH(double, beta);
        const auto all = randomScored("votes", 120);
        for (const auto convention : {BoxConvention::Torchvision, BoxConvention::Detectron}) {
            const BoxVotingRules rules{0.5, Scoring(scoring), beta, convention};
            const auto rows = batchedNms(all.boxes, all.scores, all.labels, 0.5, convention);
            const ScoredBoxes kept{all.boxes.index_select(0, rows), all.scores.index_select(0, rows),
                                   all.labels.index_select(0, rows)};
            const auto voted = voteBoxes(kept, all, rules);
            std::size_t most = 0;
            for (std::int64_t k = 0; k < rows.size(0); ++k) {
                const Voters voters = votersOf(k, kept, all, rules);
                most = std::max(most, voters.scores.size());
                for (int c = 0; c < 4; ++c)
                    QVERIFY(std::abs(double(voted.boxes[k][c].item<float>()) - voters.box[std::size_t(c)]) < 1e-4);
                const double own = kept.scores[k].item<float>();
                QVERIFY(std::abs(double(voted.scores[k].item<float>()) - votedScore(voters, own, rules)) < 1e-5);
            }
            QVERIFY(most > 2);
        }
    }

    void nothingGivesNothing() {
        const auto boxes = torch::zeros({0, 4}), scores = torch::zeros({0}), labels = torch::zeros({0}, torch::kLong);
        QCOMPARE(softNms(boxes, scores, labels, {}).rows.size(0), std::int64_t(0));
        QCOMPARE(voteBoxes({boxes, scores, labels}, {boxes, scores, labels}, {}).boxes.size(0), std::int64_t(0));
        const auto all = randomScored("votes", 5);
        QCOMPARE(voteBoxes({boxes, scores, labels}, all, {}).boxes.size(0), std::int64_t(0));
        QVERIFY(isEqual(voteBoxes(all, {boxes, scores, labels}, {}).boxes, all.boxes)); // nobody votes
    }

    /// D50: in both conventions the decoded targets are the ground truth.
    void offsetsAndBack_data() { batchedNmsEqualsItsDefinition_data(); }
    void offsetsAndBack() {
        QFETCH(int, convention);
        const auto boxes = randomBoxes("truth", 30), references = randomBoxes("references", 30);
        const BoxCoder coder{{10, 10, 5, 5}, 4.135166556742356, BoxConvention(convention)};
        QVERIFY(largestDifference(coder.decode(coder.encode(boxes, references), references), boxes) < 1e-4);
    }

    void detectronOffsetsByHand() {
        // Reference: 10 × 10 pixels around (5, 5); box: 20 × 5 pixels around (12, 3.5).
        const auto reference = torch::tensor({0.F, 0.F, 9.F, 9.F}).reshape({1, 4});
        const auto box = torch::tensor({2.F, 1.F, 21.F, 5.F}).reshape({1, 4});
        const BoxCoder coder{{10, 10, 5, 5}, 4.135166556742356, BoxConvention::Detectron};
        const auto expected = torch::tensor({7.F, -1.5F, 5 * std::log(2.F), 5 * std::log(0.5F)}).reshape({1, 4});
        QVERIFY(largestDifference(coder.encode(box, reference), expected) < 1e-6);
    }
};

QTEST_GUILESS_MAIN(tst_Suppression)
#include "tst_Suppression.moc"
