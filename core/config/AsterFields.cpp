#include "core/config/FieldBuilder.h"

namespace trainyard::declare {
namespace {

void inputFields(AsterSection& aster) {
    aster.field("alphabet", &AsterConfig::alphabet)
        .help(TR_LATER("Schema", "The characters that can be read, in the order of the network's outputs."));
    aster.field("case_sensitive", &AsterConfig::caseSensitive)
        .help(TR_LATER("Schema", "Whether capital and small letters are different characters."));
    aster.field("height", &AsterConfig::height)
        .between(32, 512)
        .unit("pixels")
        .help(TR_LATER("Schema", "Height of the network's input."));
    aster.field("width", &AsterConfig::width)
        .between(32, 4096)
        .unit("pixels")
        .help(TR_LATER("Schema", "Width of the network's input."));
    aster.field("channels", &AsterConfig::channels)
        .between(1, 3)
        .help(TR_LATER("Schema", "1 reads grey images, 3 reads colour."));
}

void rectifierFields(AsterSection& aster) {
    aster.field("rectifier", &AsterConfig::rectifier)
        .help(TR_LATER("Schema", "Whether words are straightened before they are read."));
    aster.field("localisation_height", &AsterConfig::localisationHeight)
        .between(32, 512)
        .unit("pixels")
        .help(TR_LATER("Schema", "Height of the small picture in which the control points are found."));
    aster.field("localisation_width", &AsterConfig::localisationWidth)
        .between(32, 1024)
        .unit("pixels")
        .help(TR_LATER("Schema", "Width of the small picture in which the control points are found."));
    aster.field("rectified_height", &AsterConfig::rectifiedHeight)
        .between(32, 512)
        .unit("pixels")
        .help(TR_LATER("Schema", "Height of the straightened word."));
    aster.field("rectified_width", &AsterConfig::rectifiedWidth)
        .between(32, 4096)
        .unit("pixels")
        .help(TR_LATER("Schema", "Width of the straightened word."));
    aster.field("control_points", &AsterConfig::controlPoints)
        .between(4, 100)
        .help(TR_LATER("Schema", "Points along the upper and the lower edge of the word, half on each."));
    aster.field("margin_x", &AsterConfig::marginX)
        .atLeast(0)
        .below(0.5)
        .help(TR_LATER("Schema", "Room left of and right of the straightened word, as a share of its width."));
    aster.field("margin_y", &AsterConfig::marginY)
        .atLeast(0)
        .below(0.5)
        .help(TR_LATER("Schema", "Room above and below the straightened word, as a share of its height."));
    aster.field("initial_points", &AsterConfig::initialPoints)
        .oneOf({"identity", "slope", "sine"})
        .help(TR_LATER("Schema", "Where the control points lie before anything is learnt."));
    aster.field("point_activation", &AsterConfig::pointActivation)
        .oneOf({"none", "sigmoid"})
        .help(TR_LATER("Schema", "A sigmoid keeps the control points within the image."));
    aster.field("keypoint_weight", &AsterConfig::keypointWeight)
        .atLeast(0)
        .help(TR_LATER("Schema", "Factor of the distance between control points and annotated outlines in the total; "
                                 "0 leaves outlines alone."));
}

void networkFields(AsterSection& aster) {
    aster.field("extractor", &AsterConfig::extractor)
        .oneOf({"resnet", "crnn"})
        .help(TR_LATER("Schema", "The convolutions that turn a word into a sequence."));
    aster.field("branches", &AsterConfig::branches)
        .between(1, 3)
        .help(TR_LATER("Schema", "Sequences of growing coarseness that the crnn extractor makes."));
    aster.field("tiny", &AsterConfig::tiny)
        .help(TR_LATER("Schema", "Narrow layers in the localisation network and in the crnn extractor."));
    aster.field("stem_channels", &AsterConfig::stemChannels)
        .between(2, 512)
        .help(TR_LATER("Schema", "Width of the resnet extractor's first block; the later ones are multiples of it."));
    aster.field("residual_units", &AsterConfig::residualUnits)
        .between(1, 100)
        .help(TR_LATER("Schema", "Residual units of the five blocks of the resnet extractor."));
    aster.field("layers", &AsterConfig::layers).between(0, 8).help(TR_LATER("Schema", "Bidirectional LSTM layers."));
    aster.field("hidden", &AsterConfig::hidden)
        .between(4, 4096)
        .help(TR_LATER("Schema", "Units of each LSTM in each direction."));
    aster.field("sequence_units", &AsterConfig::sequenceUnits)
        .between(4, 4096)
        .help(TR_LATER("Schema", "Outputs of the projection behind each bidirectional layer."));
    aster.field("encoder_cell", &AsterConfig::encoderCell)
        .oneOf({"lstm", "peephole-lstm", "gru"})
        .help(TR_LATER("Schema", "The recurrent cell of the sequence encoder."));
}

void decoderFields(AsterSection& aster) {
    aster.field("directions", &AsterConfig::directions)
        .oneOf({"both", "forward", "backward"})
        .help(TR_LATER("Schema", "Which way words are read; of two readings the likelier one counts."));
    aster.field("decoder_units", &AsterConfig::decoderUnits)
        .between(4, 4096)
        .help(TR_LATER("Schema", "Units of the decoder's LSTM."));
    aster.field("attention_units", &AsterConfig::attentionUnits)
        .between(4, 4096)
        .help(TR_LATER("Schema", "Units in which the decoder compares itself with each place of the word."));
    aster.field("decoder_cell", &AsterConfig::decoderCell)
        .oneOf({"lstm", "peephole-lstm", "gru"})
        .help(TR_LATER("Schema", "The recurrent cell of the decoder."));
    aster.field("sync", &AsterConfig::sync)
        .help(TR_LATER("Schema", "Whether a step looks at the word before it moves on; otherwise it moves on with what "
                                 "the step before it saw."));
    aster.field("multi_attention", &AsterConfig::multiAttention)
        .help(TR_LATER("Schema", "Whether each sequence of the extractor is looked at by itself; otherwise all of "
                                 "them are one."));
    aster.field("language_units", &AsterConfig::languageUnits)
        .between(0, 4096)
        .help(TR_LATER("Schema", "Units of a cell beside the decoder's that knows the characters alone; 0 has none."));
    aster.field("max_steps", &AsterConfig::maxSteps)
        .between(2, 1000)
        .help(TR_LATER("Schema", "Characters of a word at most, its end counted too."));
    aster.field("beam_width", &AsterConfig::beamWidth)
        .between(1, 100)
        .changeable(Change::OnResume)
        .help(TR_LATER("Schema", "Readings that are followed at the same time; 1 takes the best character each time."));
    aster.field("loss_weight", &AsterConfig::lossWeight)
        .above(0)
        .help(TR_LATER("Schema", "Factor of each direction's loss in the total."));
    aster.field("l1", &AsterConfig::l1)
        .atLeast(0)
        .help(TR_LATER("Schema", "Regularisation: factor of the sum of all kernels' absolute values in the total."));
    aster.field("l2", &AsterConfig::l2)
        .atLeast(0)
        .help(TR_LATER("Schema", "Regularisation: factor of half the sum of all kernels' squares in the total."));
}

} // namespace

void asterFields(AsterSection aster) {
    inputFields(aster);
    rectifierFields(aster);
    networkFields(aster);
    decoderFields(aster);
}

} // namespace trainyard::declare
