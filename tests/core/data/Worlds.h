#pragma once

#include "core/base/AtomicFile.h"
#include "core/data/Dataset.h"
#include "tests/support/TestData.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>

/// Small worlds for the tests of core/data: folders with a few files, and what one opens them with.
namespace trainyard::testing {

inline void writeText(const std::filesystem::path& path, const std::string& text) {
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary) << text;
}

inline Image plainImage(int width, int height, int channels = 3, std::uint8_t value = 200) {
    return {width, height, channels, std::vector<std::uint8_t>(std::size_t(width * height * channels), value)};
}

inline void writePicture(const std::filesystem::path& path, int width = 40, int height = 20) {
    std::filesystem::create_directories(path.parent_path());
    const auto written = writeImage(path.string(), plainImage(width, height));
    QVERIFY(written.has_value());
}

inline DatasetConfig entryOf(const std::filesystem::path& path, const std::string& part = "",
                             const std::string& format = "auto") {
    DatasetConfig entry;
    entry.format = format;
    entry.path = path.string();
    entry.part = part;
    return entry;
}

inline Result<std::unique_ptr<Dataset>> open(const DatasetConfig& entry, TaskKind task, const RunConfig& config = {},
                                             bool isForTraining = true) {
    return openDataset(entry, {config, task, isForTraining, {}});
}

inline bool hasProblem(const Dataset& dataset, const std::string& sample, const std::string& part) {
    const auto& problems = dataset.problems();
    return std::any_of(problems.begin(), problems.end(), [&](const DataProblem& problem) {
        return problem.sample == sample && problem.message.find(part) != std::string::npos;
    });
}

inline int countProblems(const Dataset& dataset, const std::string& part) {
    const auto& problems = dataset.problems();
    return int(std::count_if(problems.begin(), problems.end(), [&](const DataProblem& problem) {
        return problem.message.find(part) != std::string::npos;
    }));
}

/// Every file below `folder`, by name, size and time of change.
inline std::string stateOf(const std::filesystem::path& folder) {
    std::vector<std::string> lines;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder)) {
        const auto size = entry.is_regular_file() ? entry.file_size() : 0;
        lines.push_back(entry.path().string() + " " + std::to_string(size) + " " +
                        std::to_string(entry.last_write_time().time_since_epoch().count()));
    }
    std::sort(lines.begin(), lines.end());
    std::string state;
    for (const auto& line : lines)
        state += line + "\n";
    return state;
}

} // namespace trainyard::testing

/// Fails unless `result` is an Error whose sentence has `part`.
#define VERIFY_ERROR(result, part)                                                                                     \
    do {                                                                                                               \
        QVERIFY(!(result).has_value());                                                                                \
        const std::string sentence = (result).error().sentence();                                                      \
        QVERIFY2(sentence.find(part) != std::string::npos, sentence.c_str());                                          \
    } while (false)
