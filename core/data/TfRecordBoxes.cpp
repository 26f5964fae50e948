#include "core/data/ClassMap.h"
#include "core/data/ObjectIntake.h"
#include "core/data/TfRecordDataset.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

namespace trainyard {
namespace {

/// One object as its record has it; sides are shares of the picture.
struct RelativeObject {
    std::int64_t category = 0;
    float xmin = 0, ymin = 0, xmax = 0, ymax = 0;
    bool isCrowd = false, isDifficult = false;
};

template <class T>
T valueAt(const std::vector<T>& values, std::size_t index, T fallback) {
    return index < values.size() ? values[index] : fallback;
}

/// Reads the layout of TensorFlow's Object Detection API. Which classes there are is known when all records were read.
class BoxReader {
public:
    BoxReader(const DatasetConfig& entry, const DatasetContext& context, DatasetListing& listing)
        : m_entry(entry), m_context(context), m_listing(listing) {}

    Result<void> read() {
        const auto each = [&](const ReadExample& one) { return take(one); };
        if (auto done = eachExample(m_entry, m_context, m_listing, each); !done)
            return done;
        if (m_names.empty())
            return Error{ErrorKind::Data, "No record has an object.", m_entry.path,
                         "Objects are kept as image/object/bbox/xmin and so on, with image/object/class/label."};
        std::vector<Category> categories;
        for (const auto& [id, name] : m_names)
            categories.push_back({id, name});
        const auto map = ClassMap::make(std::move(categories), m_context.config.data.classes, m_entry.path);
        if (!map)
            return map.error();
        m_listing.classes = map->classes();
        m_listing.categoryIds = map->categoryIds();
        return addObjects(*map);
    }

private:
    Result<void> take(const ReadExample& one) {
        const TfExample& example = one.example;
        ListedSample sample;
        sample.info.id = m_ids.idOf(one);
        sample.info.width = int(example.integer("image/width"));
        sample.info.height = int(example.integer("image/height"));
        const auto image = example.bytes("image/encoded");
        if (image.empty() || sample.info.width <= 0 || sample.info.height <= 0) {
            note(sample.info.id, fmt::format("The {} has no image, or not its size.", one.record.name()));
            return {};
        }
        sample.span = one.span(image);
        m_listing.samples.push_back(std::move(sample));
        m_objects.push_back(objectsOf(one));
        return {};
    }

    std::vector<RelativeObject> objectsOf(const ReadExample& one) {
        const TfExample& example = one.example;
        const auto side = [&](const char* name) { return example.allFloats(std::string("image/object/bbox/") + name); };
        const auto xmin = side("xmin"), ymin = side("ymin"), xmax = side("xmax"), ymax = side("ymax");
        const auto labels = example.allIntegers("image/object/class/label");
        const auto texts = example.allBytes("image/object/class/text");
        const auto crowds = example.allIntegers("image/object/is_crowd");
        const auto difficult = example.allIntegers("image/object/difficult");
        const std::size_t count = std::max({xmin.size(), ymin.size(), xmax.size(), ymax.size(), labels.size()});
        const std::size_t whole =
            std::min({xmin.size(), ymin.size(), xmax.size(), ymax.size(), std::max(labels.size(), texts.size())});
        if (whole < count)
            note(one.record.name(),
                 fmt::format("{} of {} objects have not all of box and class.", count - whole, count));
        std::vector<RelativeObject> objects;
        for (std::size_t i = 0; i < whole; ++i) {
            const std::string name(valueAt(texts, i, std::string_view()));
            objects.push_back({categoryOf(i < labels.size() ? labels[i] : 0, name), xmin[i], ymin[i], xmax[i], ymax[i],
                               valueAt<std::int64_t>(crowds, i, 0) != 0, valueAt<std::int64_t>(difficult, i, 0) != 0});
        }
        return objects;
    }

    /// The category of a label; where records have names alone, numbers in the order in which the names come.
    std::int64_t categoryOf(std::int64_t label, const std::string& name) {
        if (label == 0 && !name.empty()) { // labels count from 1
            for (const auto& [id, known] : m_names)
                if (known == name)
                    return id;
            label = m_names.empty() ? 1 : m_names.rbegin()->first + 1;
        }
        std::string& known = m_names[label];
        if (known.empty() || known == unnamed(label))
            known = name.empty() ? unnamed(label) : name;
        return label;
    }

    static std::string unnamed(std::int64_t label) { return fmt::format("class {}", label); }

    Result<void> addObjects(const ClassMap& map) {
        ObjectIntake intake(m_entry, m_context, m_listing.problems);
        std::vector<ListedSample> kept;
        for (std::size_t i = 0; i < m_objects.size(); ++i) {
            ListedSample& sample = m_listing.samples[i];
            const auto width = float(sample.info.width), height = float(sample.info.height);
            std::int64_t number = 0;
            for (const RelativeObject& object : m_objects[i]) {
                ++number;
                const auto label = map.label(object.category);
                if (!label)
                    continue;
                ObjectAnnotation annotation;
                annotation.id = number;
                annotation.label = *label;
                annotation.box = {object.xmin * width, object.ymin * height, object.xmax * width, object.ymax * height};
                annotation.isCrowd = object.isCrowd;
                annotation.isDifficult = object.isDifficult;
                if (auto added = intake.add(sample.info, std::move(annotation), m_entry.path); !added)
                    return added;
            }
            if (intake.keeps(sample.info))
                kept.push_back(std::move(sample));
        }
        m_listing.samples = std::move(kept);
        intake.finish();
        if (m_listing.samples.empty())
            return Error{ErrorKind::Data, "No record can be used.", m_entry.path, "Its problems are in data inspect."};
        numberSamples(m_listing);
        return {};
    }

    void note(const std::string& sample, const std::string& message) {
        m_listing.problems.push_back({DataProblem::Severity::Error, sample, message});
    }

    const DatasetConfig& m_entry;
    const DatasetContext& m_context;
    DatasetListing& m_listing;
    ExampleIds m_ids;
    std::vector<std::vector<RelativeObject>> m_objects; ///< of each sample
    std::map<std::int64_t, std::string> m_names;        ///< of the categories
};

} // namespace

Result<DatasetListing> listTfRecordBoxes(const DatasetConfig& entry, const DatasetContext& context) {
    DatasetListing listing = startListing("tfrecord-boxes", TaskKind::Detection, entry.path, context);
    if (auto read = BoxReader(entry, context, listing).read(); !read)
        return withProblems(read.error(), listing);
    return listing;
}

} // namespace trainyard
