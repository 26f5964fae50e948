#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace trainyard::testing {

/// One thing that a person or a disk can do wrong, and what must come of it.
struct BadInput {
    std::string name;
    /// Prepares the world in its folder, which holds `words/`, `coco/`, `voc/`, `crnn.yaml`, `retinanet.yaml` and, with
    /// `needsRun`, the project `p` with a finished run; may be empty.
    std::function<void(const std::filesystem::path& folder)> prepare;
    std::vector<std::string> arguments; ///< FOLDER stands for the folder
    int code = 0;                       ///< wanted exit code
    std::vector<std::string> fragments; ///< of the last line of standard error
    bool needsRun = false;
    std::vector<std::string> wrapper = {}; ///< what the program is started through
    bool mayTouchProject = false;          ///< `p` is a run's own place; everything else must stay as it is
};

/// The table; it is the place to add to when something new goes wrong.
std::vector<BadInput> badInputs();

} // namespace trainyard::testing
