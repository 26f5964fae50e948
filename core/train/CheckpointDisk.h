#pragma once

#include "core/train/CheckpointFile.h"

#include <chrono>
#include <cstdint>
#include <filesystem>

namespace trainyard {

/// The disk and the clock as checkpoint keeping sees them; tests put a full disk in its place. Called on the trainer's
/// and its writer's thread.
class CheckpointDisk {
public:
    virtual ~CheckpointDisk() = default;
    virtual Result<std::int64_t> write(const std::filesystem::path& path, const TrainingState& state);
    virtual Result<void> remove(const std::filesystem::path& path); ///< a file that is gone already is no failure
    virtual std::int64_t freeBytes(const std::filesystem::path& folder) const; ///< -1: not known
    virtual std::int64_t wallMicroseconds() const;
    virtual std::chrono::milliseconds retryDelay() const { return std::chrono::seconds(2); }
};

} // namespace trainyard
