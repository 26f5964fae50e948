#pragma once

#include "core/data/Image.h"
#include "core/telemetry/Annotation.h"

#include <string>
#include <vector>

namespace trainyard {

// Pictures of what a model says. Plain drawing on copies; any thread. Letters beyond ASCII are drawn as "?".

/// Boxes with class name and score over the image, masks and keypoints where there are some, a colour a class. Boxes of
/// `truth` are drawn thin and white beneath.
Image drawDetections(const Image& image, const std::vector<Detection>& detections,
                     const std::vector<std::string>& classes, const std::vector<ObjectAnnotation>& truth = {});

/// The image with the rectifier's control points on it, joined along each edge, and the straightened word beneath; room
/// is added around the image where points lie outside, up to its own size. Large enough to look at.
Image drawRectification(const Image& image, const Rectification& rectification);
/// The straightened word as it is.
Image rectifiedImage(const Rectification& rectification);

/// The image with a strip of text beneath it; a wrong reading (`truth` given and different) is drawn in red with the
/// truth behind it.
Image drawReading(const Image& image, const std::string& text, double score, const std::string& truth = "");

/// Pictures side by side, `columns` in a row, scaled down to fit a cell of the given size; rows and columns are as
/// large as what is in them. `places` receives where each picture stands on the sheet.
Image contactSheet(const std::vector<Image>& pictures, int columns, int cellWidth, int cellHeight,
                   std::vector<Box>* places = nullptr);

} // namespace trainyard
