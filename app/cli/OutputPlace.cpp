#include "app/cli/OutputPlace.h"

#include "core/base/AtomicFile.h"

namespace trainyard::cli {

namespace {
/// Part by part, so that the one that is in the way is named.
Result<void> makeFolder(const std::filesystem::path& folder) {
    std::filesystem::path made;
    for (const auto& part : folder) {
        made /= part;
        std::error_code failed;
        const auto status = std::filesystem::status(made, failed);
        if (std::filesystem::is_directory(status))
            continue;
        if (std::filesystem::exists(status))
            return Error{ErrorKind::Usage, "It is a file, where a folder is wanted.", made.string(),
                         "Name another folder."};
        if (!std::filesystem::create_directory(made, failed) && failed)
            return Error{ErrorKind::Damaged, "The folder cannot be made: " + failed.message() + ".", made.string(),
                         "Choose another place, or give yourself write permission."};
    }
    return {};
}

/// A temporary file that is taken away again.
Result<void> tryToWrite(const std::filesystem::path& file) {
    auto trial = AtomicFile::create(file);
    if (!trial)
        return trial.error();
    return trial->write("?");
}
} // namespace

Result<void> prepareFolder(const std::filesystem::path& folder) {
    if (const auto made = makeFolder(folder); !made)
        return made.error();
    auto tried = tryToWrite(folder / "trial");
    if (!tried) {
        Error error = tried.error();
        error.where = folder.string();
        return error;
    }
    return {};
}

Result<void> prepareFile(const std::filesystem::path& file) {
    std::error_code unreadable; // then writing says why
    if (!file.has_filename() || std::filesystem::is_directory(file, unreadable))
        return Error{ErrorKind::Usage, "It is a folder, where a file is wanted.", file.string(), "Name a file in it."};
    if (file.has_parent_path())
        if (const auto made = makeFolder(file.parent_path()); !made)
            return made.error();
    return tryToWrite(file);
}

} // namespace trainyard::cli
