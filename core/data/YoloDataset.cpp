#include "core/base/AtomicFile.h"
#include "core/base/Text.h"
#include "core/data/ClassMap.h"
#include "core/data/Geometry.h"
#include "core/data/ImageHeader.h"
#include "core/data/ListedDataset.h"
#include "core/data/ObjectIntake.h"
#include "core/data/YoloFiles.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <set>

namespace trainyard {
namespace {

namespace fs = std::filesystem;

/// The numbers of a line; nothing when something else stands there.
std::optional<std::vector<double>> numbersOf(std::string_view line) {
    std::vector<double> numbers;
    for (auto rest = text::trimmed(line); !rest.empty(); rest = text::trimmed(rest)) {
        const std::size_t end = std::min(rest.find_first_of(" \t"), rest.size());
        double value = 0;
        const auto [stop, failed] = std::from_chars(rest.data(), rest.data() + end, value);
        if (failed != std::errc() || stop != rest.data() + end || !std::isfinite(value))
            return {};
        numbers.push_back(value);
        rest.remove_prefix(end);
    }
    return numbers;
}

struct Size {
    int width = 0, height = 0;
};

/// Of the upright picture, from the first megabyte of its file; zero where that does not say.
Size sizeOf(const fs::path& path) {
    const auto file = InputFile::open(path);
    if (!file)
        return {};
    constexpr std::uint64_t kEnough = 1 << 20; // previews and profiles may stand before the size
    std::string bytes(std::size_t(std::min(kEnough, file->length())), '\0');
    if (!file->readAt(0, bytes.data(), bytes.size()))
        return {};
    const ImageHeader header = readImageHeader(bytes);
    return header.isTurned() ? Size{header.height, header.width} : Size{header.width, header.height};
}

Point pointAt(const std::vector<double>& numbers, std::size_t place, const SampleInfo& info) {
    return {float(numbers[place] * info.width), float(numbers[place + 1] * info.height)};
}

class YoloReader {
public:
    YoloReader(const DatasetConfig& entry, const YoloFiles& files, const DatasetContext& context,
               DatasetListing& listing)
        : m_files(files), m_context(context), m_listing(listing), m_intake(entry, context, listing.problems) {}

    Result<void> read() {
        if (auto named = nameClasses(); !named)
            return named;
        std::int64_t done = 0;
        for (const fs::path& image : m_files.images) {
            if (m_context.progress && done % 256 == 0)
                m_context.progress(done, std::int64_t(m_files.images.size()));
            ++done;
            if (auto added = addSample(image); !added)
                return added;
        }
        m_intake.finish();
        noteOrphans();
        if (m_withoutLabels > 0)
            m_listing.problems.push_back(
                {DataProblem::Severity::Note, "",
                 fmt::format("{} images have no label file and count as images without objects.", m_withoutLabels)});
        if (m_listing.samples.empty())
            return withProblems(
                {ErrorKind::Data, "No image can be used.", m_files.base.string(), "Put images into images/."},
                m_listing);
        numberSamples(m_listing);
        return {};
    }

private:
    void note(const std::string& sample, const std::string& file, std::size_t line, const std::string& what) {
        m_listing.problems.push_back({DataProblem::Severity::Warning, sample,
                                      fmt::format("Annotation {} {}; it is left out.", line, what), file,
                                      std::to_string(line)});
    }

    /// Label files that no image belongs to.
    void noteOrphans() {
        std::set<fs::path> folders;
        for (const fs::path& file : m_labels)
            folders.insert(file.parent_path());
        std::error_code ignored; // an unreadable folder has no label files for us
        for (const fs::path& folder : folders)
            for (const auto& entry : fs::directory_iterator(folder, ignored))
                if (entry.path().extension() == ".txt" && !m_labels.contains(entry.path()) &&
                    entry.path().filename() != "classes.txt" && isLabels(entry.path()))
                    m_listing.problems.push_back({DataProblem::Severity::Error, entry.path().stem().string(),
                                                  "The image of this label file is missing.", entry.path().string()});
    }

    /// Whether its first line is one of numbers: folders of labels hold notes and lists too.
    static bool isLabels(const fs::path& file) {
        const auto text = readTextFile(file, ErrorKind::Data);
        const auto lines = text ? text::lines(*text) : std::vector<std::string_view>();
        const auto numbers = lines.empty() ? std::nullopt : numbersOf(lines.front());
        return numbers && numbers->size() >= 5;
    }

    Result<void> nameClasses() {
        std::vector<Category> categories;
        for (std::size_t i = 0; i < m_files.classes.size(); ++i)
            categories.push_back({std::int64_t(i), m_files.classes[i]});
        auto map = ClassMap::make(std::move(categories), m_context.config.data.classes, m_files.classesFile);
        if (!map)
            return map.error();
        m_classes = std::move(*map);
        m_listing.classes = m_classes.classes();
        m_listing.categoryIds = m_classes.categoryIds();
        if (!m_files.keypointSwaps.empty() && !m_listing.keypointPairs)
            m_listing.keypointPairs = std::make_shared<const KeypointPairs>(pairsOfSwaps(m_files.keypointSwaps));
        return {};
    }

