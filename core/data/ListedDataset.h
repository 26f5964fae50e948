#pragma once

#include "core/base/InputFile.h"
#include "core/data/Dataset.h"

#include <optional>

namespace trainyard {

/// An encoded image inside a file that holds many.
struct ImageSpan {
    std::shared_ptr<const InputFile> file;
    std::uint64_t offset = 0, length = 0;
    std::string name; ///< for errors: the key, or the record and its offset
};

struct ListedSample {
    SampleInfo info;
    std::string path;              ///< of the image file; empty where `span` has it
    std::optional<ImageSpan> span; ///< the image's bytes, where it has no file of its own
    std::vector<Point> outline;    ///< of a word to be cut out of the image; empty where the image is the sample
};

/// What a format's reader found: all that a dataset of image files is.
struct DatasetListing {
    TaskKind task = TaskKind::Detection;
    std::string name, format;
    std::vector<std::string> classes;
    std::vector<std::int64_t> categoryIds;
    std::vector<ListedSample> samples;
    std::vector<DataProblem> problems;
    std::shared_ptr<const KeypointPairs> keypointPairs; ///< null where the format does not say
    int channels = 3;
    std::int64_t maxPixels = 0;
};

/// A dataset whose samples are image files or pieces of one, listed when it was opened. Immutable; any thread.
class ListedDataset final : public Dataset {
public:
    explicit ListedDataset(DatasetListing listing);

    TaskKind task() const override { return m_listing.task; }
    std::string name() const override { return m_listing.name; }
    std::string format() const override { return m_listing.format; }
    std::int64_t size() const override { return std::int64_t(m_listing.samples.size()); }
    const std::vector<std::string>& classes() const override { return m_listing.classes; }
    std::vector<std::int64_t> categoryIds() const override { return m_listing.categoryIds; }
    SampleInfo info(std::int64_t index) const override { return at(index).info; }
    Result<Sample> sample(std::int64_t index) const override;
    Result<std::string> encodedImage(std::int64_t index) const override;
    const std::vector<DataProblem>& problems() const override { return m_listing.problems; }
    std::string fingerprint() const override { return m_fingerprint; }

private:
    Result<Image> image(const ListedSample& listed, const std::string& bytes) const;
    const ListedSample& at(std::int64_t index) const { return m_listing.samples.at(std::size_t(index)); }

    DatasetListing m_listing;
    std::string m_fingerprint;
};

/// The listing's name, task, channels and limits from what was asked for; `folder` gives the name.
DatasetListing startListing(const std::string& format, TaskKind task, const std::string& path,
                            const DatasetContext& context);

/// Numbers the samples where the format has no image ids.
void numberSamples(DatasetListing& listing);

/// `error` with the first problems of a listing that came to nothing.
Error withProblems(Error error, const DatasetListing& listing);

/// One reader a format; each turns an entry into a listing or into the Data error that says what is wrong with it.
Result<DatasetListing> listCoco(const DatasetConfig& entry, const DatasetContext& context);
/// VOC counts pixels from 1 and both ends belong to the box: x1 = xmin - 1, y1 = ymin - 1, x2 = xmax, y2 = ymax. A box
/// whose ends are equal as written (xmin = xmax) has no area.
Result<DatasetListing> listVoc(const DatasetConfig& entry, const DatasetContext& context);
/// YOLO: images/ and labels/ with a text file an image, classes in data.yaml or classes.txt. The annotation's number is
/// its line.
Result<DatasetListing> listYolo(const DatasetConfig& entry, const DatasetContext& context);
Result<DatasetListing> listIcdarWords(const DatasetConfig& entry, const DatasetContext& context);
/// Words cut out of photos, whose outlines lie in a text file each.
Result<DatasetListing> listIcdarPhotos(const DatasetConfig& entry, const DatasetContext& context);
Result<DatasetListing> listFolderLabels(const DatasetConfig& entry, const DatasetContext& context);
/// Words in LMDB: `num-samples`, `image-%09d`, `label-%09d`. Where there are labels without images, each names its
/// image as a label file's line does (MMOCR), to be found beside the database.
Result<DatasetListing> listLmdb(const DatasetConfig& entry, const DatasetContext& context);
/// Words and boxes in TFRecord files, as the ASTER trainer and TensorFlow's Object Detection API write them.
Result<DatasetListing> listTfRecordWords(const DatasetConfig& entry, const DatasetContext& context);
Result<DatasetListing> listTfRecordBoxes(const DatasetConfig& entry, const DatasetContext& context);

} // namespace trainyard
