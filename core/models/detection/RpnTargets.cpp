#include "core/models/detection/RpnTargets.h"

#include "core/models/detection/AnchorMatcher.h"
#include "core/models/detection/BalancedSample.h"
#include "core/nn/RegressionLoss.h"

#include <ATen/ATen.h>

#include <algorithm>

namespace trainyard {
namespace {

constexpr double kBeta = 1.0 / 9;   // where the box loss turns from square to straight
constexpr double kNoRegionInCrowd = 2; // more than there is

/// Rows of the anchors that may be drawn for a picture of this size.
at::Tensor usableRows(const at::Tensor& anchors, const ImageObjects& image, const RpnRules& rules) {
    if (rules.convention == BoxConvention::Torchvision || rules.straddle < 0)
        return at::arange(anchors.size(0), at::kLong);
    const auto side = [&](std::int64_t i) { return anchors.select(1, i); };
    return at::nonzero((side(0) >= -rules.straddle)
                           .logical_and(side(1) >= -rules.straddle)
                           .logical_and(side(2) < image.width + rules.straddle)
                           .logical_and(side(3) < image.height + rules.straddle))
        .squeeze(1);
}

/// A box of the image for each anchor, or AnchorMatcher's kBelow and kBetween.
std::vector<std::int64_t> matched(const at::Tensor& anchors, const ImageObjects& image, const RpnRules& rules) {
    const bool isDetectron = rules.convention == BoxConvention::Detectron;
    AnchorMatcher matcher(toEdges(anchors, rules.convention),
                          {rules.foregroundIou, rules.backgroundIou, isDetectron ? kNoRegionInCrowd : 0.5});
    const at::Tensor boxes = toEdges(image.boxes, rules.convention).contiguous(), crowd = image.isCrowd.contiguous();
    const auto count = std::size_t(boxes.size(0));
    return matcher.match({boxes.data_ptr<float>(), 4 * count}, {crowd.data_ptr<bool>(), count});
}

/// Collects one image's drawn anchors after the other's.
class Rows {
public:
    void add(const BalancedSample& sample, const at::Tensor& usable, std::int64_t firstAnchor,
             const std::vector<std::int64_t>& matches, std::int64_t firstBox) {
        const std::int64_t* row = usable.data_ptr<std::int64_t>();
        const std::size_t drawn = sample.positives.size() + sample.negatives.size();
        for (const std::int64_t i : sample.positives) {
            m_positives.push_back(firstAnchor + row[i]);
            m_boxes.push_back(firstBox + matches[std::size_t(i)]);
            m_positiveWeights.push_back(1.F / float(drawn));
        }
        for (const auto* list : {&sample.positives, &sample.negatives})
            for (const std::int64_t i : *list) {
                m_rows.push_back(firstAnchor + row[i]);
                m_isObject.push_back(list == &sample.positives ? 1.F : 0.F);
            }
    }
    RpnTargets finish(const at::Tensor& anchors, const at::Tensor& boxes, BoxConvention convention) const {
        const at::Tensor positives = at::tensor(m_positives, at::kLong);
        const at::Tensor own = anchors.index_select(0, positives.remainder(std::max<std::int64_t>(1, anchors.size(0))));
        const BoxCoder coder{{1, 1, 1, 1}, BoxCoder{}.largestLogSize, convention};
        return {at::tensor(m_rows, at::kLong), at::tensor(m_isObject, at::kFloat), positives,
                coder.encode(boxes.index_select(0, at::tensor(m_boxes, at::kLong)), own),
                at::tensor(m_positiveWeights, at::kFloat)};
    }

private:
    std::vector<std::int64_t> m_rows, m_positives, m_boxes;
    std::vector<float> m_isObject, m_positiveWeights;
};

/// The drawn anchors' cross entropies, summed by `weights` [S].
at::Tensor entropyOf(const RpnOutput& output, const RpnTargets& targets, const at::Tensor& weights) {
    const at::Tensor logits = output.logits.reshape(-1).index_select(0, targets.rows);
    return (at::binary_cross_entropy_with_logits(logits, targets.isObject, {}, {}, at::Reduction::None) * weights)
        .sum();
}

/// The positives' box distances, summed by `weights` [P].
at::Tensor distanceOf(const RpnOutput& output, const RpnTargets& targets, const at::Tensor& weights) {
    const at::Tensor offsets = output.offsets.reshape({-1, 4}).index_select(0, targets.positiveRows);
    return weightedL1Loss(offsets, targets.offsets, weights, kBeta);
}

/// 1 where a row of the batch lies in anchors [begin, end) of its image.
at::Tensor isBetween(const at::Tensor& rows, std::int64_t anchors, std::int64_t begin, std::int64_t end) {
    const at::Tensor own = rows.remainder(anchors);
    return (own >= begin).logical_and(own < end).to(at::kFloat);
}

Model::Losses detectronLosses(const RpnOutput& output, const RpnTargets& targets, const RpnRules& rules,
                              int firstLevel) {
    const double images = double(output.logits.size(0));
    const at::Tensor ones = at::ones_like(targets.isObject), boxes = targets.positiveWeights / images;
    if (output.rowsALevel.size() == 1)
        return {{"loss_rpn_cls",
                 entropyOf(output, targets, ones) / double(std::max<std::int64_t>(1, targets.rows.size(0)))},
                {"loss_rpn_bbox", distanceOf(output, targets, boxes)}};
    Model::Losses losses;
    std::int64_t begin = 0;
    for (std::size_t i = 0; i < output.rowsALevel.size(); ++i) {
        const std::int64_t end = begin + output.rowsALevel[i], anchors = output.logits.size(1);
        const std::string level = "_fpn" + std::to_string(firstLevel + int(i));
        const at::Tensor own = isBetween(targets.rows, anchors, begin, end) / (double(rules.anchorsAnImage) * images);
        losses.emplace_back("loss_rpn_cls" + level, entropyOf(output, targets, own));
        losses.emplace_back("loss_rpn_bbox" + level,
                            distanceOf(output, targets, boxes * isBetween(targets.positiveRows, anchors, begin, end)));
        begin = end;
    }
    return losses;
}

} // namespace

RpnTargets RpnTargets::to(const at::Device& device) const {
    return {rows.to(device), isObject.to(device), positiveRows.to(device), offsets.to(device),
            positiveWeights.to(device)};
}

RpnTargets rpnTargets(const std::vector<ImageObjects>& images, const at::Tensor& anchors, const RpnRules& rules,
                      Random& random) {
    Rows rows;
    std::vector<at::Tensor> boxes;
    std::int64_t firstBox = 0;
    for (std::size_t i = 0; i < images.size(); ++i) {
        const at::Tensor usable = usableRows(anchors, images[i], rules);
        const auto matches = matched(anchors.index_select(0, usable), images[i], rules);
        std::vector<std::int64_t> labels;
        for (const std::int64_t match : matches)
            labels.push_back(match >= 0 ? 1 : match == AnchorMatcher::kBelow ? 0 : -1);
        const auto sample = drawBalanced(labels, rules.anchorsAnImage,
                                         std::int64_t(double(rules.anchorsAnImage) * rules.foregroundShare), random);
        rows.add(sample, usable, std::int64_t(i) * anchors.size(0), matches, firstBox);
        boxes.push_back(images[i].boxes);
        firstBox += images[i].boxes.size(0);
    }
    return rows.finish(anchors, at::cat(boxes), rules.convention);
}

Model::Losses rpnLosses(const RpnOutput& output, const RpnTargets& targets, const RpnRules& rules, int firstLevel) {
    if (rules.convention == BoxConvention::Detectron)
        return detectronLosses(output, targets, rules, firstLevel);
    const double drawn = double(std::max<std::int64_t>(1, targets.rows.size(0)));
    return {{"loss_objectness", entropyOf(output, targets, at::ones_like(targets.isObject)) / drawn},
            {"loss_rpn_box_reg", distanceOf(output, targets, at::ones_like(targets.positiveWeights)) / drawn}};
}

} // namespace trainyard
