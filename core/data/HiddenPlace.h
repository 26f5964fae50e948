#pragma once

#include "core/base/Error.h"

#include <filesystem>
#include <string>
#include <vector>

namespace trainyard {

/// A file or folder in the making beside its target: nobody sees it under its name until `show` exchanges the names,
/// and it is gone if that never comes. What was at the target is touched only then, and only when it may be. One
/// thread.
class HiddenPlace {
public:
    /// Fails when the target exists and may not be replaced, or when it is not what would take its place: a folder with
    /// other entries than `ours`, a folder instead of a file, a file instead of a folder.
    static Result<HiddenPlace> make(const std::filesystem::path& target, bool isFolder, bool mayReplace,
                                    const std::vector<std::string>& ours);
    HiddenPlace(HiddenPlace&& other) noexcept;
    HiddenPlace& operator=(HiddenPlace&&) = delete;
    ~HiddenPlace();

    /// The empty folder to fill, or the name of the file to make.
    std::filesystem::path path() const { return m_folder / m_target.filename(); }
    Result<void> show();

private:
    HiddenPlace() = default;
    Result<void> check() const;

    std::filesystem::path m_target, m_folder; ///< `m_folder` is ours; it holds the place and later what was replaced
    std::vector<std::string> m_ours;
    bool m_isFolder = false, m_mayReplace = false;
};

} // namespace trainyard
