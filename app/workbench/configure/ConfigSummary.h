#pragma once

#include "core/config/RunConfig.h"

#include <QPointF>
#include <QString>

#include <vector>

namespace trainyard {

/// What a configuration will do, in words. Plain functions.
QString modelSummary(const RunConfig& config);    ///< "CRNN · recognition · 32×100 grey"
QString batchSummary(const RunConfig& config);    ///< "32 samples an update · 3 000 updates · 96 000 samples"
QString scheduleSummary(const RunConfig& config); ///< "adam · rate 2.0e-3, cosine to 4.0e-5"
QString dataSummary(const RunConfig& config);     ///< "trains on rendered-words, validates on …"
/// The learning rate over the iterations, in about `count` points that hit every step.
std::vector<QPointF> schedulePoints(const SolveConfig& solve, int count);

} // namespace trainyard
