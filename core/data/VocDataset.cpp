#include "core/base/AtomicFile.h"
#include "core/base/Text.h"
#include "core/data/ClassMap.h"
#include "core/data/ImageFinder.h"
#include "core/data/ListedDataset.h"
#include "core/data/ObjectIntake.h"
#include "core/data/VocFiles.h"

#include <fmt/format.h>
#include <pugixml.hpp>

#include <charconv>
#include <cmath>
#include <limits>
#include <set>
#include <unordered_map>
#include <unordered_set>

namespace trainyard {
namespace {

namespace fs = std::filesystem;

/// An `object` as its XML has it: sides count pixels from 1 and both ends belong to the box.
struct VocObject {
    std::string className;
    double xmin = 0, ymin = 0, xmax = 0, ymax = 0;
    bool isDifficult = false;
};

struct VocFile {
    std::string imageName;
    int width = 0, height = 0;
    std::vector<VocObject> objects;
};

/// The number in a child element, decimals too; not a number when it is missing.
double number(const pugi::xml_node& parent, const char* name) {
    const auto text = text::trimmed(parent.child_value(name));
    double value = std::numeric_limits<double>::quiet_NaN();
    std::from_chars(text.data(), text.data() + text.size(), value);
    return value;
}

int wholeNumber(const pugi::xml_node& parent, const char* name) {
    const double value = number(parent, name);
    return std::isfinite(value) && value > 0 && value < 1e9 ? int(value) : 0;
}

Result<VocFile> readVocFile(const fs::path& path) {
    const auto bytes = readFile(path, ErrorKind::Data);
    if (!bytes)
        return bytes.error();
    pugi::xml_document document;
    const auto parsed = document.load_buffer(bytes->data(), bytes->size());
    if (!parsed)
        return Error{ErrorKind::Data,
                     fmt::format("The XML is malformed at {} ({}).", text::place(*bytes, std::size_t(parsed.offset)),
                                 parsed.description()),
                     path.string(), "Mend the file or export it again."};
    const auto root = document.child("annotation");
    if (!root)
        return Error{ErrorKind::Data, "The XML has no <annotation>.", path.string(),
                     "Only VOC annotations can be read."};
    VocFile file;
    file.imageName = std::string(text::trimmed(root.child_value("filename")));
    file.width = wholeNumber(root.child("size"), "width");
    file.height = wholeNumber(root.child("size"), "height");
    for (const auto& node : root.children("object")) {
        const auto box = node.child("bndbox");
        file.objects.push_back({std::string(text::trimmed(node.child_value("name"))), number(box, "xmin"),
                                number(box, "ymin"), number(box, "xmax"), number(box, "ymax"),
                                number(node, "difficult") > 0}); // missing and self-closed are no number: false
    }
    return file;
}

/// The 1-based rule: a box from pixel 1 to pixel 10 becomes 0…10, ten wide. A box whose ends are equal or swapped has
/// no area as written and keeps none here.
Box boxOf(const VocObject& object) {
    Box box{float(object.xmin - 1), float(object.ymin - 1), float(object.xmax), float(object.ymax)};
    if (object.xmax <= object.xmin)
        box.x2 = box.x1;
    if (object.ymax <= object.ymin)
        box.y2 = box.y1;
    return box;
}

class VocReader {
public:
    VocReader(const DatasetConfig& entry, const VocFiles& files, const DatasetContext& context, DatasetListing& listing)
        : m_files(files), m_finder(ImageFinder::usualFolders(files.images)), m_context(context), m_listing(listing),
          m_intake(entry, context, listing.problems) {}

    Result<void> read() {
        if (auto read = readAnnotations(); !read)
            return read;
        if (auto read = nameClasses(); !read)
            return read;
        std::unordered_set<std::string> seen;
        for (const std::string& stem : m_files.stems) {
            if (!seen.insert(stem).second)
                note(stem, "The image is listed twice.");
            if (auto added = addSample(stem); !added)
                return added;
        }
        m_intake.finish();
        if (m_listing.samples.empty())
            return Error{ErrorKind::Data, "None of the listed images has a file and annotations.",
                         m_files.images.string(),
                         "Put the images into JPEGImages/ under the names that the XML files have."};
        numberSamples(m_listing);
        return {};
    }

private:
    void note(const std::string& sample, const std::string& message,
              DataProblem::Severity severity = DataProblem::Severity::Warning) {
        m_listing.problems.push_back({severity, sample, message});
    }

