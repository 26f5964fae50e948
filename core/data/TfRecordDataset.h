#pragma once

#include "core/data/ListedDataset.h"
#include "core/data/TfExample.h"
#include "core/data/TfRecordFile.h"

#include <filesystem>
#include <unordered_set>

namespace trainyard {

/// The TFRecord files that `path` stands for: itself, or those of a folder in the order of their names (shards).
std::vector<std::filesystem::path> tfRecordFiles(const std::filesystem::path& path);

/// "tfrecord", "tfrecord-boxes" (the first record has boxes), or empty when it is no TFRecord file.
std::string tfRecordFormat(const std::filesystem::path& path);

/// What an ASTER example says of one word; members that its record lacks have these values.
struct WordExample {
    std::string_view encoded, format = "jpeg", filename, sourceId, transcript;
    std::int64_t height = 1, width = 1;
    std::vector<float> keypoints;          ///< x, y, x, y, … along the word's outline, in pixels
    std::vector<std::string_view> lexicon; ///< the words it can be, separated by tabs in the file

    static WordExample of(const TfExample& example);
};

/// A record with the example in it.
struct ReadExample {
    const TfRecord& record;
    const TfExample& example;
    const std::shared_ptr<const InputFile>& file;

    /// "images.tfrecord: record 3 at byte 1234".
    std::string place() const { return file->path().string() + ": " + record.name(); }
    /// Where `bytes`, a piece of the record's data, lie in the file.
    ImageSpan span(std::string_view bytes) const;
};

/// Goes through all records of a dataset once. Damage is noted, or an error where `data.on_damaged` is `stop`.
Result<void> eachExample(const DatasetConfig& entry, const DatasetContext& context, DatasetListing& listing,
                         const std::function<Result<void>(const ReadExample&)>& take);

/// A sample's id: the file name in its example where that is one and new, else the record's place.
class ExampleIds {
public:
    std::string idOf(const ReadExample& read);

private:
    std::unordered_set<std::string> m_taken;
};

} // namespace trainyard
