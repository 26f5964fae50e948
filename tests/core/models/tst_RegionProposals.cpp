#include "core/models/detection/AnchorGrid.h"
#include "core/models/detection/Proposals.h"
#include "core/models/detection/RpnTargets.h"
#include "core/nn/Threads.h"
#include "tests/core/models/Reference.h"

#include <set>

using namespace trainyard;
using namespace trainyard::testing;

namespace {

constexpr std::int64_t kAll = 1000000;

torch::Tensor values(const std::string& name, torch::IntArrayRef sizes) {
    return noise(name, sizes).to(torch::kFloat);
}

/// The boxes of make_rpn_reference.py.
torch::Tensor referenceBoxes(const std::string& name, std::int64_t count) {
    const auto u = values(name, {count, 4});
    const auto corner = torch::tensor({45.F, 35.F}) + torch::tensor({40.F, 30.F}) * u.slice(1, 0, 2);
    return torch::cat({corner, corner + 17 + 12 * u.slice(1, 2, 4)}, 1);
}

ImageObjects objectsOf(const torch::Tensor& boxes, double height = 96, double width = 128) {
    return {boxes, torch::zeros({boxes.size(0)}, torch::kLong), torch::zeros({boxes.size(0)}, torch::kBool), height,
            width};
}

/// The network of make_rpn_reference.py and what it says.
struct Network {
    torch::Tensor anchors;
    RpnOutput output;

    Network() {
        const torch::NoGradGuard noGradients;
        RpnHead head(8, 3);
        fillLikeReference(head);
        std::vector<torch::Tensor> levels;
        for (int i = 0; i < 3; ++i)
            levels.push_back(values("rpn level " + std::to_string(i), {2, 8, 24 >> i, 32 >> i}));
        output = head.forward(levels);
        AnchorGrid grid(AnchorRules{{{8}, {16}, {32}}, {0.5, 1.0, 2.0}, BoxConvention::Torchvision, {}});
        anchors = grid.anchors({96, 128}, {{24, 32}, {12, 16}, {6, 8}}, torch::kCPU);
    }
};

void compareLosses(const Model::Losses& losses, const nlohmann::json& expected) {
    QCOMPARE(losses.size(), expected.size());
    for (const auto& [name, loss] : losses)
        QVERIFY2(relativeError(loss.item<double>(), expected[name].get<double>()) < 1e-5, name.c_str());
}

void compareProposals(const std::vector<ImageProposals>& found, const nlohmann::json& expected) {
    QCOMPARE(found.size(), expected.size());
    for (std::size_t i = 0; i < found.size(); ++i) {
        const auto boxes = tensorOf(expected[i], {-1, 4});
        QCOMPARE(found[i].boxes.size(0), boxes.size(0));
        QVERIFY(largestDifference(found[i].boxes, boxes) < 1e-3);
    }
}

using Corners = std::array<double, 4>;
Corners cornersOf(const torch::Tensor& box) {
    Corners corners;
    for (int c = 0; c < 4; ++c)
        corners[std::size_t(c)] = box[c].item<double>();
    return corners;
}

/// Overlap of boxes whose end pixels belong to them.
double overlapOf(const Corners& a, const Corners& b) {
    const auto area = [](const Corners& box) { return (box[2] - box[0] + 1) * (box[3] - box[1] + 1); };
    const double width = std::min(a[2], b[2]) - std::max(a[0], b[0]) + 1;
    const double height = std::min(a[3], b[3]) - std::max(a[1], b[1]) + 1;
    const double shared = std::max(0.0, width) * std::max(0.0, height);
    return shared / (area(a) + area(b) - shared);
}

/// Proposals of one image as Detectron's specification words them, one box at a time: (score, box), best first.
std::vector<std::pair<double, Corners>> bruteForceProposals(const Network& network, std::int64_t image,
                                                            const PictureSize& picture, const ProposalRules& rules) {
    std::vector<std::pair<double, Corners>> all;
    std::int64_t begin = 0;
    for (const std::int64_t rows : network.output.rowsALevel) {
        std::vector<std::pair<double, std::int64_t>> order;
        for (std::int64_t row = begin; row < begin + rows; ++row)
            order.emplace_back(-network.output.logits[image][row].item<double>(), row);
        std::sort(order.begin(), order.end());
        order.resize(std::min(order.size(), std::size_t(rules.candidatesALevel)));
        std::vector<std::pair<double, Corners>> kept;
        for (const auto& [logit, row] : order) {
            const Corners anchor = cornersOf(network.anchors[row]);
            const Corners offset = cornersOf(network.output.offsets[image][row]);
            const double width = anchor[2] - anchor[0] + 1, height = anchor[3] - anchor[1] + 1;
            const double x = anchor[0] + 0.5 * width + offset[0] * width;
            const double y = anchor[1] + 0.5 * height + offset[1] * height;
            const double w = std::exp(std::min(offset[2], std::log(1000.0 / 16))) * width;
            const double h = std::exp(std::min(offset[3], std::log(1000.0 / 16))) * height;
            const auto cut = [](double value, double side) { return std::clamp(value, 0.0, side - 1); };
            const Corners box = {cut(x - w / 2, picture.width), cut(y - h / 2, picture.height),
                                 cut(x + w / 2 - 1, picture.width), cut(y + h / 2 - 1, picture.height)};
            const double boxWidth = box[2] - box[0] + 1, boxHeight = box[3] - box[1] + 1;
            const double least = std::max(rules.leastSize, 1.0);
            if ((boxWidth - 1) / picture.scale + 1 < least || (boxHeight - 1) / picture.scale + 1 < least ||
                box[0] + boxWidth / 2 >= picture.width || box[1] + boxHeight / 2 >= picture.height)
                continue;
            if (std::none_of(kept.begin(), kept.end(), [&, box = box](const auto& other) {
                    return overlapOf(other.second, box) >= rules.nmsIou;
                }))
                kept.emplace_back(1 / (1 + std::exp(logit)), box);
        }
        kept.resize(std::min(kept.size(), std::size_t(rules.mostKept)));
        all.insert(all.end(), kept.begin(), kept.end());
        begin += rows;
    }
    std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
    all.resize(std::min(all.size(), std::size_t(rules.mostKept)));
    return all;
}

/// Detectron's anchors at stride 16, one level of 20 × 20 places.
torch::Tensor anchorsOf(const std::vector<double>& sizes) {
    AnchorGrid grid(AnchorRules{{sizes}, {0.5, 1, 2}, BoxConvention::Detectron, {16}});
    return grid.anchors({320, 320}, {{20, 20}}, torch::kCPU).clone();
}

} // namespace

