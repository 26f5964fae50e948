#pragma once

#include "core/models/Model.h"
#include "core/telemetry/PictureReport.h"

namespace trainyard {

/// A model's summary as plain values; `iteration` is left to the caller. Throws where a picture is no uint8 [C, H, W]
/// with one or three channels.
PictureReport pictureReportOf(const Model::Summary& summary);

} // namespace trainyard
