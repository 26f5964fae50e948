#pragma once

#include "core/telemetry/StepReport.h"
#include "widgets/theme/Theme.h"

#include <QString>

namespace trainyard::theme {

/// How a run's state is shown, on every page: a word, an icon and a colour, never colour alone.
struct StateLook {
    QString word; ///< "running", lower case, translated
    QString icon; ///< name for `icon()`
    Tone tone = Tone::Quiet;
    QString meaning; ///< a sentence for tips
};
StateLook stateLook(RunStatus status);

} // namespace trainyard::theme
