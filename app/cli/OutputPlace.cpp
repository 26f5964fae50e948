#include "app/cli/OutputPlace.h"

#include "core/base/AtomicFile.h"

#include <algorithm>
#include <fstream>

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

/// Whether `file` is `place` or lies in it.
bool isWithin(const std::filesystem::path& file, const std::filesystem::path& place) {
    std::error_code unknown; // a place that is not there holds nothing
    const auto whole = std::filesystem::weakly_canonical(place, unknown);
    if (unknown || !std::filesystem::exists(whole, unknown))
        return false;
    const auto inside = std::filesystem::weakly_canonical(file, unknown).lexically_relative(whole);
    return !unknown && !inside.empty() && *inside.begin() != "..";
}

/// The first bytes of a file that exists; empty where it does not or is empty.
Result<std::string> beginningOf(const std::filesystem::path& file) {
    std::error_code missing;
    if (!std::filesystem::exists(file, missing))
        return std::string();
    std::ifstream stream(file, std::ios::binary);
    std::string bytes(64, '\0');
    stream.read(bytes.data(), std::streamsize(bytes.size()));
    if (!stream && !stream.eof())
        return Error{ErrorKind::Usage, "It cannot be read to see what would be written over.", file.string(),
                     "Name another file."};
    bytes.resize(std::size_t(stream.gcount()));
    return bytes;
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

Result<void> keepFromOthers(const std::filesystem::path& file, const std::vector<DatasetConfig>& datasets,
                            const std::vector<std::string>& beginnings) {
    for (const DatasetConfig& dataset : datasets)
        for (const std::string& place : {dataset.path, dataset.annotations})
            if (!place.empty() && isWithin(file, place))
                return Error{ErrorKind::Usage, "It belongs to the data, which is never written to.", file.string(),
                             "Name a file elsewhere."};
    const auto beginning = beginningOf(file);
    if (!beginning)
        return beginning.error();
    const bool isOurs = std::any_of(beginnings.begin(), beginnings.end(),
                                    [&](const std::string& one) { return beginning->starts_with(one); });
    if (!beginning->empty() && !isOurs)
        return Error{ErrorKind::Usage, "There is another file of that name, which is none of this kind.", file.string(),
                     "Name another one, or move it out of the way."};
    return {};
}

} // namespace trainyard::cli
