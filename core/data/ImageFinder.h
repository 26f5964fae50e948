#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace trainyard {

/// True for the extensions that image files usually have; the content decides later.
bool hasImageExtension(const std::filesystem::path& path);

/// Finds the images that an annotation file names, in the folders given, in their order. Any thread.
class ImageFinder {
public:
    explicit ImageFinder(std::vector<std::filesystem::path> folders);

    /// The folders where images usually lie for annotations in `folder`: itself, then its folders, `images` and
    /// those named like `part` first.
    static std::vector<std::filesystem::path> usualFolders(const std::filesystem::path& folder,
                                                           const std::string& part = "");

    /// The file of that name (it may hold folders, or be absolute); nothing when it is nowhere.
    std::optional<std::filesystem::path> find(const std::string& name) const;
    /// The same for a name without extension.
    std::optional<std::filesystem::path> findStem(const std::string& stem) const;

    const std::vector<std::filesystem::path>& folders() const { return m_folders; }

private:
    std::vector<std::filesystem::path> m_folders;
};

} // namespace trainyard
