#include "core/base/Json.h"
#include "core/base/Text.h"
#include "core/data/LabelFile.h"

#include <fmt/format.h>

#include <algorithm>

namespace trainyard {
namespace {

using nlohmann::json;

/// The first of `keys` that holds text.
const std::string* textUnder(const json& object, std::initializer_list<const char*> keys) {
    for (const char* key : keys)
        if (const auto found = object.find(key); found != object.end() && found->is_string())
            return found->get_ptr<const std::string*>();
    return nullptr;
}

/// Corners as [[x, y], …] or [x, y, x, y, …]; empty when they are neither.
std::vector<Point> outlineOf(const json& corners) {
    std::vector<float> numbers;
    const auto take = [&](const json& value) {
        if (value.is_number())
            numbers.push_back(value.get<float>());
    };
    if (corners.is_array())
        for (const json& corner : corners) {
            take(corner);
            if (corner.is_array() && corner.size() == 2)
                std::for_each(corner.begin(), corner.end(), take);
        }
    std::vector<Point> outline;
    for (std::size_t i = 0; i + 1 < numbers.size(); i += 2)
        outline.push_back({numbers[i], numbers[i + 1]});
    return outline.size() >= 2 ? outline : std::vector<Point>();
}

/// The words of a photo in MMOCR's `instances`; an ignored one is unreadable.
bool addInstances(const std::string& image, const json& instances, LabelFile& file) {
    bool hasSome = false;
    for (const json& instance : instances) {
        const auto* transcript = instance.is_object() ? textUnder(instance, {"text", "label"}) : nullptr;
        const auto polygon = transcript ? instance.find("polygon") : instance.end();
        const auto outline = transcript && polygon != instance.end() ? outlineOf(*polygon) : std::vector<Point>();
        if (outline.empty())
            continue;
        hasSome = true;
        const bool isIgnored = instance.value("ignore", json(false)) == json(true);
        file.labels.push_back({image, isIgnored ? "###" : *transcript, outline});
    }
    return hasSome;
}

/// An object that names an image and its transcript, directly or in MMOCR's `instances`.
bool addLabel(const json& entry, LabelFile& file) {
    if (!entry.is_object())
        return false;
    const auto* image =
        textUnder(entry, {"img_path", "filename", "file_name", "image_path", "image", "img", "path", "file"});
    const auto* transcript = textUnder(entry, {"text", "label", "transcription", "transcript", "words"});
    const auto instances = entry.find("instances");
    if (image && !transcript && instances != entry.end() && instances->is_array() && !instances->empty()) {
        if (addInstances(*image, *instances, file))
            return true;
        if ((*instances)[0].is_object())
            transcript = textUnder((*instances)[0], {"text", "label"});
    }
    if (!image || !transcript)
        return false;
    Label label{*image, *transcript, {}};
    if (const auto lexicon = entry.find("lexicon"); lexicon != entry.end() && lexicon->is_array())
        for (const json& word : *lexicon)
            if (word.is_string())
                label.lexicon.push_back(word.get<std::string>());
    file.labels.push_back(std::move(label));
    return true;
}

} // namespace

bool addOutlinedLabels(const std::string& image, const std::string& text, LabelFile& file) {
    if (!text.starts_with("[{"))
        return false;
    const json words = json::parse(text, nullptr, false);
    if (!words.is_array())
        return false;
    std::vector<Label> labels;
    for (const json& word : words) {
        const auto* transcript = word.is_object() ? textUnder(word, {"transcription"}) : nullptr;
        const auto points = transcript ? word.find("points") : word.end();
        const auto outline = transcript && points != word.end() ? outlineOf(*points) : std::vector<Point>();
        if (outline.empty())
            return false;
        const bool isUnreadable = *transcript == "*" || word.value("difficult", json(false)) == json(true);
        labels.push_back({image, isUnreadable ? "###" : *transcript, outline});
    }
    file.labels.insert(file.labels.end(), labels.begin(), labels.end());
    return true;
}

Result<LabelFile> readJsonLines(const std::string& text, const std::string& path) {
    LabelFile file;
    std::int64_t number = 0;
    for (const auto line : text::lines(text)) {
        ++number;
        if (text::trimmed(line).empty())
            continue;
        const auto entry = parseJson(line, path, ErrorKind::Data, std::size_t(number));
        if (!entry)
            return entry.error();
        if (!addLabel(*entry, file))
            file.problems.push_back(fmt::format("Line {} names no image or no text.", number));
    }
    return file;
}

Result<LabelFile> readJsonLabels(const std::string& text, const std::string& path) {
    const auto root = parseJson(text, path);
    if (!root)
        return root.error();
    LabelFile file;
    const bool isMmocr = root->is_object() && root->contains("data_list");
    const json* list = isMmocr ? &(*root)["data_list"] : &*root;
    if (!list->is_array() && !list->is_object())
        return jsonError(text, path, {"data_list"},
                         fmt::format("The labels must be a list or an object, not {}.", described(*list)),
                         "Write a list of objects with \"image\" and \"text\".");
    if (list->is_array()) {
        std::int64_t number = 0;
        for (const json& entry : *list) {
            ++number;
            if (!addLabel(entry, file))
                file.problems.push_back(fmt::format("Entry {} names no image or no text.", number));
        }
        return file;
    }
    for (const auto& [name, value] : list->items())
        if (value.is_string())
            file.labels.push_back({name, value.get<std::string>(), {}});
        else
            file.problems.push_back(fmt::format("The entry \"{}\" is no text.", name));
    return file;
}

} // namespace trainyard
