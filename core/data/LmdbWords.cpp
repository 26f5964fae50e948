#include "core/base/Text.h"
#include "core/data/ImageFinder.h"
#include "core/data/LabelFile.h"
#include "core/data/LmdbFile.h"
#include "core/data/WordIntake.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace trainyard {
namespace {

constexpr std::uint64_t kLongestLabel = 1 << 20; // bytes; a longer transcript is damage
constexpr std::int64_t kNamedKeys = 1000;        // missing keys that are named one by one

/// What a database holds of one number.
struct Entry {
    std::int64_t number = 0;
    LmdbValue value;
    auto operator<=>(const Entry& other) const { return number <=> other.number; }
    bool operator==(const Entry& other) const { return number == other.number; }
};

struct Contents {
    std::vector<Entry> images, labels; ///< by number
    std::optional<LmdbValue> count;
    std::vector<std::string> others; ///< a few keys that mean nothing to us
};

std::string key(const char* kind, std::int64_t number) {
    return fmt::format("{}-{:09}", kind, number);
}

/// The number after `prefix`, or nothing.
std::optional<std::int64_t> numberAfter(std::string_view key, std::string_view prefix) {
    if (!key.starts_with(prefix))
        return {};
    std::int64_t number = 0;
    const char* end = key.data() + key.size();
    const auto parsed = std::from_chars(key.data() + prefix.size(), end, number);
    return parsed.ec == std::errc() && parsed.ptr == end && number >= 0 ? std::optional(number) : std::nullopt;
}

Contents contentsOf(const LmdbFile& database, DatasetListing& listing) {
    Contents contents;
    const std::string name = database.file()->path().filename().string();
    database.visit(
        [&](std::string_view key, const LmdbValue& value) {
            if (const auto image = numberAfter(key, "image-"))
                contents.images.push_back({*image, value});
            else if (const auto label = numberAfter(key, "label-"))
                contents.labels.push_back({*label, value});
            else if (key == "num-samples")
                contents.count = value;
            else if (contents.others.size() < 4)
                contents.others.push_back(text::encode(text::repaired(key)));
        },
        [&](const std::string& problem) {
            listing.problems.push_back({DataProblem::Severity::Error, name, problem});
        });
    std::sort(contents.images.begin(), contents.images.end());
    std::sort(contents.labels.begin(), contents.labels.end());
    return contents;
}

std::optional<std::string> textOf(const LmdbFile& database, const LmdbValue& value) {
    if (value.length > kLongestLabel)
        return {};
    std::string text(std::size_t(value.length), '\0');
    return database.file()->readAt(value.offset, text.data(), text.size()) ? std::optional(text) : std::nullopt;
}

/// The last sample's number by `num-samples`; by what was found, where it says nothing.
std::int64_t lastNumber(const LmdbFile& database, const Contents& contents, std::int64_t lastFound,
                        DatasetListing& listing) {
    std::int64_t stated = 0;
    const auto text = contents.count ? textOf(database, *contents.count) : std::nullopt;
    if (text && std::from_chars(text->data(), text->data() + text->size(), stated).ec == std::errc())
        return std::max(stated, lastFound);
    listing.problems.push_back({DataProblem::Severity::Warning, "num-samples",
                                fmt::format("The number of samples is {}; those found are taken.",
                                            text ? fmt::format("no number (\"{}\")", *text) : "missing")});
    return lastFound;
}

/// Notes keys that should be there and are not, one by one while they are few.
class MissingKeys {
public:
    explicit MissingKeys(DatasetListing& listing) : m_listing(listing) {}

