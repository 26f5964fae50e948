#include "core/config/FieldBuilder.h"

namespace trainyard::declare {
namespace {

void splitFields(Section<Field, RunConfig, SplitConfig> split) {
    split.field("validation_share", &SplitConfig::validationShare)
        .atLeast(0)
        .below(1)
        .help(TR_LATER("Schema", "Share of the training data set aside where no validation data is given."));
    split.field("seed", &SplitConfig::seed).atLeast(0).help(TR_LATER("Schema", "Decides which samples are set aside."));
    split.field("group", &SplitConfig::group)
        .help(TR_LATER("Schema", "Regular expression on a sample's name; samples with equal matches stay together."));
}

void renderedFields(Section<Field, RunConfig, RenderedWordsConfig> words) {
    words.field("fonts", &RenderedWordsConfig::fonts)
        .changeable(kOnResume)
        .help(TR_LATER("Schema", "Font families to draw with; empty takes every Latin font of the system."));
    words.field("held_out_fonts", &RenderedWordsConfig::heldOutFonts)
        .changeable(kOnResume)
        .help(TR_LATER("Schema", "Font families that only validation words are drawn with."));
    words.field("words", &RenderedWordsConfig::words)
        .changeable(kOnResume)
        .help(TR_LATER("Schema", "File with a word a line; empty makes up pronounceable words and numbers."));
    words.field("min_length", &RenderedWordsConfig::minLength)
        .between(1, 100)
        .unit("characters")
        .changeable(kOnResume)
        .help(TR_LATER("Schema", "Length of the shortest word."));
    words.field("max_length", &RenderedWordsConfig::maxLength)
        .between(1, 100)
        .unit("characters")
        .changeable(kOnResume)
        .help(TR_LATER("Schema", "Length of the longest word."));
    words.field("alphabet", &RenderedWordsConfig::alphabet)
        .changeable(kOnResume)
        .help(TR_LATER("Schema", "Characters to draw; empty takes the model's alphabet."));
    words.field("perspective", &RenderedWordsConfig::perspective)
        .between(0, 0.5)
        .changeable(kOnResume)
        .help(TR_LATER("Schema", "Largest shift of a corner, as a share of the height."));
    words.field("curvature", &RenderedWordsConfig::curvature)
        .between(0, 2)
        .changeable(kOnResume)
        .help(TR_LATER("Schema", "Largest bend of the base line, as a share of the height."));
    words.field("slant", &RenderedWordsConfig::slant)
        .between(0, 1)
        .changeable(kOnResume)
        .help(TR_LATER("Schema", "Largest shear."));
    words.field("tilt", &RenderedWordsConfig::tilt)
        .between(0, 180)
        .unit("degrees")
        .changeable(kOnResume)
        .help(TR_LATER("Schema", "Largest turn of the base line to either side."));
    words.field("noise", &RenderedWordsConfig::noise)
        .between(0, 1)
        .changeable(kOnResume)
        .help(TR_LATER("Schema", "Largest standard deviation of the pixel noise, of 1."));
    words.field("blur", &RenderedWordsConfig::blur)
        .between(0, 20)
        .unit("pixels")
        .changeable(kOnResume)
        .help(TR_LATER("Schema", "Largest blur."));
    words.field("backgrounds", &RenderedWordsConfig::backgrounds)
        .changeable(kOnResume)
        .help(TR_LATER("Schema", "Folder of pictures to draw on; empty draws gradients and textures."));
    words.field("validation_count", &RenderedWordsConfig::validationCount)
        .between(1, 1000000)
        .unit("samples")
        .changeable(kOnResume)
        .help(TR_LATER("Schema", "Words in a rendered validation set."));
}

void augmentationFields(Section<Field, RunConfig, DataConfig>& data) {
    data.field("flip", &DataConfig::flip)
        .between(0, 1)
        .changeable(kOnResume)
        .help(TR_LATER("Schema", "Chance of a horizontal flip (detection)."));
    data.field("scale_min", &DataConfig::scaleMin)
        .between(0.05, 20)
        .changeable(kOnResume)
        .help(TR_LATER("Schema", "Smallest random scale (detection)."));
    data.field("scale_max", &DataConfig::scaleMax)
        .between(0.05, 20)
        .changeable(kOnResume)
        .help(TR_LATER("Schema", "Largest random scale (detection)."));
    data.field("crop", &DataConfig::crop)
        .atLeast(0)
        .below(0.5)
        .changeable(kOnResume)
        .help(TR_LATER("Schema", "Largest share cut off at each side."));
    data.field("rotate", &DataConfig::rotate)
        .between(0, 180)
        .unit("degrees")
        .changeable(kOnResume)
        .help(TR_LATER("Schema", "Largest rotation to either side."));
    data.field("brightness", &DataConfig::brightness)
        .between(0, 1)
        .changeable(kOnResume)
        .help(TR_LATER("Schema", "Largest relative change of brightness."));
    data.field("contrast", &DataConfig::contrast)
        .between(0, 1)
        .changeable(kOnResume)
        .help(TR_LATER("Schema", "Largest relative change of contrast."));
    data.field("saturation", &DataConfig::saturation)
        .between(0, 1)
        .changeable(kOnResume)
        .help(TR_LATER("Schema", "Largest relative change of saturation."));
    data.field("blur", &DataConfig::blur)
        .between(0, 20)
        .unit("pixels")
        .changeable(kOnResume)
        .help(TR_LATER("Schema", "Largest random blur."));
    data.field("noise", &DataConfig::noise)
        .between(0, 1)
        .changeable(kOnResume)
        .help(TR_LATER("Schema", "Largest standard deviation of random pixel noise, of 1."));
}

} // namespace

void datasetEntryFields(DatasetSection& entry) {
    entry.field("format", &DatasetConfig::format)
        .changeable(kOnResume)
        .oneOf({"auto", "coco", "voc", "yolo", "tfrecord-boxes", "icdar-words", "icdar-photos", "folder+labels", "lmdb",
                "tfrecord", "iiit5k", "tagged-words", "image-list", "synthtext", "rendered-words"})
        .help(TR_LATER("Schema", "How the data is laid out; auto finds it by looking."));
    entry.field("path", &DatasetConfig::path)
        .changeable(kOnResume)
        .help(TR_LATER("Schema", "Folder or file; empty for rendered words."));
    entry.field("part", &DatasetConfig::part)
        .changeable(kOnResume)
        .help(TR_LATER("Schema", "Part of a dataset that names parts (train, val, test); empty takes all."));
    entry.field("annotations", &DatasetConfig::annotations)
        .changeable(kOnResume)
        .help(TR_LATER("Schema", "Annotation file where the format allows several; empty finds it."));
    entry.field("proposals", &DatasetConfig::proposals)
        .changeable(kOnResume)
        .help(TR_LATER("Schema", "File of regions found in these images, for a detector that is given its regions."));
    entry.field("batch_size", &DatasetConfig::batchSize)
        .between(0, 1000000)
        .unit("samples")
        .changeable(kOnResume)
        .help(TR_LATER("Schema", "Samples of this set in every batch; 0 shares evenly what is left."));
    entry.field("margin", &DatasetConfig::margin)
        .between(0, 10)
        .changeable(kOnResume)
        .help(TR_LATER("Schema", "Words cut out of photos: room around each word, as a share of its height."));
    entry.field("matching", &DatasetConfig::matching)
        .changeable(kOnResume)
        .help(TR_LATER("Schema", "Regular expression that a whole transcript must match, else the word is left out."));
}

void dataFields(RunSection& run) {
    auto data = run.section("data", &RunConfig::data);
    data.field("train", &DataConfig::train)
        .changeable(kOnResume)
        .help(
            TR_LATER("Schema",
                     "What to learn from: entries of format, path, part, annotations, batch_size; data.train[0].path=… "
                     "overrides one key of an entry."));
    data.field("validation", &DataConfig::validation)
        .changeable(kOnResume)
        .help(TR_LATER("Schema", "What to measure on, in the same form: data.validation[0].path=… overrides one key."));
    data.field("batch_size", &DataConfig::batchSize)
        .between(1, 1000000)
        .unit("samples")
        .changeable(kOnResume)
        .help(TR_LATER("Schema", "Samples in a batch, over all devices."));
    data.field("workers", &DataConfig::workers)
        .between(1, 256)
        .unit("threads")
        .changeable(kOnResume)
        .help(TR_LATER("Schema", "Threads that load data; their number does not change the batches."));
    data.field("prefetch", &DataConfig::prefetch)
        .between(1, 1000)
        .unit("batches")
        .changeable(kOnResume)
        .help(TR_LATER("Schema", "Batches made ahead."));
    data.field("on_damaged", &DataConfig::onDamaged)
        .oneOf({"skip", "stop"})
        .changeable(kOnResume)
        .help(TR_LATER("Schema", "A damaged image is replaced by another sample, or stops the run."));
    data.field("on_empty", &DataConfig::onEmpty)
        .oneOf({"keep", "drop"})
        .changeable(kOnResume)
        .help(TR_LATER("Schema", "Images without objects are kept as negatives, or dropped."));
    data.field("on_zero_area", &DataConfig::onZeroArea)
        .oneOf({"skip", "fix", "stop"})
        .changeable(kOnResume)
        .help(TR_LATER("Schema", "Boxes without area are skipped, made a pixel wide and high, or stop the run."));
    data.field("on_unknown_character", &DataConfig::onUnknownCharacter)
        .oneOf({"skip", "remove", "replace", "add", "stop"})
        .changeable(kOnResume)
        .help(TR_LATER("Schema", "Words with characters outside the alphabet are skipped, lose them, have another one "
                                 "instead, bring them into the alphabet when the run starts, or stop the run."));
    data.field("unknown_character", &DataConfig::unknownCharacter)
        .changeable(kOnResume)
        .help(TR_LATER("Schema", "Character of the alphabet that stands for every unknown one where these are "
                                 "replaced."));
    data.field("classes", &DataConfig::classes)
        .help(TR_LATER(
            "Schema", "Class in the data: class of the model; equal names merge, \"\" drops, \"*\" stands for all that "
                      "are not named, empty keeps all."));
    data.field("max_pixels", &DataConfig::maxPixels)
        .atLeast(1)
        .unit("pixels")
        .changeable(kOnResume)
        .help(TR_LATER("Schema", "An image with more pixels is refused before it is decoded."));
    detectionDataFields(data);
    data.field("bucket_batches", &DataConfig::bucketBatches)
        .between(0, 100000)
        .unit("batches")
        .changeable(kOnResume)
        .help(TR_LATER("Schema", "Words: so many batches are cut at a time from samples sorted by their width, and "
                                 "shown in random order; 0 sorts nothing."));
    data.field("steps", &DataConfig::steps)
        .changeable(kOnResume)
        .help(TR_LATER("Schema", "Words: preprocessing in training, step by step in this order, each a name and its "
                                 "options (random_adjust_brightness max_delta=0.2); replaces the random changes "
                                 "below."));
    augmentationFields(data);
    splitFields(data.section("split", &DataConfig::split));
    renderedFields(data.section("rendered", &DataConfig::rendered));
}

} // namespace trainyard::declare
