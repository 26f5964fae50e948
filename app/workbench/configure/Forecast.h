#pragma once

#include "app/workbench/engine/Engine.h"

#include <QString>

#include <optional>

namespace trainyard {

/// What is known of a configuration beyond its text: what the engine measured, what the data holds, how much room the
/// disk has. A plain value.
struct Forecast {
    bool isCounting = false; ///< the model is being weighed
    std::optional<ModelWeight> weight;
    QString weightTrouble; ///< why it is not known

    bool isLooking = false; ///< at the data
    QString lookProgress;   ///< "Scanning cells 1 200 of 3 400"
    std::optional<DataFindings> findings;
    QString dataTrouble; ///< why it cannot be used

    std::int64_t diskFree = -1, memoryTotal = -1; ///< bytes; negative: not known
};

/// "1 482 533 parameters", or what is being done to know.
QString parametersText(const Forecast& forecast);
/// "train 205 images, 3 900 boxes · validation 87 images, 1 800 boxes · 3 classes: RBC, WBC, Platelets"
QString findingsText(const DataFindings& findings, TaskKind task);
/// Times that training goes through all of its data; nothing where it has no end.
std::optional<double> epochs(const RunConfig& config, const DataFindings& findings);

/// How many checkpoint files a run holds at once, the one being written included.
std::int64_t checkpointsKept(const RunConfig& config);
/// Disk that the checkpoints of the run take at most.
std::int64_t checkpointBytes(const RunConfig& config, const ModelWeight& weight);
/// "about 1.1 GB of 25 GB memory · at most 5 checkpoints of 14 MB: 71 MB disk, 118 GB are free"
QString needsText(const RunConfig& config, const Forecast& forecast);
/// Whether the run will not fit: the sentence that says so, or nothing.
QString shortageText(const RunConfig& config, const Forecast& forecast);

} // namespace trainyard