    void add(const std::string& name) {
        if (m_count++ < kNamedKeys)
            m_listing.problems.push_back({DataProblem::Severity::Error, name, "The key is missing or damaged."});
    }
    /// The images from `first` to `last`.
    void add(std::int64_t first, std::int64_t last) {
        for (; first <= last && m_count < kNamedKeys; ++first)
            add(key("image", first));
        m_count += std::max<std::int64_t>(last - first + 1, 0);
    }
    void finish() {
        if (m_count > kNamedKeys)
            m_listing.problems.push_back({DataProblem::Severity::Error, "",
                                          fmt::format("{} more keys are missing or damaged.", m_count - kNamedKeys)});
    }

private:
    DatasetListing& m_listing;
    std::int64_t m_count = 0;
};

const LmdbValue* find(const std::vector<Entry>& entries, std::int64_t number) {
    const auto found = std::lower_bound(entries.begin(), entries.end(), Entry{number, {}});
    return found != entries.end() && found->number == number ? &found->value : nullptr;
}

std::vector<std::int64_t> numbersOf(const Contents& contents) {
    std::vector<std::int64_t> numbers;
    for (const auto* entries : {&contents.images, &contents.labels})
        for (const Entry& entry : *entries)
            numbers.push_back(entry.number);
    std::sort(numbers.begin(), numbers.end());
    numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
    return numbers;
}

/// Takes the samples in the order of their numbers; a key that should be there and is not is named.
Result<void> takeImages(const LmdbFile& database, const Contents& contents, const DatasetContext& context,
                        DatasetListing& listing) {
    WordIntake intake(context, listing, database.file()->path().string());
    const auto numbers = numbersOf(contents);
    MissingKeys missing(listing);
    std::int64_t next = std::min<std::int64_t>(numbers.front(), 1); // all count from 1, but a few from 0
    for (std::size_t i = 0; i < numbers.size(); ++i) {
        if (context.progress && i % 4096 == 0)
            context.progress(std::int64_t(i), std::int64_t(numbers.size()));
        const std::int64_t number = numbers[i];
        missing.add(next, number - 1);
        next = number + 1;
        const LmdbValue *image = find(contents.images, number), *label = find(contents.labels, number);
        const auto transcript = label ? textOf(database, *label) : std::nullopt;
        if (!image || !transcript) {
            missing.add(key(image ? "label" : "image", number));
            continue;
        }
        ListedSample sample;
        sample.info.id = key("image", number);
        sample.span = ImageSpan{database.file(), image->offset, image->length, sample.info.id};
        if (auto added = intake.add(std::move(sample), *transcript); !added)
            return added.error();
    }
    missing.add(next, lastNumber(database, contents, numbers.back(), listing));
    missing.finish();
    return intake.finish();
}

/// Labels that name their images, as lines of JSON or of a plain label file.
Result<void> takeNames(const LmdbFile& database, const Contents& contents, const DatasetContext& context,
                       DatasetListing& listing) {
    const auto path = database.file()->path();
    const auto folder = std::filesystem::absolute(path).parent_path();
    auto folders = ImageFinder::usualFolders(folder);
    for (auto& beside : ImageFinder::usualFolders(folder.parent_path()))
        folders.push_back(std::move(beside));
    const ImageFinder finder(std::move(folders));
    WordIntake intake(context, listing, path.string());
    for (const Entry& entry : contents.labels) {
        const std::string id = key("label", entry.number);
        const std::string text = textOf(database, entry.value).value_or("");
        const auto json = text.starts_with('{') ? readJsonLines(text, path.string() + ": " + id)
                                                : Result<LabelFile>(readTextLabels(text, [&](const std::string& name) {
                                                      return finder.find(name).has_value();
                                                  }));
        if (!json || json->labels.size() != 1) {
            intake.note(id, json ? "The label names no image and text." : json.error().what);
            continue;
        }
        const Label& label = json->labels.front();
        const auto image = finder.find(label.image);
        if (!image) {
            intake.addMissing(id, fmt::format("The image file {} is missing.", label.image));
            continue;
        }
        ListedSample sample;
        sample.info.id = label.image;
        sample.path = image->string();
        if (auto added = intake.add(std::move(sample), label.transcript); !added)
            return added.error();
    }
    return intake.finish();
}

} // namespace

Result<DatasetListing> listLmdb(const DatasetConfig& entry, const DatasetContext& context) {
    const auto database = LmdbFile::open(entry.path);
    if (!database)
        return database.error();
    DatasetListing listing = startListing("lmdb", TaskKind::Recognition, entry.path, context);
    const Contents contents = contentsOf(*database, listing);
    const std::string path = database->file()->path().string();
    if (context.config.data.onDamaged == "stop" && !listing.problems.empty())
        return Error{ErrorKind::Data, listing.problems.front().message, path, "Copy the database again."};
    if (contents.labels.empty())
        return Error{ErrorKind::Data,
                     contents.others.empty() ? "The LMDB database has no labels."
                                             : fmt::format("The LMDB database has no labels; its keys are {}.",
                                                           text::joined(contents.others)),
                     path, "Words are kept under num-samples, image-000000001, label-000000001 and so on."};
    auto taken = contents.images.empty() ? takeNames(*database, contents, context, listing)
                                         : takeImages(*database, contents, context, listing);
    if (!taken)
        return withProblems(taken.error(), listing);
    return listing;
}

} // namespace trainyard
