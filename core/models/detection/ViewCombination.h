#pragma once

#include "core/config/EvaluateConfig.h"
#include "core/models/detection/DetectorStages.h"

#include <vector>

namespace trainyard {

/// One way in which a network sees an image, and what of its answer is used.
struct View {
    bool isMirrored = false; ///< then all that is found lies in the mirrored image file
    double enlargement = 1;  ///< of the network's input, against its usual size
    bool forBoxes = true, forMasks = true, forKeypoints = true;
};

/// Test-time augmentation. Boxes of all views are put together and suppressed once; then each view's other heads look
/// at what is left, and their masks and heat maps are averaged, cell by cell, before they are laid into the picture. A
/// view and the mirrored view together give the mirrored answer for the mirrored image. Source: Detectron's, of which
/// this is the union of boxes (He et al. 2017, "Mask R-CNN", appendix A, for the gain).
class ViewCombination {
public:
    explicit ViewCombination(AugmentConfig rules) : m_rules(std::move(rules)) {}

    /// `batches` are the same images, once for each of the `views`. One prediction an image, in pixels of its file.
    std::vector<Prediction> predict(DetectorStages& model, const std::vector<View>& views,
                                    const std::vector<Batch>& batches) const;

private:
    using ByImage = std::vector<std::vector<Detection>>;
    ByImage boxes(DetectorStages& model, const std::vector<View>& views, const std::vector<Batch>& batches) const;
    void addRegions(DetectorStages& model, const std::vector<View>& views, const std::vector<Batch>& batches,
                    ByImage& found) const;

    AugmentConfig m_rules;
};

} // namespace trainyard
