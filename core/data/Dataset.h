#pragma once

#include "core/base/Error.h"
#include "core/base/Random.h"
#include "core/config/RunConfig.h"
#include "core/data/Image.h"
#include "core/data/KeypointPairs.h"
#include "core/telemetry/Annotation.h"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace trainyard {

/// An image with what is known about it. `objects` are in pixels of `image` and follow it through the transforms;
/// `info.objects` stay in pixels of the image file.
struct Sample {
    Image image;
    std::vector<ObjectAnnotation> objects;
    SampleInfo info;
    std::vector<Box> proposals =
        {}; ///< regions given to a detector, where the set comes with some; they move with `objects`
    std::shared_ptr<const KeypointPairs> keypointPairs = {}; ///< null: COCO's persons where there are 17 keypoints
    std::vector<float> values = {}; ///< the pixels as numbers where preprocessing made such, in the image's order
};

/// Something a person should know about a dataset: a box without area, a missing image, an unknown character.
struct DataProblem {
    enum class Severity { Note, Warning, Error };
    Severity severity = Severity::Warning;
    std::string sample; ///< its id
    std::string message;
    std::string file = {};       ///< that has the fault, where it is not the image: an annotation file
    std::string annotation = {}; ///< its id there, or its number, where the fault is one annotation's
    std::optional<Box> box = {}; ///< that annotation's, before it was mended or left out, in pixels of the image
};

/// Samples by number. Reading is by index and safe from any number of threads at once; nothing is ever written to the
/// user's folders.
class Dataset {
public:
    static constexpr std::int64_t kEndless = -1;

    virtual ~Dataset() = default;
    virtual TaskKind task() const = 0;
    virtual std::string name() const = 0;                        ///< short, for people: the folder's name
    virtual std::string format() const = 0;                      ///< one of `formats()`
    virtual std::int64_t size() const = 0;                       ///< kEndless for rendered words
    virtual const std::vector<std::string>& classes() const = 0; ///< detection: class names by label
    /// COCO: the category id of each label, so that results carry the file's own ids.
    virtual std::vector<std::int64_t> categoryIds() const = 0;
    /// What is known without decoding the image (its size may be 0 until then).
    virtual SampleInfo info(std::int64_t index) const = 0;
    /// Decoded and upright. A damaged image is a Data error that names its file.
    virtual Result<Sample> sample(std::int64_t index) const = 0;
    /// The picture as a file: the bytes as they stand where a whole file is the sample, else a PNG of its pixels. It
    /// was decoded to see that it is whole.
    virtual Result<std::string> encodedImage(std::int64_t index) const;
    /// Found while opening.
    virtual const std::vector<DataProblem>& problems() const = 0;
    /// Characters that its transcripts have and the alphabet lacks, UTF-8, where `data.on_unknown_character` is add.
    virtual std::string newCharacters() const { return {}; }
    /// Of names, sizes and annotations; not of every pixel.
    virtual std::string fingerprint() const = 0;
};

/// What `openDataset` needs beside the entry itself.
struct DatasetContext {
    const RunConfig& config;
    TaskKind task = TaskKind::Detection;
    bool isForTraining = true;
    std::function<void(std::int64_t done, std::int64_t total)> progress; ///< may be empty
    /// Words: the transcripts as they are written, whatever the model's alphabet and width; for conversion.
    bool isVerbatim = false;
    /// Words: regular expression on whole transcripts, of the entry that is opened; empty takes all.
    std::string matching = {};
};

/// Opens a dataset of the named format, or finds the format by looking. A Data error names path and remedy.
Result<std::unique_ptr<Dataset>> openDataset(const DatasetConfig& entry, const DatasetContext& context);

/// The format `path` seems to have ("coco", "voc", …), or the Data error that says what was looked for.
Result<std::string> findFormat(const std::string& path);

/// "FORMAT:PATH" or "PATH", optionally with "#PART" at its end (VOC: `…/bccd_voc#test`), as the command line takes it.
DatasetConfig parseDatasetArgument(const std::string& argument);

/// Decodes an image file, upright by EXIF, RGB or grey by `channels` (0 keeps what the file has, alpha over white).
/// Refuses more than `maxPixels` before decoding, and truncated files, with a Data error that names the file.
Result<Image> readImage(const std::string& path, int channels, std::int64_t maxPixels);
Result<Image> decodeImage(const std::string& bytes, const std::string& name, int channels, std::int64_t maxPixels);
/// `extension`: .png or .jpg.
Result<std::string> encodeImage(const Image& image, const std::string& extension);
/// By the extension: .png, .jpg.
Result<void> writeImage(const std::string& path, const Image& image);

} // namespace trainyard
