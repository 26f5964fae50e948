#pragma once

#include "core/base/Error.h"
#include "core/telemetry/Annotation.h"

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace trainyard {

/// What was found in each image, by the image's name without extension.
using VocResults = std::map<std::string, std::vector<Detection>>;

/// Results in Pascal VOC's layout: a text file a class, `comp4_det_test_CLASS.txt`, with lines "image score xmin ymin
/// xmax ymax", whose corners count pixels from 1 and belong to the box. `given` is a folder of such files, or one of
/// them: then those whose names begin alike ("comp4_det_test_") are read too. `classes` gives each label its name; a
/// class without a file has no detections. A Data error names file and line. Source: Everingham and Winn 2012, "The
/// PASCAL VOC2012 Challenge Development Kit", section 4.2.2.
Result<VocResults> readVocResults(const std::filesystem::path& given, const std::vector<std::string>& classes);

} // namespace trainyard
