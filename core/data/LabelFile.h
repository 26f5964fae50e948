#pragma once

#include "core/base/Error.h"
#include "core/telemetry/Annotation.h"

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace trainyard {

/// One image with its transcript, as a label file has it.
struct Label {
    std::string image; ///< as written: a name, or a path relative to the label file
    std::string transcript;
    std::vector<Point> outline;            ///< of the word in a photo; empty where the image is the word
    std::vector<std::string> lexicon = {}; ///< words among which the transcript is (JSON's "lexicon")
};

/// What could be read of a label file, and what could not.
struct LabelFile {
    std::vector<Label> labels;
    std::vector<std::string> problems; ///< sentences that start with the line
};

/// Whether a name as written is an image that exists; decides where a line splits.
using IsImage = std::function<bool(const std::string&)>;

/// "image transcript" lines: the first blank or tab splits and the rest is the transcript, its blanks included. A name
/// with blanks works where a tab follows it. PaddleOCR's `["a.jpg", "b.jpg"]<tab>text` gives a sample for each image;
/// its list of objects with `transcription` and `points` gives a sample for each word of a photo.
/// Where every line is like Synth90k's `./2425/1/115_Lube_45484.jpg 45484`, the word in the name is the transcript.
LabelFile readTextLabels(std::string_view text, const IsImage& isImage);
/// Separated by `separator`; RFC 4180 quotes for commas, none for tabs. A first row without an image is a header.
LabelFile readTableLabels(std::string_view text, char separator, const IsImage& isImage);
/// An object a line.
Result<LabelFile> readJsonLines(const std::string& text, const std::string& file);
/// MMOCR's `data_list` (of words, or of photos whose `instances` have polygons), a list of objects, or one object from
/// image to transcript.
Result<LabelFile> readJsonLabels(const std::string& text, const std::string& file);
/// ICDAR's `word_1.png, "TEXT"`: split at the first comma, outer quotes taken off, `\"` is a quote.
LabelFile readIcdarWords(std::string_view text);

/// Adds the words of a photo, where `text` is PaddleOCR's list of them; false where it is something else.
bool addOutlinedLabels(const std::string& image, const std::string& text, LabelFile& file);
/// ICDAR's quoted text: without the outer quotes and the backslashes before inner ones.
std::string unquoted(std::string_view text);

/// Chooses the reader by the extension of `file` (.json, .jsonl, .csv, .tsv, everything else is text).
Result<LabelFile> readLabelFile(const std::filesystem::path& file, const IsImage& isImage);

/// Whether the first lines look like ICDAR's word labels.
bool looksLikeIcdarWords(std::string_view text);

} // namespace trainyard
