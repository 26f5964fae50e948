#include "core/train/CheckpointDisk.h"

#include "core/base/Clock.h"

#include <fmt/format.h>

#include <system_error>

namespace trainyard {

Result<std::int64_t> CheckpointDisk::write(const std::filesystem::path& path, const TrainingState& state) {
    return writeCheckpoint(path, state);
}

Result<void> CheckpointDisk::remove(const std::filesystem::path& path) {
    std::error_code code;
    std::filesystem::remove(path, code);
    if (code)
        return Error{ErrorKind::Damaged, fmt::format("The old checkpoint cannot be deleted: {}.", code.message()),
                     path.string(), "Delete it by hand."};
    return {};
}

std::int64_t CheckpointDisk::freeBytes(const std::filesystem::path& folder) const {
    std::error_code code;
    const auto space = std::filesystem::space(folder, code);
    return code ? -1 : std::int64_t(space.available);
}

std::int64_t CheckpointDisk::wallMicroseconds() const {
    return trainyard::wallMicroseconds();
}

} // namespace trainyard
