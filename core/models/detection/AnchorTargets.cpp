#include "core/models/detection/AnchorTargets.h"

#include "core/models/detection/AnchorMatcher.h"
#include "core/nn/Boxes.h"
#include "core/nn/FocalLoss.h"

#include <torch/nn/module.h>

#include <algorithm>
#include <vector>

namespace trainyard {
namespace {

/// The batch's targets on the CPU, as plain arrays.
struct Objects {
    at::Tensor boxes, labels, crowd, counts;

    explicit Objects(const Batch& batch)
        : boxes(plain(batch, "boxes", at::kFloat)), labels(plain(batch, "labels", at::kLong)),
          counts(plain(batch, "counts", at::kLong)) {
        crowd =
            batch.targets.count("crowd") ? plain(batch, "crowd", at::kBool) : at::zeros({labels.size(0)}, at::kBool);
    }

private:
    static at::Tensor plain(const Batch& batch, const char* name, at::ScalarType type) {
        return batch.targets.at(name).to(at::kCPU, type).contiguous();
    }
};

/// Collects the rows of one image after the other.
class TargetRows {
public:
    TargetRows(std::int64_t images, std::int64_t anchors, std::int64_t classes)
        : m_images(images), m_anchors(anchors), m_classes(classes), m_labels(at::empty({images * anchors}, at::kLong)),
          m_weights(at::empty({images * anchors}, at::kFloat)) {}

    /// `matches` are rows of one image's boxes, of which the first is row `firstBox` of the batch.
    void add(const std::vector<std::int64_t>& matches, const std::int64_t* labels, std::int64_t firstBox) {
        std::int64_t* label = m_labels.data_ptr<std::int64_t>() + m_row;
        std::int64_t foreground = 0;
        for (std::int64_t i = 0; i < m_anchors; ++i) {
            label[i] = matches[std::size_t(i)] == AnchorMatcher::kBetween ? kIgnored : kBackground;
            if (matches[std::size_t(i)] < 0)
                continue;
            const std::int64_t box = firstBox + matches[std::size_t(i)];
            TORCH_CHECK(labels[box] >= 0 && labels[box] < m_classes, "A box has label ", labels[box],
                        ", but the model has ", m_classes, " classes.");
            label[i] = labels[box];
            m_rows.push_back(m_row + i);
            m_boxes.push_back(box);
            ++foreground;
        }
        float* weight = m_weights.data_ptr<float>() + m_row;
        std::fill(weight, weight + m_anchors, 1.F / float(m_images * std::max<std::int64_t>(1, foreground)));
        m_row += m_anchors;
    }

    AnchorTargets finish(const at::Tensor& boxes, const at::Tensor& anchors) const {
        const at::Tensor rows = at::tensor(m_rows, at::kLong);
        const at::Tensor matched = boxes.index_select(0, at::tensor(m_boxes, at::kLong));
        const at::Tensor own = anchors.index_select(0, rows.remainder(m_anchors));
        return {m_labels, m_weights, rows, BoxCoder{}.encode(matched, own)};
    }

private:
    std::int64_t m_images, m_anchors, m_classes;
    std::int64_t m_row = 0;
    at::Tensor m_labels, m_weights;
    std::vector<std::int64_t> m_rows, m_boxes;
};

} // namespace

AnchorTargets AnchorTargets::to(const at::Device& device) const {
    return {labels.to(device), weights.to(device), foregroundRows.to(device), offsets.to(device)};
}

AnchorTargets anchorTargets(const Batch& batch, const at::Tensor& anchors, const RetinaNetConfig& config) {
    const Objects objects(batch);
    const float* boxes = objects.boxes.data_ptr<float>();
    const bool* crowd = objects.crowd.data_ptr<bool>();
    AnchorMatcher matcher(anchors, {config.foregroundIou, config.backgroundIou});
    TargetRows rows(objects.counts.size(0), anchors.size(0), config.classes);
    std::int64_t first = 0;
    for (std::int64_t image = 0; image < objects.counts.size(0); ++image) {
        const auto count = std::size_t(objects.counts.data_ptr<std::int64_t>()[image]);
        const auto matches = matcher.match({boxes + 4 * first, 4 * count}, {crowd + first, count});
        rows.add(matches, objects.labels.data_ptr<std::int64_t>(), first);
        first += std::int64_t(count);
    }
    return rows.finish(objects.boxes, anchors);
}

} // namespace trainyard
