#include "tests/support/TestData.h"

#include <cstdlib>

namespace trainyard::testing {

std::optional<std::filesystem::path> sharedData(const std::string& name) {
    const char* named = std::getenv("TRAINYARD_SHARED_DATA");
    const std::filesystem::path root =
        named ? std::filesystem::path(named) : std::filesystem::path(TRAINYARD_SOURCE_DIR) / "../shared/data";
    std::error_code ignored; // an unreadable folder counts as absent
    const auto folder = std::filesystem::weakly_canonical(root / name, ignored);
    if (!std::filesystem::exists(folder, ignored))
        return std::nullopt;
    return folder;
}

std::filesystem::path testData(const std::string& name) {
    return std::filesystem::path(TRAINYARD_SOURCE_DIR) / "tests/data" / name;
}

std::filesystem::path programFolder() { return TRAINYARD_PROGRAM_DIR; }

} // namespace trainyard::testing
