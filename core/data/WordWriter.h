#pragma once

#include "core/base/Error.h"
#include "core/telemetry/Annotation.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace trainyard {

/// A word on its way into a file of another format.
struct WordToWrite {
    std::string id;                        ///< in the dataset it comes from
    std::string image;                     ///< the bytes of an image file
    std::string transcript;                ///< UTF-8
    std::vector<std::string> lexicon = {}; ///< tfrecord and .jsonl hold it
    std::vector<Point> outline = {};       ///< in pixels of the image, around the word; tfrecord holds it
};

/// Writes words in one format into a place that nobody sees yet. One thread.
class WordWriter {
public:
    virtual ~WordWriter() = default;
    /// Fails when the format cannot hold the word, or the disk is full.
    virtual Result<void> add(const WordToWrite& word) = 0;
    /// Completes what was written; nothing may be added after it.
    virtual Result<void> finish() = 0;
};

/// "lmdb", "tfrecord", "icdar-words" and "folder+labels" can be written.
bool canWriteWords(const std::string& format);
/// Whether the format is a folder rather than one file.
bool isWrittenAsFolder(const std::string& format);

/// A writer into `place`: an empty folder, or the file that it makes. `labels` is the label file's name for
/// folder+labels (labels.tsv, .txt, .csv, .jsonl or .json).
Result<std::unique_ptr<WordWriter>> makeWordWriter(const std::string& format, const std::filesystem::path& place,
                                                   const std::string& labels);

} // namespace trainyard
