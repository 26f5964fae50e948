#include "core/data/ListedDataset.h"

#include "core/base/Fingerprint.h"
#include "core/config/WordInput.h"
#include "core/data/WordOutlines.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <filesystem>
#include <limits>

namespace trainyard {
namespace {

namespace fs = std::filesystem;

void add(Fingerprint& print, float number) {
    print.add(std::int64_t(std::bit_cast<std::uint32_t>(number)));
}

void add(Fingerprint& print, const ObjectAnnotation& object) {
    print.add(object.id);
    print.add(std::int64_t(object.label) * 4 + object.isCrowd * 2 + object.isDifficult);
    for (const float side : {object.box.x1, object.box.y1, object.box.x2, object.box.y2})
        add(print, side);
    for (const auto& polygon : object.polygons)
        for (const Point& point : polygon) {
            add(print, point.x);
            add(print, point.y);
        }
    if (object.mask)
        for (const auto count : object.mask->counts)
            print.add(std::int64_t(count));
    for (const Keypoint& keypoint : object.keypoints) {
        add(print, keypoint.at.x);
        add(print, keypoint.at.y);
        print.add(std::int64_t(keypoint.visibility));
    }
}

/// The size of the encoded image; -1 when its file is gone.
std::int64_t sizeOf(const ListedSample& sample) {
    if (sample.span)
        return std::int64_t(sample.span->length);
    std::error_code failed;
    const auto bytes = fs::file_size(sample.path, failed);
    return failed ? -1 : std::int64_t(bytes);
}

/// What errors call the image: its file, or the file and its place there.
std::string placeOf(const ListedSample& sample) {
    return sample.span ? sample.span->file->path().string() + ": " + sample.span->name : sample.path;
}

Result<std::string> bytesOf(const ListedSample& sample) {
    if (!sample.span)
        return readFile(sample.path, ErrorKind::Data);
    std::string bytes(std::size_t(sample.span->length), '\0');
    if (!sample.span->file->readAt(sample.span->offset, bytes.data(), bytes.size()))
        return Error{ErrorKind::Data, "The image cannot be read: the file changed or the disk fails.", placeOf(sample),
                     "Copy the file again."};
    return bytes;
}

Result<Image> cutOut(const Image& whole, const ListedSample& sample) {
    const auto part = rectangleOf(sample.outline, whole.width, whole.height);
    if (!part)
        return Error{ErrorKind::Data, "The word lies outside its photo.", placeOf(sample) + ": " + sample.info.id,
                     "Correct its outline."};
    Image word{part->width, part->height, whole.channels, {}};
    word.pixels.resize(std::size_t(word.width) * std::size_t(word.height) * std::size_t(word.channels));
    for (int y = 0; y < word.height; ++y)
        std::copy_n(whole.row(part->y + y) + part->x * whole.channels, word.width * word.channels, word.row(y));
    return word;
}

/// What is outlined in the photo, in pixels of the word that was cut out of it.
void moveIntoCut(Sample& sample, const std::vector<Point>& outline) {
    const auto part = rectangleOf(outline, std::numeric_limits<int>::max(), std::numeric_limits<int>::max());
    for (ObjectAnnotation& object : sample.objects)
        for (auto& polygon : object.polygons)
            for (Point& point : polygon)
                point = {point.x - float(part ? part->x : 0), point.y - float(part ? part->y : 0)};
}

/// Of names, file sizes and annotations; times and places stay out, so that a moved dataset is the same one.
std::string listingPrint(const DatasetListing& listing) {
    Fingerprint print;
    for (const std::string& name : listing.classes)
        print.add(name);
    for (const ListedSample& sample : listing.samples) {
        print.add(sample.info.id);
        print.add(sizeOf(sample));
        print.add(sample.info.transcript);
        for (const std::string& word : sample.info.lexicon)
            print.add(word);
        for (const Point& corner : sample.outline) {
            add(print, corner.x);
            add(print, corner.y);
        }
        for (const ObjectAnnotation& object : sample.info.objects)
            add(print, object);
    }
    return print.text();
}

} // namespace

ListedDataset::ListedDataset(DatasetListing listing)
    : m_listing(std::move(listing)), m_fingerprint(listingPrint(m_listing)) {}

Result<Image> ListedDataset::image(const ListedSample& listed, const std::string& bytes) const {
    auto whole = decodeImage(bytes, placeOf(listed), m_listing.channels, m_listing.maxPixels);
    if (!whole || listed.outline.empty())
        return whole;
    return cutOut(*whole, listed);
}

Result<std::string> ListedDataset::encodedImage(std::int64_t index) const {
    auto bytes = bytesOf(at(index));
    if (!bytes)
        return bytes.error();
    const auto pixels = image(at(index), *bytes);
    if (!pixels)
        return pixels.error();
    if (at(index).outline.empty())
        return bytes;
    return encodeImage(*pixels, ".png");
}

Result<Sample> ListedDataset::sample(std::int64_t index) const {
    const ListedSample& listed = at(index);
    const auto bytes = bytesOf(listed);
    if (!bytes)
        return bytes.error();
    auto pixels = image(listed, *bytes);
    if (!pixels)
        return pixels.error();
    Sample sample{std::move(*pixels), listed.info.objects, listed.info, {}, m_listing.keypointPairs};
    if (!listed.outline.empty())
        moveIntoCut(sample, listed.outline);
    const bool isSizeKnown = listed.info.width > 0 && listed.info.height > 0;
    if (isSizeKnown && (listed.info.width != sample.image.width || listed.info.height != sample.image.height))
        return Error{ErrorKind::Data,
                     fmt::format("The annotations say {} x {} pixels, the upright image has {} x {}.",
                                 listed.info.width, listed.info.height, sample.image.width, sample.image.height),
                     placeOf(listed), "Correct the annotated size, or the image's EXIF orientation."};
    sample.info.width = sample.image.width;
    sample.info.height = sample.image.height;
    return sample;
}

DatasetListing startListing(const std::string& format, TaskKind task, const std::string& path,
                            const DatasetContext& context) {
    DatasetListing listing;
    listing.task = task;
    listing.format = format;
    fs::path folder = fs::path(path).lexically_normal();
    if (folder.filename().empty())
        folder = folder.parent_path();
    listing.name = folder.filename().string();
    listing.channels = task == TaskKind::Recognition && wordInput(context.config.model).channels == 1 ? 1 : 3;
    listing.maxPixels = context.config.data.maxPixels;
    if (!context.config.data.keypointPairs.empty())
        listing.keypointPairs = std::make_shared<const KeypointPairs>(pairsOf(context.config.data.keypointPairs));
    return listing;
}

Error withProblems(Error error, const DatasetListing& listing) {
    constexpr std::size_t kNamed = 5;
    for (std::size_t i = 0; i < std::min(kNamed, listing.problems.size()); ++i)
        error.others.push_back({ErrorKind::Data, listing.problems[i].message, listing.problems[i].sample, ""});
    return error;
}

void numberSamples(DatasetListing& listing) {
    std::int64_t number = 0;
    for (ListedSample& sample : listing.samples) {
        sample.info.imageId = number++;
        sample.info.dataset = listing.name;
    }
}

} // namespace trainyard