    Result<void> readAnnotations() {
        std::int64_t done = 0;
        for (const std::string& stem : m_files.allStems) {
            if (m_context.progress && done % 256 == 0)
                m_context.progress(done, std::int64_t(m_files.allStems.size()));
            ++done;
            auto file = readVocFile(m_files.annotations / (stem + ".xml"));
            if (!file)
                return file.error();
            m_read.emplace(stem, std::move(*file));
        }
        return {};
    }

    /// By name over all parts, so that train and test agree on the labels.
    Result<void> nameClasses() {
        std::set<std::string> names;
        for (const auto& [stem, file] : m_read)
            for (const VocObject& object : file.objects)
                names.insert(object.className);
        std::vector<Category> categories;
        for (const std::string& name : names) {
            categories.push_back({std::int64_t(categories.size()) + 1, name});
            m_idOf[name] = categories.back().id;
        }
        if (categories.empty())
            return Error{ErrorKind::Data, "No annotation file has an object.", m_files.annotations.string(),
                         "Annotate at least one object."};
        auto map = ClassMap::make(std::move(categories), m_context.config.data.classes, m_files.annotations.string());
        if (!map)
            return map.error();
        m_classes = std::move(*map);
        m_listing.classes = m_classes.classes();
        m_listing.categoryIds = m_classes.categoryIds();
        return {};
    }

    Result<void> addSample(const std::string& stem) {
        const auto found = m_read.find(stem);
        if (found == m_read.end()) {
            note(stem, "The listed image has no annotation file.", DataProblem::Severity::Error);
            return {};
        }
        const VocFile& file = found->second;
        auto path = m_finder.find(file.imageName);
        if (!path || path->stem() != stem) // the XML's file name is often a relic of another folder
            if (auto own = m_finder.findStem(stem))
                path = own;
        if (!path) {
            note(stem,
                 fmt::format("The image file {} is missing.", file.imageName.empty() ? stem + ".jpg" : file.imageName),
                 DataProblem::Severity::Error);
            return {};
        }
        ListedSample sample;
        sample.path = path->string();
        sample.info.id = path->filename().string();
        sample.info.width = file.width;
        sample.info.height = file.height;
        std::int64_t number = 0;
        for (const VocObject& object : file.objects)
            if (auto added = addObject(sample.info, object, ++number, stem); !added)
                return added;
        if (m_intake.keeps(sample.info))
            m_listing.samples.push_back(std::move(sample));
        return {};
    }

    Result<void> addObject(SampleInfo& info, const VocObject& object, std::int64_t number, const std::string& stem) {
        const auto label = m_classes.label(m_idOf.at(object.className));
        if (!label)
            return {};
        ObjectAnnotation annotation;
        annotation.id = number;
        annotation.label = *label;
        annotation.box = boxOf(object);
        annotation.isDifficult = object.isDifficult;
        return m_intake.add(info, std::move(annotation), (m_files.annotations / (stem + ".xml")).string());
    }

    const VocFiles& m_files;
    ImageFinder m_finder;
    const DatasetContext& m_context;
    DatasetListing& m_listing;
    ObjectIntake m_intake;
    std::unordered_map<std::string, VocFile> m_read;
    std::unordered_map<std::string, std::int64_t> m_idOf;
    ClassMap m_classes;
};

} // namespace

Result<DatasetListing> listVoc(const DatasetConfig& entry, const DatasetContext& context) {
    const auto files = locateVoc(entry, context.isForTraining);
    if (!files)
        return files.error();
    DatasetListing listing = startListing("voc", TaskKind::Detection, entry.path, context);
    if (entry.part.empty() && !files->part.empty())
        listing.problems.push_back(
            {DataProblem::Severity::Note, "",
             fmt::format("Took the part \"{}\" ({} images); another is chosen by PATH#PART, all of "
                         "it by PATH#all.",
                         files->part, files->stems.size())});
    if (auto read = VocReader(entry, *files, context, listing).read(); !read)
        return read.error();
    return listing;
}

} // namespace trainyard