    Result<void> addSample(const fs::path& image) {
        ListedSample sample;
        sample.path = image.string();
        sample.info.id = image.lexically_relative(m_files.base).string();
        std::error_code ignored; // what cannot be looked at is missing for us
        if (!fs::is_regular_file(image, ignored)) {
            m_listing.problems.push_back(
                {DataProblem::Severity::Error, sample.info.id, "The image file is missing.", m_files.classesFile});
            return {};
        }
        const Size size = sizeOf(image);
        sample.info.width = size.width;
        sample.info.height = size.height;
        m_labels.insert(yoloLabelFile(image));
        if (size.width > 0) // else reading it will say what is wrong with it
            if (auto read = readLabels(image, sample.info); !read)
                return read;
        if (m_intake.keeps(sample.info))
            m_listing.samples.push_back(std::move(sample));
        return {};
    }

    Result<void> readLabels(const fs::path& image, SampleInfo& info) {
        const fs::path file = yoloLabelFile(image);
        std::error_code ignored; // then reading it says why
        if (!fs::exists(file, ignored)) {
            ++m_withoutLabels;
            return {};
        }
        const auto text = readTextFile(file, ErrorKind::Data);
        if (!text)
            return text.error();
        std::size_t line = 0;
        for (const auto& words : text::lines(*text)) {
            ++line;
            if (text::trimmed(words).empty())
                continue;
            if (auto added = addObject(info, words, line, file.string()); !added)
                return added;
        }
        return {};
    }

    Result<void> addObject(SampleInfo& info, std::string_view words, std::size_t line, const std::string& file) {
        const auto numbers = numbersOf(words);
        if (!numbers || numbers->size() < 5) {
            note(info.id, file, line, "is not a class and four or more numbers");
            return {};
        }
        const double category = numbers->front();
        const bool isNumber = category == std::floor(category) && category >= 0 && category < 1e6;
        if (!isNumber || !m_classes.knows(std::int64_t(category))) {
            note(info.id, file, line, fmt::format("has the unknown class {:g}", category));
            return {};
        }
        auto object = objectOf(*numbers, info);
        if (!object) {
            note(info.id, file, line,
                 fmt::format("has {} numbers, neither a box, an outline, nor a box with keypoints", numbers->size()));
            return {};
        }
        const auto label = m_classes.label(std::int64_t(category));
        if (!label)
            return {};
        object->id = std::int64_t(line);
        object->label = *label;
        return m_intake.add(info, std::move(*object), file);
    }

    /// A box (centre and size), a box and keypoints where data.yaml gives their shape, or an outline; all are shares of
    /// the picture.
    std::optional<ObjectAnnotation> objectOf(const std::vector<double>& numbers, const SampleInfo& info) const {
        const std::size_t each = m_files.hasVisibility ? 3 : 2, points = std::size_t(m_files.keypoints);
        if (numbers.size() == 5 + points * each)
            return boxed(numbers, info);
        if (numbers.size() >= 7 && numbers.size() % 2 == 1 && points == 0)
            return outlined(numbers, info);
        return {};
    }

    ObjectAnnotation boxed(const std::vector<double>& numbers, const SampleInfo& info) const {
        ObjectAnnotation object;
        const double x = numbers[1] * info.width, y = numbers[2] * info.height;
        const double halfWidth = numbers[3] * info.width / 2, halfHeight = numbers[4] * info.height / 2;
        object.box = {float(x - halfWidth), float(y - halfHeight), float(x + halfWidth), float(y + halfHeight)};
        const std::size_t each = m_files.hasVisibility ? 3 : 2;
        for (std::size_t i = 0; i < std::size_t(m_files.keypoints); ++i) {
            const std::size_t place = 5 + i * each;
            const bool isGiven = numbers[place] != 0 || numbers[place + 1] != 0; // (0, 0) is a point that is not there
            const int visibility = m_files.hasVisibility ? int(std::clamp(numbers[place + 2], 0.0, 2.0))
                                   : isGiven             ? 2
                                                         : 0;
            object.keypoints.push_back(visibility > 0 ? Keypoint{pointAt(numbers, place, info), visibility}
                                                      : Keypoint{});
        }
        return object;
    }

    static ObjectAnnotation outlined(const std::vector<double>& numbers, const SampleInfo& info) {
        ObjectAnnotation object;
        std::vector<Point> polygon;
        for (std::size_t i = 1; i < numbers.size(); i += 2)
            polygon.push_back(pointAt(numbers, i, info));
        const auto [left, right] = std::minmax_element(polygon.begin(), polygon.end(),
                                                       [](const Point& a, const Point& b) { return a.x < b.x; });
        const auto [top, bottom] = std::minmax_element(polygon.begin(), polygon.end(),
                                                       [](const Point& a, const Point& b) { return a.y < b.y; });
        object.box = {left->x, top->y, right->x, bottom->y};
        object.area = polygonArea(polygon);
        object.polygons.push_back(std::move(polygon));
        return object;
    }

    const YoloFiles& m_files;
    const DatasetContext& m_context;
    DatasetListing& m_listing;
    ObjectIntake m_intake;
    ClassMap m_classes;
    std::set<fs::path> m_labels; ///< files that belong to an image
    std::int64_t m_withoutLabels = 0;
};

} // namespace

Result<DatasetListing> listYolo(const DatasetConfig& entry, const DatasetContext& context) {
    const auto files = locateYolo(entry, context.isForTraining);
    if (!files)
        return files.error();
    std::error_code ignored; // what cannot be looked at was not located
    const bool isFolder = fs::is_directory(entry.path, ignored);
    DatasetListing listing =
        startListing("yolo", TaskKind::Detection, isFolder ? entry.path : files->base.string(), context);
    if (auto read = YoloReader(entry, *files, context, listing).read(); !read)
        return read.error();
    return listing;
}

} // namespace trainyard
