#pragma once

#include "core/base/Error.h"

#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace trainyard {

/// A folder of data under a name of its own: where a configuration says `${cells}/train`, the project says what `cells`
/// is.
struct DataRoot {
    std::string name;
    std::string folder; ///< absolute
    bool operator==(const DataRoot&) const = default;
};

/// The roots of a project, to read paths with and to write them. A plain value; any thread.
class DataRoots {
public:
    DataRoots() = default;
    explicit DataRoots(std::vector<DataRoot> roots) : m_roots(std::move(roots)) {}

    const std::vector<DataRoot>& all() const { return m_roots; }

    /// `${cells}/train` as the path it stands for, any other path as it is. Usage error: no such root.
    Result<std::string> resolved(const std::string& path) const;
    /// An absolute path in or below a root as `${cells}/train` (the deepest root counts), any other path as it is.
    std::string named(const std::string& path) const;

    /// The root that a path begins with: "cells" of `${cells}/train`.
    static std::optional<std::string> nameIn(std::string_view path);
    /// Every root that the paths of a configuration's YAML begin with.
    static std::set<std::string> namesIn(std::string_view yaml);
    /// Nothing for a name that a root may have, else the Usage error that says what one may be.
    static std::optional<Error> objection(const std::string& name);
    /// "trainyard project roots set cells FOLDER"
    static std::string command(const std::string& name);

private:
    std::vector<DataRoot> m_roots;
};

} // namespace trainyard
