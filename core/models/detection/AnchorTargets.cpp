#include "core/models/detection/AnchorTargets.h"

#include "core/models/detection/AnchorMatcher.h"
#include "core/models/detection/ImageTruth.h"
#include "core/nn/Boxes.h"
#include "core/nn/FocalLoss.h"

#include <torch/nn/module.h>

#include <algorithm>
#include <vector>

namespace trainyard {
namespace {

constexpr double kNoCrowdShare = 2; // more than there is

/// Collects the rows of one image after the other.
class TargetRows {
public:
    TargetRows(std::int64_t images, std::int64_t anchors)
        : m_anchors(anchors), m_labels(at::empty({images * anchors}, at::kLong)),
          m_weights(at::empty({images * anchors}, at::kFloat)) {}

    /// `matches` are rows of one image's boxes; returns how many anchors have one.
    std::int64_t add(const std::vector<std::int64_t>& matches, const ImageObjects& image) {
        const std::int64_t* labels = image.labels.data_ptr<std::int64_t>();
        std::int64_t* label = m_labels.data_ptr<std::int64_t>() + m_row;
        std::int64_t foreground = 0;
        for (std::int64_t i = 0; i < m_anchors; ++i) {
            const std::int64_t match = matches[std::size_t(i)];
            label[i] = match >= 0 ? labels[match] : match == AnchorMatcher::kBetween ? kIgnored : kBackground;
            if (match < 0)
                continue;
            m_rows.push_back(m_row + i);
            m_boxes.push_back(m_firstBox + match);
            ++foreground;
        }
        m_row += m_anchors;
        m_firstBox += image.boxes.size(0);
        return foreground;
    }
    void weigh(std::int64_t image, double weight) {
        m_weights.slice(0, image * m_anchors, (image + 1) * m_anchors).fill_(weight);
    }
    void weighAll(double weight) { m_weights.fill_(weight); }

    AnchorTargets finish(const at::Tensor& boxes, const at::Tensor& anchors, BoxConvention convention) const {
        const at::Tensor rows = at::tensor(m_rows, at::kLong);
        const at::Tensor matched = boxes.index_select(0, at::tensor(m_boxes, at::kLong));
        const at::Tensor own = anchors.index_select(0, rows.remainder(m_anchors));
        const BoxCoder coder{{1, 1, 1, 1}, BoxCoder{}.largestLogSize, convention};
        return {m_labels, m_weights, rows, coder.encode(matched, own), 0, 0};
    }

private:
    std::int64_t m_anchors;
    std::int64_t m_row = 0, m_firstBox = 0;
    at::Tensor m_labels, m_weights;
    std::vector<std::int64_t> m_rows, m_boxes;
};

std::vector<std::int64_t> matched(AnchorMatcher& matcher, const ImageObjects& image, BoxConvention convention) {
    const at::Tensor boxes = toEdges(image.boxes, convention).contiguous();
    const auto count = std::size_t(boxes.size(0));
    return matcher.match({boxes.data_ptr<float>(), 4 * count}, {image.isCrowd.data_ptr<bool>(), count});
}

void dropWeakMatches(std::vector<std::int64_t>& matches, std::span<const float> overlaps, double least) {
    for (std::size_t i = 0; i < matches.size(); ++i)
        if (matches[i] >= 0 && overlaps[i] < float(least))
            matches[i] = AnchorMatcher::kBelow;
}

} // namespace

AnchorTargets AnchorTargets::to(const at::Device& device) const {
    return {labels.to(device),  weights.to(device), foregroundRows.to(device),
            offsets.to(device), foreground,         background};
}

AnchorTargets anchorTargets(const Batch& batch, const at::Tensor& anchors, const RetinaNetConfig& config) {
    const bool isDetectron = config.convention == "detectron";
    const auto convention = isDetectron ? BoxConvention::Detectron : BoxConvention::Torchvision;
    const std::vector<ImageTruth> images = truthOf(batch, convention, config.classes);
    AnchorMatcher matcher(toEdges(anchors, convention),
                          {config.foregroundIou, config.backgroundIou, isDetectron ? kNoCrowdShare : 0.5});
    TargetRows rows(std::int64_t(images.size()), anchors.size(0));
    std::int64_t all = 0;    // Detectron's number of foreground anchors
    std::int64_t others = 0; // and of background, a class each
    std::vector<at::Tensor> boxes;
    for (std::size_t i = 0; i < images.size(); ++i) {
        auto matches = matched(matcher, images[i].objects, convention);
        if (isDetectron) {
            const auto own = std::count_if(matches.begin(), matches.end(), [](auto match) { return match >= 0; });
            dropWeakMatches(matches, matcher.bestOverlaps(), config.backgroundIou);
            const auto none = std::count(matches.begin(), matches.end(), AnchorMatcher::kBelow);
            all += own + 1;
            others += (none + 1) * config.classes + (own + 1) * (config.classes - 1);
        }
        const std::int64_t foreground = std::max<std::int64_t>(1, rows.add(matches, images[i].objects));
        rows.weigh(std::int64_t(i), 1 / double(std::int64_t(images.size()) * foreground));
        boxes.push_back(images[i].objects.boxes);
    }
    if (isDetectron)
        rows.weighAll(1 / double(std::max<std::int64_t>(1, all)));
    AnchorTargets targets = rows.finish(at::cat(boxes), anchors, convention);
    targets.foreground = double(all);
    targets.background = double(others);
    return targets;
}

} // namespace trainyard
