#include "core/base/AtomicFile.h"
#include "core/data/ClassMap.h"
#include "core/data/CocoFiles.h"
#include "core/data/CocoObject.h"
#include "core/data/ImageFinder.h"
#include "core/data/ListedDataset.h"
#include "core/data/ObjectIntake.h"

#include <fmt/format.h>

#include <unordered_map>
#include <unordered_set>

namespace trainyard {
namespace {

using nlohmann::json;

/// Pixels; 0 where the file does not say or cannot mean it.
int sideOf(const json& image, const char* key) {
    const double side = numberOr(image, key, 0);
    return side >= 1 && side < 1e6 ? int(side) : 0;
}

/// A mask of another size than the image is of another image.
bool fits(const ObjectAnnotation& object, const SampleInfo& info) {
    return !object.mask || info.width == 0 || info.height == 0 ||
           (object.mask->width == info.width && object.mask->height == info.height);
}

/// Reads one annotation file into a listing, part by part.
class CocoReader {
public:
    CocoReader(const DatasetConfig& entry, const CocoFiles& files, const std::string& text,
               const DatasetContext& context, DatasetListing& listing)
        : m_file(files.annotations.string()), m_text(text), m_finder(files.imageFolders), m_context(context),
          m_listing(listing), m_intake(entry, context, listing.problems) {}

    Result<void> read(const json& root) {
        for (const char* key : {"images", "annotations", "categories"})
            if (!root.is_object() || !root.contains(key) || !root[key].is_array())
                return jsonError(m_text, m_file, {key}, fmt::format("The file has no list \"{}\".", key),
                                 "COCO needs images, annotations and categories.");
        if (auto read = readCategories(root["categories"]); !read)
            return read;
        if (auto read = readImages(root["images"]); !read)
            return read;
        return readAnnotations(root["annotations"]);
    }

private:
    Error error(const std::string& what, const std::string& remedy) const {
        return {ErrorKind::Data, what, m_file, remedy};
    }
    void note(const std::string& sample, const std::string& message,
              DataProblem::Severity severity = DataProblem::Severity::Warning) {
        m_listing.problems.push_back({severity, sample, message, m_file});
    }
    void noteAnnotation(const std::string& sample, const std::string& id, const std::string& what) {
        m_listing.problems.push_back(
            {DataProblem::Severity::Warning, sample, fmt::format("Annotation {} {}.", id, what), m_file, id});
    }

    Result<void> readCategories(const json& list) {
        std::vector<Category> categories;
        std::unordered_set<std::string> ids;
        for (const json& entry : list) {
            const bool isGood =
                entry.is_object() && entry.contains("id") && entry.contains("name") && entry["name"].is_string();
            if (!isGood)
                return jsonError(m_text, m_file, {"categories", std::to_string(categories.size())},
                                 "The category has no id or no name.", "Give each category both.");
            const std::string id = idText(entry["id"]);
            if (std::to_string(idNumber(entry["id"], -1)) != id)
                return jsonError(m_text, m_file, {"categories", std::to_string(categories.size())},
                                 fmt::format("The category's id {} is no whole number.", id), "Number the categories.");
            if (!ids.insert(id).second)
                return jsonError(m_text, m_file, {"categories", std::to_string(categories.size())},
                                 fmt::format("Two categories have the id {}.", id),
                                 "Give each category an id of its own.");
            categories.push_back({idNumber(entry["id"], -1), entry["name"].get<std::string>()});
            readKeypointNames(entry);
        }
        auto map = ClassMap::make(std::move(categories), m_context.config.data.classes, m_file);
        if (!map)
            return map.error();
        m_classes = std::move(*map);
        m_listing.classes = m_classes.classes();
        m_listing.categoryIds = m_classes.categoryIds();
        return {};
    }

    /// Who changes places in a mirror, unless the configuration says it.
    void readKeypointNames(const json& category) {
        const auto list = category.find("keypoints");
        if (list == category.end() || !list->is_array() || !m_context.config.data.keypointPairs.empty())
            return;
        std::vector<std::string> names;
        for (const json& name : *list)
            names.push_back(name.is_string() ? name.get<std::string>() : "");
        auto pairs = std::make_shared<const KeypointPairs>(pairsByName(names));
        if (pairs->empty())
            return;
        if (m_listing.keypointPairs && *m_listing.keypointPairs != *pairs)
            note("",
                 fmt::format("The keypoints of {} are paired otherwise than those of the categories before; a mirror "
                             "swaps those of the first.",
                             category["name"].get<std::string>()));
        else
            m_listing.keypointPairs = std::move(pairs);
    }