class tst_RegionProposals : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { configureThreads(1); }

    /// D61: the list that every reimplementation of Faster R-CNN prints.
    void anchorsOfStride16() {
        const auto expected =
            torch::tensor({-84.F, -40.F, 99.F, 55.F, -176.F, -88.F,  191.F, 103.F, -360.F, -184.F, 375.F, 199.F,
                           -56.F, -56.F, 71.F, 71.F, -120.F, -120.F, 135.F, 135.F, -248.F, -248.F, 263.F, 263.F,
                           -36.F, -80.F, 51.F, 95.F, -80.F,  -168.F, 95.F,  183.F, -168.F, -344.F, 183.F, 359.F})
                .reshape({9, 4});
        const auto anchors = anchorsOf({128, 256, 512});
        QCOMPARE(anchors.size(0), std::int64_t(20 * 20 * 9));
        QVERIFY(isEqual(anchors.slice(0, 0, 9), expected));
        QVERIFY(isEqual(anchors.slice(0, 9, 18), expected + torch::tensor({16, 0, 16, 0})));
        QVERIFY(isEqual(anchors.slice(0, 180, 189), expected + torch::tensor({0, 16, 0, 16})));
    }

    /// D61 in torchvision's convention: both losses, with objects and without.
    void lossesEqualTorchvision() {
        const Network network;
        RpnRules rules;
        rules.anchorsAnImage = kAll;
        rules.foregroundShare = 1;
        Random random(1);
        const auto expected = reference("rpn.json")["rpn"];
        const std::vector<ImageObjects> images = {objectsOf(referenceBoxes("rpn objects 0", 3)),
                                                  objectsOf(referenceBoxes("rpn objects 1", 2))};
        const auto targets = rpnTargets(images, network.anchors, rules, random);
        compareLosses(rpnLosses(network.output, targets, rules), expected["losses"]);
        const auto alone = rpnTargets({images[0], objectsOf(torch::zeros({0, 4}))}, network.anchors, rules, random);
        compareLosses(rpnLosses(network.output, alone, rules), expected["losses_without_objects"]);
    }

    /// D61: 256 labels an image, at most half of them objects, inside the picture, labelled as the rules say.
    void detectronDraws256Anchors() {
        const auto anchors = anchorsOf({64, 128});
        RpnRules rules;
        rules.convention = BoxConvention::Detectron;
        const auto boxes = torch::tensor({30.F, 40.F, 200.F, 160.F, 150.F, 150.F, 290.F, 300.F}).reshape({2, 4});
        auto image = objectsOf(torch::cat({boxes, torch::tensor({{0.F, 0.F, 127.F, 127.F}})}), 310, 300);
        image.isCrowd[2] = true;
        Random random(3);
        const auto targets = rpnTargets({image, image}, anchors, rules, random);
        QCOMPARE(targets.rows.size(0), std::int64_t(512));
        std::set<std::int64_t> seen;
        std::vector<double> bestOfBox(2, 0);
        for (std::int64_t i = 0; i < anchors.size(0); ++i) {
            const Corners anchor = cornersOf(anchors[i]);
            if (anchor[0] >= 0 && anchor[1] >= 0 && anchor[2] < 300 && anchor[3] < 310)
                for (std::int64_t b = 0; b < 2; ++b)
                    bestOfBox[std::size_t(b)] =
                        std::max(bestOfBox[std::size_t(b)], overlapOf(anchor, cornersOf(boxes[b])));
        }
        std::int64_t objects = 0;
        for (std::int64_t i = 0; i < 512; ++i) {
            const auto row = targets.rows[i].item<std::int64_t>();
            QVERIFY(seen.insert(row).second); // without replacement
            QCOMPARE(row / anchors.size(0), i / 256);
            const Corners anchor = cornersOf(anchors[row % anchors.size(0)]);
            QVERIFY(anchor[0] >= 0 && anchor[1] >= 0 && anchor[2] < 300 && anchor[3] < 310);
            const double first = overlapOf(anchor, cornersOf(boxes[0])),
                         second = overlapOf(anchor, cornersOf(boxes[1]));
            const bool isObject = targets.isObject[i].item<float>() > 0;
            const bool isBest = std::abs(first - bestOfBox[0]) < 1e-6 || std::abs(second - bestOfBox[1]) < 1e-6;
            QCOMPARE(isObject, isBest || std::max(first, second) >= 0.7);
            QVERIFY(isObject || std::max(first, second) < 0.3);
            objects += isObject;
        }
        QVERIFY(objects >= 4 && objects <= 256);
        QCOMPARE(targets.positiveRows.size(0), objects);
    }

    void noMoreObjectsThanTheirShare() {
        const auto anchors = anchorsOf({64, 128});
        RpnRules rules;
        rules.convention = BoxConvention::Detectron;
        rules.anchorsAnImage = 6;
        rules.foregroundIou = 0.4;
        rules.straddle = -1; // all anchors
        const auto image = objectsOf(torch::tensor({{30.F, 40.F, 200.F, 160.F}}), 320, 320);
        Random random(3), same(3), other(4);
        const auto targets = rpnTargets({image}, anchors, rules, random);
        QCOMPARE(targets.positiveRows.size(0), std::int64_t(3));
        QCOMPARE(targets.rows.size(0), std::int64_t(6));
        QVERIFY(isEqual(rpnTargets({image}, anchors, rules, same).rows, targets.rows));
        QVERIFY(!isEqual(rpnTargets({image}, anchors, rules, other).rows, targets.rows));
        const BoxCoder coder{{1, 1, 1, 1}, BoxCoder{}.largestLogSize, BoxConvention::Detectron};
        const auto decoded = coder.decode(targets.offsets, anchors.index_select(0, targets.positiveRows));
        QVERIFY(largestDifference(decoded, image.boxes.expand({3, 4})) < 1e-3);
    }

    /// D61: loss numbers on a fixed case, by hand. Logits 0 cost ln 2 each; offsets are off by 1 in one coordinate
    /// (1 - 1/18) and by 0.1 in another (0.1² · 9 / 2).
    void detectronLossesByHand() {
        RpnTargets targets;
        targets.rows = torch::tensor({0, 4, 2, 8, 9}, torch::kLong); // of 2 × 6 anchors: 3 of the first image
        targets.isObject = torch::tensor({1.F, 1.F, 0.F, 1.F, 0.F});
        targets.positiveRows = torch::tensor({0, 4, 8}, torch::kLong);
        targets.positiveWeights = torch::tensor({1.F / 3, 1.F / 3, 1.F / 2});
        targets.offsets = torch::tensor({1.F, 0.F, 0.F, 0.F, 0.F, 0.1F, 0.F, 0.F, 0.F, 0.F, 0.F, -1.F}).reshape({3, 4});
        RpnRules rules;
        rules.convention = BoxConvention::Detectron;
        rules.anchorsAnImage = 10;
        const double ln2 = std::log(2.0), far = 1 - 1.0 / 18, near = 0.01 * 9 / 2;
        RpnOutput output{torch::zeros({2, 6}), torch::zeros({2, 6, 4}), {6}};
        const auto single = rpnLosses(output, targets, rules);
        QCOMPARE(single[0].first, std::string("loss_rpn_cls"));
        QVERIFY(relativeError(single[0].second.item<double>(), ln2) < 1e-6);
        QCOMPARE(single[1].first, std::string("loss_rpn_bbox"));
        QVERIFY(relativeError(single[1].second.item<double>(), (far / 3 + near / 3 + far / 2) / 2) < 1e-6);
        output.rowsALevel = {4, 2}; // anchors 4 and 5 of an image are the second level's
        const auto levels = rpnLosses(output, targets, rules, 3);
        const std::vector<std::pair<std::string, double>> expected = {{"loss_rpn_cls_fpn3", 4 * ln2 / 20},
                                                                      {"loss_rpn_bbox_fpn3", (far / 3 + far / 2) / 2},
                                                                      {"loss_rpn_cls_fpn4", ln2 / 20},
                                                                      {"loss_rpn_bbox_fpn4", near / 3 / 2}};
        QCOMPARE(levels.size(), expected.size());
        for (std::size_t i = 0; i < expected.size(); ++i) {
            QCOMPARE(levels[i].first, expected[i].first);
            QVERIFY(relativeError(levels[i].second.item<double>(), expected[i].second) < 1e-5);
        }
    }

    /// D62 in torchvision's convention.
    void proposalsEqualTorchvision() {
        const Network network;
        const auto expected = reference("rpn.json")["rpn"];
        const std::vector<PictureSize> pictures = {{90, 120, 1}, {96, 128, 1}};
        const ProposalRules training{BoxConvention::Torchvision, 200, 90, 0.6, 1e-3, false};
        const ProposalRules testing{BoxConvention::Torchvision, 60, 25, 0.6, 1e-3, false};
        compareProposals(proposalsOf(network.output, network.anchors, pictures, training), expected["training"]);
        compareProposals(proposalsOf(network.output, network.anchors, pictures, testing), expected["testing"]);
    }

    /// D62: Detectron's, against one box at a time.
    void proposalsEqualTheirDefinition() {
        const Network network;
        const std::vector<PictureSize> pictures = {{90, 120, 1.5}, {96, 128, 0.8}};
        const ProposalRules rules{BoxConvention::Detectron, 150, 40, 0.6, 4, false};
        const auto found = proposalsOf(network.output, network.anchors, pictures, rules);
        for (std::size_t i = 0; i < 2; ++i) {
            const auto expected = bruteForceProposals(network, std::int64_t(i), pictures[i], rules);
            QCOMPARE(found[i].boxes.size(0), std::int64_t(expected.size()));
            for (std::size_t k = 0; k < expected.size(); ++k) {
                QVERIFY(std::abs(found[i].scores[std::int64_t(k)].item<double>() - expected[k].first) < 1e-6);
                const Corners box = cornersOf(found[i].boxes[std::int64_t(k)]);
                for (std::size_t c = 0; c < 4; ++c)
                    QVERIFY(std::abs(box[c] - expected[k].second[c]) < 1e-3);
            }
        }
    }

    /// D62: what is kept is shared by the images of a minibatch.
    void theBatchSharesWhatIsKept() {
        const Network network;
        const std::vector<PictureSize> pictures = {{90, 120, 1}, {96, 128, 1}};
        ProposalRules rules{BoxConvention::Detectron, 150, 50, 0.6, 1, false};
        const auto each = proposalsOf(network.output, network.anchors, pictures, rules);
        rules.isSharedByBatch = true;
        const auto shared = proposalsOf(network.output, network.anchors, pictures, rules);
        QCOMPARE(each[0].scores.size(0) + each[1].scores.size(0), std::int64_t(100));
        QCOMPARE(shared[0].scores.size(0) + shared[1].scores.size(0), std::int64_t(50));
        const auto best = std::get<0>(torch::cat({each[0].scores, each[1].scores}).sort(0, true)).slice(0, 0, 50);
        const auto kept = std::get<0>(torch::cat({shared[0].scores, shared[1].scores}).sort(0, true));
        QVERIFY(isEqual(best, kept));
    }

    void whatIsNotFiniteIsNoProposal() {
        const Network network;
        RpnOutput broken = network.output;
        broken.logits = torch::full_like(broken.logits, std::nan(""));
        for (const auto convention : {BoxConvention::Torchvision, BoxConvention::Detectron}) {
            const ProposalRules rules{convention, 150, 50, 0.6, 1, convention == BoxConvention::Detectron};
            const auto found = proposalsOf(broken, network.anchors, {{96, 128, 1}, {96, 128, 1}}, rules);
            QCOMPARE(found[0].boxes.size(0) + found[1].boxes.size(0), std::int64_t(0));
        }
    }
};

QTEST_GUILESS_MAIN(tst_RegionProposals)
#include "tst_RegionProposals.moc"
