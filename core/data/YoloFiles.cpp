#include "core/data/YoloFiles.h"

#include "core/base/AtomicFile.h"
#include "core/base/InputFile.h"
#include "core/base/Text.h"
#include "core/config/YamlDocuments.h"
#include "core/data/ImageFinder.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

namespace trainyard {
namespace {

namespace fs = std::filesystem;

/// What parts are called, by the name that they have here.
const std::vector<std::pair<std::string, std::vector<std::string>>>& partNames() {
    static const std::vector<std::pair<std::string, std::vector<std::string>>> names{
        {"train", {"train", "training"}}, {"val", {"val", "valid", "validation"}}, {"test", {"test"}}};
    return names;
}

/// Folders of images, or lists of them, by part; "" is the one part of a set without any.
using Parts = std::map<std::string, std::vector<fs::path>>;

bool isFolder(const fs::path& path) {
    std::error_code ignored; // what cannot be looked at is no folder for us
    return fs::is_directory(path, ignored);
}

bool isThere(const fs::path& path) {
    std::error_code ignored;
    return fs::exists(path, ignored);
}

std::optional<fs::path> yamlOf(const fs::path& path) {
    if (!isFolder(path))
        return path.extension() == ".yaml" || path.extension() == ".yml" ? std::optional(path) : std::nullopt;
    for (const char* name : {"data.yaml", "data.yml", "dataset.yaml"})
        if (isRegularFile(path / name))
            return path / name;
    return {};
}

std::optional<fs::path> classFileOf(const fs::path& folder) {
    for (const fs::path& place : {folder, folder / "labels", folder / "train" / "labels", folder / "labels" / "train"})
        for (const char* name : {"classes.txt", "obj.names", "classes.names"})
            if (isRegularFile(place / name))
                return place / name;
    return {};
}

/// images/ with labels/ beside it, whole or in parts either way round.
Parts foldersOf(const fs::path& folder) {
    Parts parts;
    for (const auto& [part, names] : partNames())
        for (const std::string& name : names) {
            if (isFolder(folder / "images" / name) && isFolder(folder / "labels" / name))
                parts[part].push_back(folder / "images" / name);
            if (isFolder(folder / name / "images") && isFolder(folder / name / "labels"))
                parts[part].push_back(folder / name / "images");
        }
    if (parts.empty() && isFolder(folder / "images") && isFolder(folder / "labels"))
        parts[""] = {folder / "images"};
    return parts;
}

/// All images below `folder`, by name.
std::vector<fs::path> imagesBelow(const fs::path& folder) {
    std::vector<fs::path> images;
    std::error_code ignored;
    for (const auto& entry : fs::recursive_directory_iterator(folder, ignored))
        if (hasImageExtension(entry.path()) && entry.is_regular_file(ignored))
            images.push_back(entry.path());
    std::sort(images.begin(), images.end());
    return images;
}

/// A file with a path a line; paths are meant from the file's folder or from the set's.
Result<std::vector<fs::path>> imagesOfList(const fs::path& list, const fs::path& root) {
    const auto text = readTextFile(list, ErrorKind::Data);
    if (!text)
        return text.error();
    std::vector<fs::path> images;
    for (const auto line : text::lines(*text))
        if (const std::string name(text::trimmed(line)); !name.empty())
            images.push_back((isRegularFile(root / name) ? root / name : list.parent_path() / name).lexically_normal());
    return images;
}

Result<std::vector<fs::path>> imagesOf(const std::vector<fs::path>& places, const fs::path& root) {
    std::vector<fs::path> images;
    for (const fs::path& place : places) {
        auto more = isFolder(place) ? Result<std::vector<fs::path>>(imagesBelow(place)) : imagesOfList(place, root);
        if (!more)
            return more.error();
        images.insert(images.end(), more->begin(), more->end());
    }
    return images;
}

std::vector<std::string> textsOf(const YAML::Node& node) {
    std::vector<std::string> texts;
    if (node.IsScalar())
        texts.push_back(node.as<std::string>());
    for (const auto& one : node)
        if (one.IsScalar())
            texts.push_back(one.as<std::string>());
    return texts;
}

std::vector<std::int64_t> integersOf(const YAML::Node& node) {
    std::vector<std::int64_t> numbers;
    for (const auto& one : node)
        numbers.push_back(one.as<std::int64_t>());
    return numbers;
}

/// A list, or a map from numbers.
std::vector<std::string> namesOf(const YAML::Node& node) {
    if (!node.IsMap())
        return textsOf(node);
    std::map<std::int64_t, std::string> byNumber;
    for (const auto& one : node)
        byNumber[one.first.as<std::int64_t>()] = one.second.as<std::string>();
    std::vector<std::string> names;
    for (const auto& [number, name] : byNumber)
        if (number >= 0 && number < 100000) {
            names.resize(std::max<std::size_t>(names.size(), std::size_t(number) + 1));
            names[std::size_t(number)] = name;
        }
    return names;
}

/// What data.yaml says; throws a YAML::Exception where it is something else.
Parts readYaml(const YAML::Node& yaml, const fs::path& file, YoloFiles& files) {
    const fs::path folder = file.parent_path();
    files.base = folder;
    if (const auto path = yaml["path"]; path && path.IsScalar() && isFolder(folder / path.as<std::string>()))
        files.base = (folder / path.as<std::string>()).lexically_normal();
    if (const auto names = yaml["names"])
        files.classes = namesOf(names);
    if (const auto shape = yaml["kpt_shape"]; shape && shape.IsSequence() && shape.size() == 2) {
        files.keypoints = std::clamp<std::int64_t>(shape[0].as<std::int64_t>(), 0, 1000);
        files.hasVisibility = shape[1].as<std::int64_t>() == 3;
    }
    if (const auto swaps = yaml["flip_idx"]; swaps && swaps.IsSequence())
        files.keypointSwaps = integersOf(swaps);
    Parts parts;
    for (const auto& [part, names] : partNames())
        for (const std::string& name : names)
            if (const auto places = yaml[name]; places && !places.IsNull())
                for (std::string place : textsOf(places)) {
                    const fs::path given = files.base / place;
                    while (place.starts_with("../") && !isThere(files.base / place)) // as Roboflow writes them
                        place.erase(0, 3);
                    parts[part].push_back(isThere(files.base / place) ? files.base / place : given);
                }
    return parts.empty() ? foldersOf(files.base) : parts;
}

Result<Parts> describe(const fs::path& path, YoloFiles& files) {
    if (const auto yaml = yamlOf(path)) {
        const auto text = readTextFile(*yaml, ErrorKind::Data);
        if (!text)
            return text.error();
        files.classesFile = yaml->string();
        try {
            return readYaml(loadOneDocument(*text), *yaml, files);
        } catch (const YAML::Exception& failure) {
            return Error{ErrorKind::Data,
                         fmt::format("The description of the dataset cannot be read: {}.", failure.msg),
                         fmt::format("{}:{}:{}", yaml->string(), failure.mark.line + 1, failure.mark.column + 1),
                         "It gives names, and train and val as folders of images."};
        }
    }
    files.base = path;
    if (const auto names = classFileOf(path)) {
        const auto text = readTextFile(*names, ErrorKind::Data);
        if (!text)
            return text.error();
        files.classesFile = names->string();
        for (const auto line : text::lines(*text))
            if (const auto name = text::trimmed(line); !name.empty())
                files.classes.emplace_back(name);
    }
    return foldersOf(path);
}

/// The part of the name that people gave it.
std::string partCalled(const std::string& name) {
    for (const auto& [part, names] : partNames())
        if (std::find(names.begin(), names.end(), name) != names.end())
            return part;
    return name;
}

Result<std::string> choosePart(const Parts& parts, const std::string& wanted, bool isForTraining,
                               const fs::path& path) {
    const bool wantsAll = wanted.empty() || wanted == "all";
    if (parts.contains("") && wantsAll)
        return std::string();
    if (parts.contains(""))
        return Error{ErrorKind::Data, "The dataset has no parts.", path.string(), "Leave the part out."};
    std::vector<std::string> choices{partCalled(wanted)};
    if (wanted.empty())
        choices = isForTraining ? std::vector<std::string>{"train"} : std::vector<std::string>{"val", "test"};
    for (const std::string& choice : choices)
        if (choice == "all" || parts.contains(choice))
            return choice;
    std::vector<std::string> names;
    for (const auto& [name, places] : parts)
        names.push_back(name);
    return Error{ErrorKind::Data, fmt::format("The dataset has no part \"{}\".", choices.front()), path.string(),
                 fmt::format("Choose one of its parts: {}, all.", text::joined(names))};
}

} // namespace

bool looksLikeYolo(const fs::path& path) {
    if (const auto yaml = yamlOf(path)) {
        const auto text = readTextFile(*yaml, ErrorKind::Data);
        return text && (text->starts_with("names:") || text->find("\nnames:") != std::string::npos);
    }
    return isFolder(path) && classFileOf(path) && !foldersOf(path).empty();
}

Result<YoloFiles> locateYolo(const DatasetConfig& entry, bool isForTraining) {
    const fs::path path = entry.path;
    YoloFiles files;
    const auto parts = describe(path, files);
    if (!parts)
        return parts.error();
    if (parts->empty())
        return Error{ErrorKind::Data, "The folder has no images/ with labels/ beside it.", path.string(),
                     "Name the folders of images under train and val in data.yaml."};
    if (files.classes.empty())
        return Error{ErrorKind::Data, "The dataset names no classes.", path.string(),
                     "List them as names in data.yaml, or a line each in classes.txt."};
    const auto part = choosePart(*parts, entry.part, isForTraining, path);
    if (!part)
        return part.error();
    std::vector<fs::path> places;
    for (const auto& [name, some] : *parts)
        if (name == *part || *part == "all")
            places.insert(places.end(), some.begin(), some.end());
    auto images = imagesOf(places, files.base);
    if (!images)
        return images.error();
    files.part = *part == "all" ? "" : *part;
    files.images = std::move(*images);
    return files;
}

fs::path yoloLabelFile(const fs::path& image) {
    const fs::path own = fs::path(image).replace_extension(".txt");
    fs::path mapped;
    std::vector<fs::path> steps(own.begin(), own.end());
    const auto last = std::find(steps.rbegin(), steps.rend(), fs::path("images"));
    if (last == steps.rend())
        return own;
    *last = "labels";
    for (const fs::path& step : steps)
        mapped /= step;
    return mapped;
}

} // namespace trainyard
