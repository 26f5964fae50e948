#include "core/data/HiddenPlace.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <fcntl.h>
#include <unistd.h>

namespace trainyard {
namespace {

namespace fs = std::filesystem;

Error failure(const fs::path& path, int code) {
    return {ErrorKind::Damaged, fmt::format("The place cannot be written to: {}.", std::strerror(code)), path.string(),
            "Choose another place, or give yourself permission."};
}

} // namespace

Result<HiddenPlace> HiddenPlace::make(const fs::path& target, bool isFolder, bool mayReplace,
                                      const std::vector<std::string>& ours) {
    HiddenPlace place;
    place.m_target = fs::absolute(target).lexically_normal();
    if (place.m_target.filename().empty()) // a slash at the end
        place.m_target = place.m_target.parent_path();
    place.m_isFolder = isFolder;
    place.m_mayReplace = mayReplace;
    place.m_ours = ours;
    if (auto checked = place.check(); !checked)
        return checked.error();
    const fs::path parent = place.m_target.parent_path();
    std::string pattern = (parent / fmt::format(".{}.XXXXXX", place.m_target.filename().string())).string();
    if (!::mkdtemp(pattern.data()))
        return errno == ENOENT ? Error{ErrorKind::Usage, "The folder of the target does not exist.", parent.string(),
                                       "Make it first."}
                               : failure(parent, errno);
    place.m_folder = pattern;
    std::error_code failed;
    if (isFolder && !fs::create_directory(place.path(), failed))
        return failure(place.path(), failed.value());
    return place;
}

HiddenPlace::HiddenPlace(HiddenPlace&& other) noexcept
    : m_target(std::move(other.m_target)), m_folder(std::move(other.m_folder)), m_ours(std::move(other.m_ours)),
      m_isFolder(other.m_isFolder), m_mayReplace(other.m_mayReplace) {
    other.m_folder.clear();
}

HiddenPlace::~HiddenPlace() {
    std::error_code ignored; // a rest that cannot be removed is hidden, and harms nobody
    if (!m_folder.empty())
        fs::remove_all(m_folder, ignored);
}

Result<void> HiddenPlace::check() const {
    std::error_code ignored; // what cannot be looked at fails when it is written
    const auto status = fs::symlink_status(m_target, ignored);
    if (!fs::exists(status))
        return {};
    if (!m_mayReplace)
        return Error{ErrorKind::Usage, "The target exists.", m_target.string(),
                     "Choose another place, or say --overwrite."};
    const auto refusal = [&](const std::string& what) {
        return Error{ErrorKind::Usage, what, m_target.string(),
                     "Choose another place; only such a dataset is replaced."};
    };
    if (m_isFolder != fs::is_directory(status) || (!m_isFolder && !fs::is_regular_file(status)))
        return refusal(m_isFolder ? "The target is no folder." : "The target is no file.");
    if (m_isFolder)
        for (const auto& entry : fs::directory_iterator(m_target, ignored))
            if (const std::string name = entry.path().filename().string();
                std::find(m_ours.begin(), m_ours.end(), name) == m_ours.end())
                return refusal(fmt::format("The folder holds something else: {}.", name));
    return {};
}

Result<void> HiddenPlace::show() {
    if (auto checked = check(); !checked) // it may have come meanwhile
        return checked;
    const auto rename = [&](unsigned how) {
        return ::renameat2(AT_FDCWD, path().c_str(), AT_FDCWD, m_target.c_str(), how) == 0 ? 0 : errno;
    };
    int code = rename(RENAME_NOREPLACE);
    if (code == EEXIST && m_mayReplace)
        code = rename(RENAME_EXCHANGE);     // what was there is in m_folder now, and goes with it
    if (code == EINVAL || code == ENOSYS) { // a file system without the two
        if (m_isFolder && m_mayReplace)
            ::rename(m_target.c_str(), (m_folder / "replaced").c_str()); // nothing there is no failure
        code = ::rename(path().c_str(), m_target.c_str()) == 0 ? 0 : errno;
    }
    if (code != 0)
        return failure(m_target, code);
    if (const int folder = ::open(m_target.parent_path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC); folder >= 0) {
        ::fsync(folder); // some file systems refuse to sync a folder; the data itself is already on disk
        ::close(folder);
    }
    return {};
}

} // namespace trainyard