    Result<void> readImages(const json& list) {
        std::unordered_set<std::string> names;
        std::int64_t missing = 0;
        for (std::size_t i = 0; i < list.size(); ++i) {
            const json& entry = list[i];
            const auto place = [i] { return jsontext::Path{"images", std::to_string(i)}; };
            if (!entry.is_object() || !entry.contains("id") || !entry.contains("file_name") ||
                !entry["file_name"].is_string())
                return jsonError(m_text, m_file, place(), "The image has no id or no file_name.",
                                 "Give each image both.");
            const std::string name = entry["file_name"].get<std::string>(), id = idText(entry["id"]);
            if (!names.insert(name).second)
                note(name, "The image is listed twice.");
            const auto path = m_finder.find(name);
            if (!path) {
                note(name, "The image file is missing.", DataProblem::Severity::Error);
                m_missing.insert(id);
                ++missing;
                continue;
            }
            ListedSample sample;
            sample.path = path->string();
            sample.info.id = name;
            sample.info.dataset = m_listing.name;
            sample.info.imageId = idNumber(entry["id"], std::int64_t(m_listing.samples.size()));
            sample.info.width = sideOf(entry, "width");
            sample.info.height = sideOf(entry, "height");
            if (!m_sampleOf.emplace(id, m_listing.samples.size()).second)
                return jsonError(m_text, m_file, place(), fmt::format("Two images have the id {}.", id),
                                 "Give each image an id of its own.");
            m_listing.samples.push_back(std::move(sample));
        }
        if (m_listing.samples.empty())
            return error(missing > 0 ? fmt::format("None of the {} images was found; looked in {}.", missing,
                                                   m_finder.folders().front().string())
                                     : "The file lists no images.",
                         "Put the images beside the annotations, or into a folder named like the part.");
        return {};
    }

    Result<void> readAnnotations(const json& list) {
        std::int64_t number = 0;
        for (const json& entry : list) {
            if (m_context.progress && number % 4096 == 0)
                m_context.progress(number, std::int64_t(list.size()));
            if (auto read = readAnnotation(entry, number++); !read)
                return read;
        }
        std::erase_if(m_listing.samples, [&](const ListedSample& sample) { return !m_intake.keeps(sample.info); });
        m_intake.finish();
        return {};
    }

    Result<void> readAnnotation(const json& entry, std::int64_t number) {
        const std::string id =
            entry.is_object() && entry.contains("id") ? idText(entry["id"]) : fmt::format("number {}", number + 1);
        if (!entry.is_object() || !entry.contains("image_id") || !entry.contains("category_id")) {
            noteAnnotation("", id, "has no image_id or no category_id; it is left out");
            return {};
        }
        const std::string imageId = idText(entry["image_id"]);
        const auto found = m_sampleOf.find(imageId);
        if (found == m_sampleOf.end()) {
            if (!m_missing.contains(imageId))
                noteAnnotation("", id, fmt::format("belongs to image {}, which is not listed", imageId));
            return {};
        }
        ListedSample& sample = m_listing.samples[found->second];
        if (!m_annotations.insert(id).second)
            noteAnnotation(sample.info.id, id, "has the id of another annotation; both are kept");
        const std::int64_t category = idNumber(entry["category_id"], -1);
        if (!m_classes.knows(category)) {
            noteAnnotation(sample.info.id, id, fmt::format("has the unknown category {}; it is left out", category));
            return {};
        }
        const auto label = m_classes.label(category);
        return label ? readObject(entry, id, *label, sample.info) : Result<void>();
    }

    Result<void> readObject(const json& entry, const std::string& id, int label, SampleInfo& info) {
        std::vector<std::string> remarks;
        auto object = readCocoObject(entry, remarks);
        if (!object) {
            noteAnnotation(info.id, id, fmt::format("is malformed: {}; it is left out", object.error().what));
            return {};
        }
        for (const std::string& remark : remarks)
            noteAnnotation(info.id, id, remark);
        if (!fits(*object, info)) {
            noteAnnotation(info.id, id,
                           fmt::format("has a mask of {} x {} pixels, the image has {} x {}; it is left out",
                                       object->mask->width, object->mask->height, info.width, info.height));
            return {};
        }
        if (numberOr(entry, "ignore", 0) == 1 && m_intake.ignores())
            return {};
        object->label = label;
        return m_intake.add(info, std::move(*object), m_file, id);
    }

    std::string m_file;
    const std::string& m_text;
    ImageFinder m_finder;
    const DatasetContext& m_context;
    DatasetListing& m_listing;
    ObjectIntake m_intake;
    ClassMap m_classes;
    std::unordered_map<std::string, std::size_t> m_sampleOf;
    std::unordered_set<std::string> m_missing;     ///< images
    std::unordered_set<std::string> m_annotations; ///< ids of those that were read
};

} // namespace

Result<DatasetListing> listCoco(const DatasetConfig& entry, const DatasetContext& context) {
    const auto files = locateCoco(entry, context.isForTraining);
    if (!files)
        return files.error();
    const auto text = readTextFile(files->annotations, ErrorKind::Data);
    if (!text)
        return text.error();
    const auto root = parseJson(*text, files->annotations.string());
    if (!root)
        return root.error();
    DatasetListing listing = startListing("coco", TaskKind::Detection, entry.path, context);
    if (auto read = CocoReader(entry, *files, *text, context, listing).read(*root); !read)
        return read.error();
    return listing;
}

} // namespace trainyard
