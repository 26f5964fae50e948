#pragma once

#include "core/evaluate/CocoObject.h"

#include <cstdint>
#include <string>
#include <vector>

namespace trainyard {

/// Who was taken for whom: a row for each class that was there and a column for each that was found, with one more of
/// each at the end for the background.
struct ConfusionMatrix {
    std::vector<std::string> classes;
    double iou = 0.5, leastScore = 0.25;
    std::vector<std::vector<std::int64_t>> counts; ///< [truth][found], classes and the background
};

/// {"classes": […, "background"], "iou", "score", "counts": [[…]]}, rows of what was there.
std::string confusionAsJson(const ConfusionMatrix& matrix);
/// A line a class that was there, a column a class that was found.
std::string confusionAsCsv(const ConfusionMatrix& matrix);

/// Counts a confusion matrix image by image. Detections of `leastScore` or more and objects of whatever class that
/// overlap by `iou` or more become pairs, those that overlap most first. An object without a partner was taken for
/// background, a detection without one was background; a detection that lies in a crowd is left out. One thread.
class ConfusionCounter {
public:
    explicit ConfusionCounter(std::vector<std::string> classes, double iou = 0.5, double leastScore = 0.25);
    /// Boxes are compared.
    void add(const CocoImage& image);
    const ConfusionMatrix& matrix() const { return m_matrix; }

private:
    std::size_t place(int label) const;
    ConfusionMatrix m_matrix;
};

} // namespace trainyard
