#include "core/data/Formats.h"

#include "core/base/AtomicFile.h"
#include "core/base/Text.h"
#include "core/data/CocoFiles.h"
#include "core/data/ImageFinder.h"
#include "core/data/LabelFile.h"
#include "core/data/ListedDataset.h"
#include "core/data/LmdbFile.h"
#include "core/data/OpenCvImage.h"
#include "core/data/RenderedWords.h"
#include "core/data/TfRecordDataset.h"
#include "core/data/VocFiles.h"
#include "core/data/WordOutlines.h"
#include "core/data/YoloFiles.h"

#include <fmt/format.h>

#include <algorithm>

namespace trainyard {
namespace {

namespace fs = std::filesystem;

/// Whether images with a text beside them lie in `folder` or just below it.
bool hasTextPairs(const fs::path& folder, int depth = 2) {
    std::error_code ignored; // an unreadable folder has no pairs for us
    for (const auto& entry : fs::directory_iterator(folder, ignored)) {
        if (hasImageExtension(entry.path()) && fs::exists(fs::path(entry.path()).replace_extension(".txt"), ignored))
            return true;
        if (depth > 0 && entry.is_directory(ignored) && hasTextPairs(entry.path(), depth - 1))
            return true;
    }
    return false;
}

std::string formatOfLabels(const fs::path& file) {
    const auto text = readFile(file, ErrorKind::Data);
    return text && file.extension() == ".txt" && looksLikeIcdarWords(*text) ? "icdar-words" : "folder+labels";
}

/// The format of a folder, or empty.
std::string formatOfFolder(const fs::path& folder) {
    if (LmdbFile::looksLikeIt(folder))
        return "lmdb";
    if (looksLikeVoc(folder))
        return "voc";
    if (!cocoCandidates(folder).empty())
        return "coco";
    if (looksLikeYolo(folder))
        return "yolo";
    if (const auto labels = findLabelFile(folder))
        return formatOfLabels(*labels);
    if (const std::string records = tfRecordFormat(folder); !records.empty())
        return records;
    if (hasOutlineFiles(folder))
        return "icdar-photos";
    return hasTextPairs(folder) ? "folder+labels" : "";
}

std::string formatOfFile(const fs::path& file) {
    if (LmdbFile::looksLikeIt(file))
        return "lmdb";
    if (const std::string records = tfRecordFormat(file); !records.empty())
        return records;
    if (looksLikeYolo(file))
        return "yolo";
    if (file.extension() == ".json")
        return looksLikeCoco(file) ? "coco" : "folder+labels";
    const bool isLabels = file.extension() == ".txt" || file.extension() == ".tsv" || file.extension() == ".csv" ||
                          file.extension() == ".jsonl";
    return isLabels ? formatOfLabels(file) : "";
}

/// `path/part` where that is a folder with a dataset in it; without a part and without a dataset in `path`, the
/// subfolder that is usual for the purpose.
DatasetConfig withPartFolder(DatasetConfig entry, bool isForTraining) {
    std::vector<std::string> names{entry.part};
    if (entry.part.empty())
        names = isForTraining ? std::vector<std::string>{"train", "training"}
                              : std::vector<std::string>{"val", "validation", "valid", "test"};
    std::error_code ignored; // what cannot be looked at is reported when it is opened
    if (!fs::is_directory(entry.path, ignored) || (entry.part.empty() && !formatOfFolder(entry.path).empty()))
        return entry;
    if (!entry.part.empty() &&
        (looksLikeVoc(entry.path) || !cocoCandidates(entry.path).empty() || looksLikeYolo(entry.path)))
        return entry; // these formats know parts themselves
    for (const std::string& name : names)
        if (const fs::path folder = fs::path(entry.path) / name; fs::is_directory(folder, ignored)) {
            entry.path = folder.string();
            entry.part.clear();
            break;
        }
    return entry;
}

Error noFormat(const fs::path& path) {
    std::error_code ignored;
    if (!fs::exists(path, ignored))
        return {ErrorKind::Data, "The dataset does not exist.", path.string(), "Check the path."};
    if (fs::is_directory(path, ignored) && fs::is_empty(path, ignored))
        return {ErrorKind::Data, "The dataset's folder is empty.", path.string(), "Check the path."};
    if (!fs::is_directory(path, ignored))
        if (const auto file = InputFile::open(path); !file) // a pipe, a device, no permission
            return file.error();
    std::vector<std::string> looks;
    for (const Format& format : formats())
        if (format.name != "rendered-words")
            looks.push_back(fmt::format("{} ({})", format.name, format.summary));
    return {ErrorKind::Data, fmt::format("No dataset of a known format is there; looked for {}.", text::joined(looks)),
            path.string(), "Name the format as FORMAT:PATH, or convert the annotations."};
}

Error wrongTask(const DatasetConfig& entry, TaskKind wanted) {
    return {ErrorKind::Data,
            wanted == TaskKind::Recognition
                ? fmt::format("The dataset has boxes ({}), but the model reads words.", entry.format)
                : fmt::format("The dataset has words ({}), but the model finds objects.", entry.format),
            entry.path, "Choose a dataset of the model's task, or another model.type."};
}

const Format* findNamed(const std::string& name) {
    const auto found =
        std::find_if(formats().begin(), formats().end(), [&](const Format& f) { return f.name == name; });
    return found == formats().end() ? nullptr : &*found;
}

Result<DatasetListing> list(const DatasetConfig& entry, const DatasetContext& context) {
    if (entry.format == "coco")
        return listCoco(entry, context);
    if (entry.format == "voc")
        return listVoc(entry, context);
    if (entry.format == "yolo")
        return listYolo(entry, context);
    if (entry.format == "icdar-words")
        return listIcdarWords(entry, context);
    if (entry.format == "icdar-photos")
        return listIcdarPhotos(entry, context);
    if (entry.format == "lmdb")
        return listLmdb(entry, context);
    if (entry.format == "tfrecord")
        return listTfRecordWords(entry, context);
    if (entry.format == "tfrecord-boxes")
        return listTfRecordBoxes(entry, context);
    return listFolderLabels(entry, context);
}

} // namespace

const std::vector<Format>& formats() {
    static const std::vector<Format> all{
        {"coco", TaskKind::Detection, "annotations/instances_*.json or a COCO JSON file"},
        {"voc", TaskKind::Detection, "Annotations/*.xml"},
        {"yolo", TaskKind::Detection, "data.yaml, or images/ and labels/ with classes.txt"},
        {"tfrecord-boxes", TaskKind::Detection,
         ".tfrecord or .record files of TensorFlow's Object Detection API: image/object/bbox/xmin, …"},
        {"icdar-words", TaskKind::Recognition, "gt.txt with lines like: word_1.png, \"TEXT\""},
        {"icdar-photos", TaskKind::Recognition,
         "photos, and for each a gt_NAME.txt with lines like: x1,y1,x2,y2,x3,y3,x4,y4,TEXT"},
        {"folder+labels", TaskKind::Recognition,
         "labels.txt, .tsv, .csv, .jsonl or .json, or a .txt beside each image"},
        {"lmdb", TaskKind::Recognition, "a folder with data.mdb: num-samples, image-000000001, label-000000001, …"},
        {"tfrecord", TaskKind::Recognition, ".tfrecord or .record files: image/encoded, image/transcript"},
        {"rendered-words", TaskKind::Recognition, "no files: words drawn with the system's fonts"},
    };
    return all;
}

std::optional<fs::path> findLabelFile(const fs::path& folder) {
    std::error_code ignored; // an unreadable folder has no labels for us
    for (const char* stem : {"labels", "label", "gt", "old_label"})
        for (const char* extension : {".txt", ".tsv", ".csv", ".jsonl", ".json"})
            if (const fs::path file = folder / (std::string(stem) + extension); fs::is_regular_file(file, ignored))
                return file;
    std::vector<fs::path> others;
    for (const auto& entry : fs::directory_iterator(folder, ignored)) {
        const std::string name = entry.path().filename().string();
        if (entry.path().extension() == ".txt" &&
            (name.starts_with("rec_gt") || name.ends_with("_gt.txt") || name.ends_with("_GT.txt")))
            others.push_back(entry.path());
    }
    std::sort(others.begin(), others.end());
    if (others.empty())
        return {};
    return others.front();
}

Result<std::string> findFormat(const std::string& path) {
    std::error_code ignored; // noFormat says what is wrong with the path
    const std::string format = fs::is_directory(path, ignored)      ? formatOfFolder(path)
                               : fs::is_regular_file(path, ignored) ? formatOfFile(path)
                                                                    : "";
    if (format.empty())
        return noFormat(path);
    return format;
}

Result<std::unique_ptr<Dataset>> openDataset(const DatasetConfig& given, const DatasetContext& context) {
    prepareOpenCv();
    DatasetConfig entry = given;
    if (entry.format.empty())
        entry.format = "auto";
    if (entry.format != "auto" && !findNamed(entry.format)) {
        std::vector<std::string> names;
        for (const Format& format : formats())
            names.push_back(format.name);
        return Error{ErrorKind::Usage, fmt::format("There is no dataset format \"{}\".", entry.format), entry.path,
                     fmt::format("Choose one of auto, {}.", text::joined(names))};
    }
    if (entry.format != "rendered-words") {
        std::error_code ignored; // the sentence is the same
        if (entry.path.empty() || !fs::exists(entry.path, ignored) ||
            (fs::is_directory(entry.path, ignored) && fs::is_empty(entry.path, ignored)))
            return noFormat(entry.path);
        entry = withPartFolder(entry, context.isForTraining);
    }
    if (entry.format == "auto") {
        auto format = findFormat(entry.path);
        if (!format)
            return format.error();
        entry.format = *format;
    }
    if (findNamed(entry.format)->task != context.task)
        return wrongTask(entry, context.task);
    if (entry.format == "rendered-words")
        return openRenderedWords(entry, context);
    auto listing = list(entry, context);
    if (!listing)
        return listing.error();
    return std::make_unique<ListedDataset>(std::move(*listing));
}

DatasetConfig parseDatasetArgument(const std::string& argument) {
    DatasetConfig entry;
    std::error_code ignored; // a path that cannot be looked at does not exist as written
    std::string rest = argument;
    if (const auto colon = argument.find(':'); colon != std::string::npos) {
        const std::string name = argument.substr(0, colon);
        if (name == "auto" || findNamed(name)) {
            entry.format = name;
            rest = argument.substr(colon + 1);
        }
    } else if (argument == "rendered-words" && !fs::exists(argument, ignored)) {
        entry.format = argument;
        rest.clear();
    }
    const auto hash = rest.rfind('#');
    const bool hasPart =
        hash != std::string::npos && rest.find('/', hash) == std::string::npos && !fs::exists(rest, ignored);
    entry.path = hasPart ? rest.substr(0, hash) : rest;
    entry.part = hasPart ? rest.substr(hash + 1) : "";
    return entry;
}

} // namespace trainyard
