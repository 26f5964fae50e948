#pragma once

#include "core/evaluate/CocoMatching.h"
#include "core/evaluate/Metrics.h"
#include "core/evaluate/PrecisionCurve.h"

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace trainyard {

/// What one class reached; -1 where it has no object.
struct ClassScore {
    std::string name;
    std::int64_t objects = 0;
    double ap = -1, ap50 = -1;
    std::string type = "bbox"; ///< of which kind of result
};

/// COCO's official evaluation, image by image: average precision over IoU 0.50 to 0.95, average recall, by object size.
/// Every image is added once; equal scores go by image id, so the order of adding does not matter. One thread.
/// Source: the evaluation code of the COCO API (Lin et al. 2014).
class CocoEvaluation {
public:
    CocoEvaluation(CocoType type, std::vector<std::string> classes);

    /// What is known of an image, and what was found in it, in pixels of the image file.
    void add(const SampleInfo& truth, const std::vector<Detection>& found);
    void add(const CocoImage& image);

    std::int64_t images() const { return m_images; }

    /// "bbox/AP", "bbox/AP50", "bbox/AP75", "bbox/APs", "bbox/APm", "bbox/APl", "bbox/AR1", "bbox/AR10", "bbox/AR100",
    /// "bbox/ARs", "bbox/ARm", "bbox/ARl", and the same for "segm"; "keypoints/AP", "/AP50", "/AP75", "/APm", "/APl",
    /// "/AR",
    /// "/AR50", "/AR75", "/ARm", "/ARl". -1 means that there is nothing to measure; no detections at all give 0.
    Metrics metrics() const;

    std::vector<ClassScore> classScores() const;
    /// `threshold` counts COCO's overlaps: 0 is IoU 0.50, 5 is 0.75.
    PrecisionCurve curve(int label, std::size_t threshold) const;
    /// Of every class at every overlap.
    std::vector<NamedCurve> curves() const;

private:
    struct ClassResults {
        std::vector<JudgedFinding> findings;
        std::array<std::int64_t, kCocoAreas> objects{};
    };

    CocoType m_type;
    std::vector<std::string> m_classes;
    std::map<int, ClassResults> m_results;
    std::int64_t m_images = 0;
};

} // namespace trainyard
