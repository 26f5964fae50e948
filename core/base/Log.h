#pragma once

#include <spdlog/spdlog.h>

/// The log: `log::info("Read {} images.", count)`. Goes to standard error as "trainyard: …" lines until a program
/// sets other sinks with spdlog's own means. Any thread.
namespace trainyard::log {
using spdlog::debug;
using spdlog::error;
using spdlog::info;
using spdlog::warn;
} // namespace trainyard::log
