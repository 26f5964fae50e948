#include "core/data/ImageFinder.h"

#include "core/base/Text.h"

#include <algorithm>

namespace trainyard {
namespace {

namespace fs = std::filesystem;

constexpr const char* kExtensions[] = {".jpg",  ".png",  ".jpeg", ".bmp", ".tif",
                                       ".tiff", ".webp", ".JPG",  ".PNG", ".JPEG"};

std::vector<fs::path> subfolders(const fs::path& folder) {
    std::vector<fs::path> result;
    std::error_code ignored; // an unreadable folder holds no images for us
    for (const auto& entry : fs::directory_iterator(folder, ignored))
        if (entry.is_directory(ignored))
            result.push_back(entry.path());
    std::sort(result.begin(), result.end());
    return result;
}

/// Smaller is asked earlier.
int rank(const fs::path& folder, const std::string& part) {
    const std::string name = text::lowered(folder.filename().string());
    if (!part.empty() && name == part)
        return 0;
    if (!part.empty() && name.starts_with(part))
        return 1;
    return name == "images" || name == "imgs" || name == "jpegimages" || name == "image" ? 2 : 3;
}

} // namespace

bool hasImageExtension(const fs::path& path) {
    const std::string extension = text::lowered(path.extension().string());
    return std::any_of(std::begin(kExtensions), std::end(kExtensions),
                       [&](const char* one) { return extension == one; });
}

ImageFinder::ImageFinder(std::vector<fs::path> folders) : m_folders(std::move(folders)) {}

std::vector<fs::path> ImageFinder::usualFolders(const fs::path& folder, const std::string& part) {
    const std::string wanted = text::lowered(part);
    auto below = subfolders(folder);
    for (std::size_t i = 0, count = below.size(); i < count; ++i)
        if (rank(below[i], "") == 2) // images/train
            for (auto& deeper : subfolders(below[i]))
                below.push_back(std::move(deeper));
    std::stable_sort(below.begin(), below.end(),
                     [&](const fs::path& a, const fs::path& b) { return rank(a, wanted) < rank(b, wanted); });
    const auto after =
        std::find_if(below.begin(), below.end(), [&](const fs::path& one) { return rank(one, wanted) > 1; });
    below.insert(after, folder);
    return below;
}

std::optional<fs::path> ImageFinder::find(const std::string& name) const {
    std::error_code ignored; // what cannot be looked at is not there for us
    if (name.empty())
        return {};
    for (const auto& folder : m_folders)
        if (fs::path path = folder / name; fs::is_regular_file(path, ignored))
            return path;
    return {};
}

std::optional<fs::path> ImageFinder::findStem(const std::string& stem) const {
    for (const char* extension : kExtensions)
        if (auto path = find(stem + extension))
            return path;
    return {};
}

} // namespace trainyard
