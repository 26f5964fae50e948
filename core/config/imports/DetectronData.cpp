#include "core/config/imports/DetectronMapping.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace trainyard::detectron {
namespace {

/// A data set of Detectron's catalogue: where its file lies in Detectron's data folder, and its part where one folder
/// has several.
struct Catalogued {
    std::string_view name, format, path, part;
};
constexpr Catalogued kCatalogue[] = {
    {"coco_2014_train", "coco", "coco/annotations/instances_train2014.json", ""},
    {"coco_2014_val", "coco", "coco/annotations/instances_val2014.json", ""},
    {"coco_2014_minival", "coco", "coco/annotations/instances_minival2014.json", ""},
    {"coco_2014_valminusminival", "coco", "coco/annotations/instances_valminusminival2014.json", ""},
    {"coco_2015_test", "coco", "coco/annotations/image_info_test2015.json", ""},
    {"coco_2015_test-dev", "coco", "coco/annotations/image_info_test-dev2015.json", ""},
    {"coco_2017_test", "coco", "coco/annotations/image_info_test2017.json", ""},
    {"coco_2017_test-dev", "coco", "coco/annotations/image_info_test-dev2017.json", ""},
    {"coco_stuff_train", "coco", "coco/annotations/coco_stuff_train.json", ""},
    {"coco_stuff_val", "coco", "coco/annotations/coco_stuff_val.json", ""},
    {"keypoints_coco_2014_train", "coco", "coco/annotations/person_keypoints_train2014.json", ""},
    {"keypoints_coco_2014_val", "coco", "coco/annotations/person_keypoints_val2014.json", ""},
    {"keypoints_coco_2014_minival", "coco", "coco/annotations/person_keypoints_minival2014.json", ""},
    {"keypoints_coco_2014_valminusminival", "coco", "coco/annotations/person_keypoints_valminusminival2014.json", ""},
    {"keypoints_coco_2015_test", "coco", "coco/annotations/image_info_test2015.json", ""},
    {"keypoints_coco_2015_test-dev", "coco", "coco/annotations/image_info_test-dev2015.json", ""},
    {"voc_2007_train", "voc", "VOC2007/VOCdevkit2007/VOC2007", "train"},
    {"voc_2007_val", "voc", "VOC2007/VOCdevkit2007/VOC2007", "val"},
    {"voc_2007_test", "voc", "VOC2007/VOCdevkit2007/VOC2007", "test"},
    {"voc_2012_train", "voc", "VOC2012/VOCdevkit2012/VOC2012", "train"},
    {"voc_2012_val", "voc", "VOC2012/VOCdevkit2012/VOC2012", "val"},
    {"cityscapes_fine_instanceonly_seg_train", "coco",
     "cityscapes/annotations/instancesonly_filtered_gtFine_train.json", ""},
    {"cityscapes_fine_instanceonly_seg_val", "coco", "cityscapes/annotations/instancesonly_filtered_gtFine_val.json",
     ""},
    {"cityscapes_fine_instanceonly_seg_test", "coco", "cityscapes/annotations/instancesonly_filtered_gtFine_test.json",
     ""},
};

DatasetConfig entryOf(const std::string& name) {
    DatasetConfig entry;
    const auto* found = std::find_if(std::begin(kCatalogue), std::end(kCatalogue),
                                     [&](const Catalogued& known) { return known.name == name; });
    if (found == std::end(kCatalogue)) {
        entry.path = name; // a data set of their own: the name stands for its place
        return entry;
    }
    entry.format = found->format;
    entry.path = found->path;
    entry.part = found->part;
    return entry;
}

/// Sets `proposals` of an entry where there is such a field.
bool setProposals(DatasetConfig& entry, const std::string& file) {
    for (const DatasetField& field : Schema::instance().datasetFields())
        if (field.key == "proposals") {
            field.write(entry, file);
            return true;
        }
    return false;
}

void mapDatasets(Mapping& mapping, const std::string& side, const std::string& key) {
    const auto names = mapping.from.texts(side + ".DATASETS"), files = mapping.from.texts(side + ".PROPOSAL_FILES");
    if (!files.empty() && files.size() != names.size())
        return mapping.problem(
            side + ".PROPOSAL_FILES",
            fmt::format("{0}.PROPOSAL_FILES must give a file for each of {0}.DATASETS; there are {1} "
                        "files and {2} data sets.",
                        side, files.size(), names.size()));
    std::vector<DatasetConfig> entries;
    for (std::size_t i = 0; i < names.size(); ++i) {
        entries.push_back(entryOf(names[i]));
        if (i < files.size() && setProposals(entries.back(), files[i]))
            mapping.use({side + ".PROPOSAL_FILES"});
    }
    mapping.put({}, key, entries);
    if (files.empty())
        mapping.use({side + ".PROPOSAL_FILES"});
    mapping.adapt(side + ".DATASETS", fmt::format("{} gives where they lie in Detectron's data folder; set it to your "
                                                  "copies.",
                                                  key));
}

/// One queue of batches is ours; theirs holds minibatches of a GPU.
void mapLoader(Mapping& mapping) {
    const std::int64_t gpus = std::max<std::int64_t>(mapping.from.integer("NUM_GPUS"), 1);
    mapping.put({"TRAIN.IMS_PER_BATCH"}, "data.batch_size", gpus * mapping.from.integer("TRAIN.IMS_PER_BATCH"));
    mapping.map("DATA_LOADER.NUM_THREADS", "data.workers");
    const std::int64_t queued = mapping.from.integer("DATA_LOADER.MINIBATCH_QUEUE_SIZE");
    mapping.put({"DATA_LOADER.MINIBATCH_QUEUE_SIZE"}, "data.prefetch",
                std::max<std::int64_t>((queued + gpus - 1) / gpus, 1));
    mapping.adapt("DATA_LOADER.BLOBS_QUEUE_CAPACITY", "there is one queue, data.prefetch.");
}

void mapPictures(Mapping& mapping) {
    const Config& from = mapping.from;
    mapping.map("TRAIN.SCALES", "data.resize.scales");
    mapping.map("TRAIN.MAX_SIZE", "data.resize.max_size");
    mapping.map("TEST.SCALE", "data.resize.validation_scale");
    mapping.map("TEST.MAX_SIZE", "data.resize.validation_max_size");
    const bool hasPyramid = from.flag("FPN.FPN_ON");
    mapping.put({"FPN.COARSEST_STRIDE"}, "data.resize.pad_to",
                hasPyramid ? from.integer("FPN.COARSEST_STRIDE") : std::int64_t(1));
    const std::vector<double> means = from.numbers("PIXEL_MEANS");
    if (means.size() != 3)
        return mapping.problem("PIXEL_MEANS", fmt::format("PIXEL_MEANS must give 3 numbers, not {}.", means.size()));
    if (mapping.put({"PIXEL_MEANS"}, "data.normalise.mean", means)) {
        mapping.to.set("data.normalise.channel_order", std::string("bgr"));
        mapping.to.set("data.normalise.deviation", std::vector<double>{1, 1, 1});
    }
    for (const char* none :
         {"data.crop", "data.rotate", "data.brightness", "data.contrast", "data.saturation", "data.blur", "data.noise"})
        mapping.to.set(none, 0.0); // Detectron mirrors and scales, and does nothing else
    for (const char* one : {"data.scale_min", "data.scale_max"})
        mapping.to.set(one, 1.0);
    mapping.to.set("data.flip", 0.0);
    if (!mapping.map("TRAIN.USE_FLIPPED", "data.flipped_copies"))
        mapping.put({"TRAIN.USE_FLIPPED"}, "data.flip", from.flag("TRAIN.USE_FLIPPED") ? 0.5 : 0.0);
}

void mapObjects(Mapping& mapping) {
    const Config& from = mapping.from;
    mapping.map("TRAIN.ASPECT_GROUPING", "data.aspect_grouping");
    if (from.texts("TRAIN.DATASETS").size() > 1)
        mapping.to.set("data.combine", std::string("concatenate"));
    mapping.to.set("data.on_empty", std::string("drop"));
    mapping.put({"TRAIN.GT_MIN_AREA"}, "data.min_area",
                double(std::max<std::int64_t>(from.integer("TRAIN.GT_MIN_AREA"), 0)));
    if (!from.flag("MODEL.KEYPOINTS_ON"))
        return;
    mapping.to.set("data.min_keypoints", std::int64_t(1)); // an image without keypoints teaches nothing
    const std::string least = "KRCNN.MIN_KEYPOINT_COUNT_FOR_VALID_MINIBATCH"; // there must be more, in each GPU's part
    mapping.put({least}, "data.min_batch_keypoints",
                std::max<std::int64_t>(from.integer("NUM_GPUS"), 1) * (from.integer(least) + 1));
}

} // namespace

void mapData(Mapping& mapping) {
    mapDatasets(mapping, "TRAIN", "data.train");
    mapDatasets(mapping, "TEST", "data.validation");
    mapLoader(mapping);
    mapPictures(mapping);
    mapObjects(mapping);
}

} // namespace trainyard::detectron
