#include "core/data/TfRecordDataset.h"

#include <fmt/format.h>

#include <algorithm>

namespace trainyard {
namespace {

namespace fs = std::filesystem;

/// words.tfrecord, words.record, words.tfrecords, words.tfrecord-00001-of-00010.
bool hasRecordName(const fs::path& path) {
    const std::string name = path.filename().string();
    for (const char* ending : {".tfrecord", ".tfrecords", ".record"}) {
        const auto at = name.rfind(ending);
        if (at != std::string::npos && (name.ends_with(ending) || name.find('-', at) != std::string::npos))
            return true;
    }
    return false;
}

Result<void> note(DatasetListing& listing, const DatasetContext& context, const std::string& file,
                  const std::string& message) {
    if (context.config.data.onDamaged == "stop")
        return Error{ErrorKind::Data, message, file, "Write it anew, or set data.on_damaged to skip."};
    listing.problems.push_back({DataProblem::Severity::Error, fs::path(file).filename().string(), message});
    return {};
}

} // namespace

std::vector<fs::path> tfRecordFiles(const fs::path& path) {
    std::error_code ignored; // what is no folder is opened as a file, and fails there
    if (!fs::is_directory(path, ignored))
        return {path};
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(path, ignored))
        if (hasRecordName(entry.path()) && entry.is_regular_file(ignored))
            files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    return files;
}

std::string tfRecordFormat(const fs::path& path) {
    const auto files = tfRecordFiles(path);
    if (files.empty() || !TfRecordReader::looksLikeIt(files.front()))
        return "";
    auto reader = TfRecordReader::open(files.front());
    constexpr int kLooked = 16; // the first pictures may be without objects
    for (int i = 0; i < kLooked && reader && !reader->atEnd(); ++i) {
        const auto record = reader->next();
        const auto example = record ? TfExample::parse(record->data) : std::nullopt;
        if (!example || example->kind("image/transcript") != TfExample::Kind::None)
            break;
        if (example->kind("image/object/bbox/xmin") != TfExample::Kind::None)
            return "tfrecord-boxes";
    }
    return "tfrecord";
}

WordExample WordExample::of(const TfExample& example) {
    WordExample word;
    word.encoded = example.bytes("image/encoded", word.encoded);
    word.format = example.bytes("image/format", word.format);
    word.filename = example.bytes("image/filename", word.filename);
    word.sourceId = example.bytes("image/source_id", word.sourceId);
    word.transcript = example.bytes("image/transcript", word.transcript);
    word.height = example.integer("image/height", word.height);
    word.width = example.integer("image/width", word.width);
    word.keypoints = example.allFloats("image/keypoints");
    std::string_view words = example.bytes("image/lexicon");
    while (!words.empty()) {
        const std::size_t end = std::min(words.find('\t'), words.size());
        word.lexicon.push_back(words.substr(0, end));
        words.remove_prefix(std::min(end + 1, words.size()));
    }
    return word;
}

ImageSpan ReadExample::span(std::string_view bytes) const {
    return {file, record.dataOffset() + std::uint64_t(bytes.data() - record.data.data()), bytes.size(), record.name()};
}

Result<void> eachExample(const DatasetConfig& entry, const DatasetContext& context, DatasetListing& listing,
                         const std::function<Result<void>(const ReadExample&)>& take) {
    const auto files = tfRecordFiles(entry.path);
    if (files.empty())
        return Error{ErrorKind::Data, "The folder has no TFRecord files.", entry.path,
                     "Their names end in .tfrecord or .record, or have that before a shard's number."};
    for (const fs::path& path : files) {
        auto reader = TfRecordReader::open(path);
        if (!reader)
            return reader.error();
        while (!reader->atEnd()) {
            if (context.progress)
                context.progress(std::int64_t(reader->offset()), std::int64_t(reader->file()->length()));
            const auto record = reader->next();
            if (!record) {
                if (auto noted = note(listing, context, path.string(), record.error().what); !noted)
                    return noted;
                break;
            }
            const auto example = record->isWhole ? TfExample::parse(record->data) : std::nullopt;
            const char* what = record->isWhole ? "is no tf.train.Example" : "is damaged: its checksum does not match";
            const auto done =
                example ? take({*record, *example, reader->file()})
                        : note(listing, context, path.string(), fmt::format("The {} {}.", record->name(), what));
            if (!done)
                return done;
        }
    }
    return {};
}

std::string ExampleIds::idOf(const ReadExample& read) {
    const WordExample names = WordExample::of(read.example);
    for (const auto name : {names.filename, names.sourceId})
        if (!name.empty() && m_taken.insert(std::string(name)).second)
            return std::string(name);
    std::string id = fmt::format("{}#{}", read.file->path().filename().string(), read.record.number);
    m_taken.insert(id);
    return id;
}

} // namespace trainyard
