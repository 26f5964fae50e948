#pragma once

#include "core/telemetry/OperatorReport.h"

#include <string>

namespace trainyard {

/// A traced iteration in the Trace Event Format, which Chromium's and Perfetto's viewers open: a complete event an
/// operator, a row a thread. Source: "Trace Event Format", the Chromium project.
std::string traceText(const ProfileReport& profile);

} // namespace trainyard
