#pragma once

#include "core/base/Error.h"

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace trainyard {

/// A value of a MATLAB file: texts (one a row of a character array), numbers, cells or structures, whichever is filled.
/// Arrays run column by column, as MATLAB has them.
struct MatValue {
    std::vector<std::size_t> sizes;
    std::vector<std::string> texts; ///< UTF-8, with the blanks that fill up shorter rows
    std::vector<float> numbers;
    std::vector<MatValue> cells;
    std::vector<std::map<std::string, MatValue>> structures;

    /// The first row; empty where there are none.
    std::string text() const { return texts.empty() ? std::string() : texts.front(); }
    /// Every text in it and in its cells.
    std::vector<std::string> allTexts() const;
};

/// The variables `names` of a MATLAB file of version 5 or 7.3, in this order. A Data error where the file cannot be
/// read or lacks one.
Result<std::vector<MatValue>> readMatFile(const std::filesystem::path& file, const std::vector<std::string>& names);

} // namespace trainyard
