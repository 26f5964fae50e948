#include "core/config/FieldBuilder.h"

namespace trainyard::declare {
namespace {

void viewFields(Section<Field, RunConfig, ViewsConfig> views) {
    views.field("flip", &ViewsConfig::flip)
        .changeable(kOnResume)
        .help(TR_LATER("Schema", "The network sees the image mirrored too."));
    views.field("scales", &ViewsConfig::scales)
        .between(32, 10000)
        .unit("pixels")
        .changeable(kOnResume)
        .help(TR_LATER("Schema", "Further sizes in which it sees the image: of the shorter side, or of a square."));
    views.field("max_size", &ViewsConfig::maxSize)
        .between(32, 10000)
        .unit("pixels")
        .changeable(kOnResume)
        .help(TR_LATER("Schema", "Longer side at most of an image in those sizes."));
    views.field("scale_flip", &ViewsConfig::scaleFlip)
        .changeable(kOnResume)
        .help(TR_LATER("Schema", "It sees each of those sizes mirrored too."));
    views.field("aspect_ratios", &ViewsConfig::aspectRatios)
        .between(0.1, 10)
        .changeable(kOnResume)
        .help(TR_LATER("Schema", "Further shapes in which it sees the image: so many times as wide."));
    views.field("aspect_ratio_flip", &ViewsConfig::aspectRatioFlip)
        .changeable(kOnResume)
        .help(TR_LATER("Schema", "It sees each of those shapes mirrored too."));
}

void augmentFields(Section<Field, RunConfig, AugmentConfig> augment) {
    viewFields(augment.section("boxes", &AugmentConfig::boxes));
    viewFields(augment.section("masks", &AugmentConfig::masks));
    viewFields(augment.section("keypoints", &AugmentConfig::keypoints));
    augment.field("mask_average", &AugmentConfig::maskAverage)
        .oneOf({"mean", "max", "logit_mean"})
        .changeable(kOnResume)
        .help(TR_LATER("Schema", "How the masks of several views become one."));
    augment.field("keypoint_average", &AugmentConfig::keypointAverage)
        .oneOf({"mean", "max"})
        .changeable(kOnResume)
        .help(TR_LATER("Schema", "How the keypoint maps of several views become one."));
    augment.field("keypoints_by_size", &AugmentConfig::keypointsBySize)
        .changeable(kOnResume)
        .help(TR_LATER("Schema", "Keypoints of small objects are not taken from reduced views, nor those of large ones "
                                 "from enlarged views."));
    augment.field("small_area", &AugmentConfig::smallArea)
        .atLeast(0)
        .unit("pixels")
        .changeable(kOnResume)
        .help(TR_LATER("Schema", "Area of a box up to which keypoints_by_size calls it small."));
}

void expectationFields(Section<Field, RunConfig, EvaluateConfig> evaluate) {
    evaluate.field("expected", &EvaluateConfig::expected)
        .changeable(kOnResume)
        .help(TR_LATER("Schema", "Metrics that must come out: {bbox/AP: 0.364, segm/AP: 0.33 ± 0.002}."));
    evaluate.field("expected_rtol", &EvaluateConfig::expectedRtol)
        .atLeast(0)
        .changeable(kOnResume)
        .help(TR_LATER("Schema", "Difference allowed from an expected number, as a share of it."));
    evaluate.field("expected_atol", &EvaluateConfig::expectedAtol)
        .atLeast(0)
        .changeable(kOnResume)
        .help(TR_LATER("Schema", "Difference allowed from an expected number beyond expected_rtol."));
    evaluate.field("expected_sigmas", &EvaluateConfig::expectedSigmas)
        .atLeast(0)
        .changeable(kOnResume)
        .help(TR_LATER("Schema", "Deviations allowed from an expected number that gives its deviation."));
}

void wordFields(Section<Field, RunConfig, EvaluateConfig> evaluate) {
    evaluate.field("compare", &EvaluateConfig::compare)
        .oneOf({"alphabet", "alphanumeric"})
        .changeable(kOnResume)
        .help(TR_LATER("Schema", "How readings are compared: by every character, with case where the alphabet has it, "
                                 "or by ASCII letters and digits alone, without case."));
    evaluate.field("lexicon", &EvaluateConfig::lexicon)
        .changeable(kOnResume)
        .help(TR_LATER("Schema", "File with a word a line; readings are replaced by the nearest of them."));
    evaluate.field("uses_lexicons", &EvaluateConfig::usesLexicons)
        .changeable(kOnResume)
        .help(TR_LATER("Schema", "Whether readings are replaced by the nearest word of the sample's own lexicon, where "
                                 "the data has one."));
    evaluate.field("steps", &EvaluateConfig::steps)
        .changeable(kOnResume)
        .help(TR_LATER("Schema", "Words: preprocessing in evaluation and prediction, as data.steps."));
}

} // namespace

void evaluateFields(RunSection& run) {
    auto evaluate = run.section("evaluate", &RunConfig::evaluate);
    evaluate.field("batch_size", &EvaluateConfig::batchSize)
        .between(0, 1000000)
        .unit("samples")
        .changeable(kOnResume)
        .help(TR_LATER("Schema", "Samples in a batch of an evaluation; 0 takes the training batch."));
    evaluate.field("max_samples", &EvaluateConfig::maxSamples)
        .atLeast(0)
        .unit("samples")
        .changeable(kOnResume)
        .help(TR_LATER("Schema", "Samples of an evaluation at most; 0 takes all."));
    evaluate.field("voc", &EvaluateConfig::voc)
        .oneOf({"auto", "none", "area", "eleven"})
        .changeable(kOnResume)
        .help(TR_LATER("Schema",
                       "Pascal VOC's average precision beside COCO's, by area or at eleven points; auto gives "
                       "it for VOC data, by area."));
    evaluate.field("pictures", &EvaluateConfig::pictures)
        .between(0, 1000)
        .unit("samples")
        .changeable(kOnResume)
        .help(TR_LATER("Schema", "Samples that an evaluation draws with what the model says of them."));
    evaluate.field("pictures_of", &EvaluateConfig::picturesOf)
        .oneOf({"first", "wrong"})
        .changeable(kOnResume)
        .help(TR_LATER("Schema", "Which samples are drawn: the first ones, or the first words that are read wrong."));
    evaluate.field("weights", &EvaluateConfig::weights)
        .oneOf({"raw", "averaged"})
        .changeable(kOnResume)
        .help(TR_LATER("Schema", "Which weights are evaluated and predict: those that are trained, or their moving "
                                 "average (solve.average_decay)."));
    wordFields(evaluate);
    augmentFields(evaluate.section("augment", &EvaluateConfig::augment));
    expectationFields(evaluate);
}

} // namespace trainyard::declare
