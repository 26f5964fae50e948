#pragma once

#include "core/config/EvaluateConfig.h"
#include "core/config/RcnnConfig.h"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace trainyard {

/// The two families of models; everything that differs between them is chosen by this.
enum class TaskKind { Detection, Recognition };

/// Where samples come from: one entry of `data.train` or `data.validation`.
struct DatasetConfig {
    std::string format = "auto"; ///< a format's name, or `auto` to find it by looking
    std::string path;            ///< folder or file; empty for rendered words
    std::string part; ///< part of a dataset that names parts (VOC: train, val, test); empty is the one that suits its
                      ///< use, `all` everything
    std::string annotations;    ///< annotation file where the format allows several; empty to find it
    std::int64_t batchSize = 0; ///< samples of this set in every batch; 0 shares what is left evenly
    std::string proposals = {}; ///< file of regions found in this set's images, for detectors that are given theirs
    double margin = 0.0;        ///< words cut out of photos: room around each, as a share of its height
    std::string matching = {};  ///< words: regular expression on transcripts; others are left out
    bool operator==(const DatasetConfig&) const = default;
};

/// `data.rendered`: words drawn with the system's fonts, endless, by seed.
struct RenderedWordsConfig {
    std::vector<std::string> fonts;        ///< family names; empty is every Latin font found
    std::vector<std::string> heldOutFonts; ///< families for validation only
    std::string words;                     ///< file with a word a line; empty makes pronounceable words and numbers
    std::int64_t minLength = 3;
    std::int64_t maxLength = 8;
    std::string alphabet;      ///< characters to draw; empty is the model's alphabet
    double perspective = 0.15; ///< largest corner shift, as a share of the height
    double curvature = 0.2;    ///< largest bend, as a share of the height
    double slant = 0.2;        ///< largest shear
    double tilt = 0.0;         ///< largest turn of the base line, in degrees
    double noise = 0.06;       ///< largest standard deviation of pixel noise, of 1
    double blur = 0.8;         ///< largest blur in pixels
    std::string backgrounds;   ///< folder of pictures; empty draws gradients and textures
    std::int64_t validationCount = 500;
    bool operator==(const RenderedWordsConfig&) const = default;
};

/// `data.split`: a share of the training data set aside for validation where no validation set is given.
struct SplitConfig {
    double validationShare = 0.0;
    std::uint64_t seed = 1;
    std::string group; ///< regular expression on a sample's name; equal matches stay on one side
    bool operator==(const SplitConfig&) const = default;
};

/// `data.resize`: the size in which a detector sees a picture.
struct ResizeConfig {
    std::vector<std::int64_t>
        scales;                  ///< shorter sides in training, one drawn for each image; empty: the model's square
    std::int64_t maxSize = 1333; ///< longest side
    std::int64_t validationScale = 0;   ///< shorter side outside training; 0 is the last of `scales`
    std::int64_t validationMaxSize = 0; ///< 0 is `maxSize`
    std::int64_t padTo = 32;            ///< batches are padded to a multiple of this
    bool operator==(const ResizeConfig&) const = default;
};

/// `data.normalise`: what becomes of a detector's pixels: (value of 0 to 255 - mean) / deviation.
struct NormaliseConfig {
    std::string channelOrder = "rgb";                     ///< rgb, bgr: in which the network wants them
    std::vector<double> mean = {123.675, 116.28, 103.53}; ///< in that order; ImageNet's
    std::vector<double> deviation = {58.395, 57.12, 57.375};
    bool operator==(const NormaliseConfig&) const = default;
};

/// `data.tiles`: pictures with a longer side are cut into overlapping squares, predictions put together again.
struct TilesConfig {
    std::int64_t size = 0;      ///< side of a tile; 0 cuts nothing
    std::int64_t overlap = 128; ///< of neighbours, at least
    double mergeOverlap = 0.5;  ///< boxes of one class from two tiles that share more of the smaller one are one object
    bool operator==(const TilesConfig&) const = default;
};

struct DataConfig {
    std::vector<DatasetConfig> train;
    std::vector<DatasetConfig> validation;
    std::int64_t batchSize = 16;             ///< samples in a global batch
    std::int64_t workers = 1;                ///< loader threads
    std::int64_t prefetch = 2;               ///< batches made ahead
    std::string onDamaged = "skip";          ///< skip (another sample takes its place), stop
    std::string onEmpty = "keep";            ///< images without boxes: keep, drop
    std::string onZeroArea = "skip";         ///< boxes without area: skip, fix (to a pixel), stop
    std::string onOutside = "clip";          ///< boxes that leave the image: clip, skip, stop
    std::string onDuplicate = "keep";        ///< objects that repeat another: keep, skip, stop
    double minArea = 0.0;                    ///< objects with less are left out of training
    std::int64_t minKeypoints = 0;           ///< images with fewer visible keypoints are left out of training
    std::int64_t minBatchKeypoints = 0;      ///< a batch with fewer in all makes way for another
    std::string onUnknownCharacter = "skip"; ///< characters outside the alphabet: skip, remove, replace, add, stop
    std::string unknownCharacter;            ///< of the alphabet, written for unknown ones by `replace`
    std::map<std::string, std::string>
        classes; ///< class name in the data → name in the model; "" drops it; empty map keeps all
    std::int64_t maxPixels = 100000000; ///< an image with more is refused before it is decoded
    std::string combine = "shares";     ///< several training sets: shares (of every batch), concatenate
    bool aspectGrouping = false;        ///< every batch has pictures of one orientation
    bool flippedCopies = false;         ///< each training image comes a second time, mirrored
    double repeatThreshold = 0.0;       ///< classes in fewer images than this share are shown more often; 0 is off
    std::vector<std::int64_t>
        keypointPairs; ///< keypoints that change places in a mirror, two by two, from 0; empty goes by their names
    ResizeConfig resize;
    NormaliseConfig normalise;
    TilesConfig tiles;
    std::int64_t bucketBatches = 0; ///< batches that are cut from samples sorted by width; 0 sorts nothing
    std::vector<std::string> steps; ///< words: preprocessing in this order (DataSteps.h), instead of augmentation
    SplitConfig split;
    RenderedWordsConfig rendered;
    // augmentation
    double flip = 0.5;      ///< chance of a horizontal flip (detection)
    double scaleMin = 0.8;  ///< smallest random scale (detection)
    double scaleMax = 1.25; ///< largest random scale (detection)
    double crop = 0.0;      ///< largest share cut off at a side (recognition: jitter of the crop)
    double rotate = 0.0;    ///< largest rotation in degrees
    double brightness = 0.2;
    double contrast = 0.2;
    double saturation = 0.2;
    double blur = 0.0;
    double noise = 0.0;
    bool operator==(const DataConfig&) const = default;
};

/// `model.crnn`: convolutions, two bidirectional LSTMs, CTC. Source: Shi et al. 2015.
struct CrnnConfig {
    std::string alphabet = "0123456789abcdefghijklmnopqrstuvwxyz";
    bool caseSensitive = false;
    std::int64_t height = 32;
    std::int64_t width = 100;
    bool variableWidth = false;     ///< images keep their aspect, up to `width`; a batch is as wide as its widest
    std::int64_t channels = 1;      ///< 1 grey, 3 colour
    std::int64_t stemChannels = 64; ///< width of the first convolution; the others are multiples of it
    std::int64_t hidden = 256;      ///< LSTM units a direction
    std::int64_t layers = 2;
    double dropout = 0.0;
    bool operator==(const CrnnConfig&) const = default;
};

/// `model.aster`: rectifier, convolutions, bidirectional LSTMs, attention in both directions. Source: Shi et al. 2018,
/// "ASTER: An Attentional Scene Text Recognizer with Flexible Rectification".
struct AsterConfig {
    std::string alphabet = "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ"
                           "!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~";
    bool caseSensitive = true;
    std::int64_t height = 64; ///< of the image that comes in
    std::int64_t width = 256;
    std::int64_t channels = 3; ///< 1 grey, 3 colour
    // rectifier
    bool rectifier = true;
    std::int64_t localisationHeight = 32; ///< of the small picture in which control points are found
    std::int64_t localisationWidth = 64;
    std::int64_t rectifiedHeight = 32; ///< of the straightened image
    std::int64_t rectifiedWidth = 100;
    std::int64_t controlPoints = 20;
    double marginX = 0.0; ///< between the output's control points and its sides, as a share of the width
    double marginY = 0.0;
    std::string initialPoints = "sine";   ///< identity, slope, sine
    std::string pointActivation = "none"; ///< none, sigmoid
    double keypointWeight = 0.0; ///< of the distance from control points to annotated outlines; 0 looks at none
    // extractor
    std::string extractor = "resnet"; ///< resnet, crnn
    std::int64_t branches = 1;        ///< of the crnn extractor
    bool tiny = false;                ///< the small localisation network and the small crnn extractor
    std::int64_t stemChannels = 32;   ///< of the resnet extractor
    std::vector<std::int64_t> residualUnits = {3, 4, 6, 6, 3};
    // sequence encoder
    std::int64_t layers = 2;
    std::int64_t hidden = 256;        ///< LSTM units a direction
    std::int64_t sequenceUnits = 256; ///< of the projection behind each layer
    std::string encoderCell = "lstm"; ///< lstm, peephole-lstm, gru
    // decoder
    std::string directions = "both"; ///< both, forward, backward
    std::int64_t decoderUnits = 256;
    std::int64_t attentionUnits = 256;
    std::string decoderCell = "lstm"; ///< lstm, peephole-lstm, gru
    bool sync = true;                 ///< attention looks with the state that the step starts from; else it lags a step
    bool multiAttention = false;      ///< one attention a map of the extractor, instead of one over all
    std::int64_t languageUnits = 0;   ///< of a cell that knows the labels alone, beside the decoder's; 0 is none
    std::int64_t maxSteps = 30;       ///< characters of a word and its end
    std::int64_t beamWidth = 5;
    double lossWeight = 0.5;   ///< of each direction
    double l1 = 0.0, l2 = 0.0; ///< regularisation of kernels: l1 × their absolute values, l2 × half their squares
    bool operator==(const AsterConfig&) const = default;
};

/// `model.retinanet`. Source: Lin et al. 2017, "Focal Loss for Dense Object Detection".
struct RetinaNetConfig {
    std::int64_t classes = 0;               ///< 0: as many as the data has
    std::string convention = "torchvision"; ///< torchvision, detectron: anchors, box coding, losses, extra levels
    std::int64_t depth = 18;                ///< ResNet-18, 34, 50, 101 or 152
    std::int64_t fpnChannels = 256;
    std::int64_t headConvolutions = 4;
    bool sharedConvolutions = false;                           ///< both heads look through the same ones
    std::vector<double> anchorSizes = {32, 64, 128, 256, 512}; ///< side of the base anchor of P3…P7, in network pixels
    std::vector<double> anchorScales = {1.0, 1.2599210498948732, 1.5874010519681994};
    std::vector<double> aspectRatios = {0.5, 1.0, 2.0}; ///< height by width
    double foregroundIou = 0.5;
    double backgroundIou = 0.4;
    double focalAlpha = 0.25;
    double focalGamma = 2.0;
    double boxLossWeight = 1.0;
    double scoreThreshold = 0.05;
    double nmsIou = 0.5;
    std::int64_t topCandidates = 1000; ///< a level
    std::int64_t maxDetections = 300;  ///< an image
    std::int64_t inputSize = 320;      ///< images are scaled to fit this square and padded
    std::int64_t frozenStages = 0;     ///< stem and first stages kept as they are
    bool operator==(const RetinaNetConfig&) const = default;
};

struct ModelConfig {
    std::string type = "crnn";  ///< a name in the model registry
    std::string norm = "batch"; ///< batch, group, frozen, affine, none
    std::string weights;        ///< file to start from; empty starts from random values
    CrnnConfig crnn;
    AsterConfig aster;
    RetinaNetConfig retinanet;
    RcnnConfig rcnn;
    bool operator==(const ModelConfig&) const = default;
};

struct WarmUpConfig {
    std::int64_t iterations = 0;
    double startFactor = 0.1;
    std::string method = "linear"; ///< linear, constant
    bool operator==(const WarmUpConfig&) const = default;
};

struct SolveConfig {
    std::int64_t iterations = 1000; ///< updates in all
    double baseLr = 0.01;
    std::string optimizer = "sgd";   ///< sgd, adam, adadelta, rmsprop, nadam
    std::string policy = "constant"; ///< constant, steps, manual, cosine, exponential, polynomial
    std::vector<std::int64_t> steps; ///< iterations at which `steps` multiplies the rate and `manual` takes another
    std::vector<double> rates;       ///< of `manual`: the rate from each of `steps` on
    double gamma = 0.1;
    std::int64_t decayIterations = 0; ///< in which `exponential` falls by gamma; 0 is the whole run
    bool staircase = false;           ///< `exponential` falls at once after each of these, not little by little
    double finalFactor = 0.0;         ///< of the base rate, reached at the end by cosine and polynomial
    double power = 1.0;               ///< of polynomial
    double momentum = 0.9;
    bool nesterov = false;
    bool rateInMomentum = false;  ///< sgd's velocity holds steps rather than gradients, as Caffe2 keeps it
    double momentumRescale = 1.1; ///< such a velocity follows a rate that changes by more than this factor; 0 never
    double weightDecay = 0.0001;
    double normWeightDecay = 0.0; ///< of normalisation scales
    double biasWeightDecay = 0.0; ///< of biases and of normalisation offsets
    double beta1 = 0.9;
    double beta2 = 0.999;
    double epsilon = 1e-8;
    double rho = 0.95;                     ///< Adadelta and RMSProp
    double biasMultiplier = 1.0;           ///< of bias gradients
    std::string biasPattern = "bias|beta"; ///< regular expression on the names of parameters that it multiplies
    std::vector<std::string> freeze;       ///< regular expressions on parameter names
    double clipNorm = 0.0;                 ///< global norm; 0 is off
    double clipEachNorm = 0.0;             ///< norm of each parameter's gradient; 0 is off
    double clipValue = 0.0;                ///< each element; 0 is off
    std::int64_t accumulate = 1;           ///< batches an update
    double averageDecay = 0.0;             ///< of a moving average of the weights; 0 keeps none
    bool averageRamp = false;              ///< the average follows more quickly at first
    WarmUpConfig warmUp;
    bool operator==(const SolveConfig&) const = default;
};

struct TrainConfig {
    std::string device = "auto";      ///< auto, cpu, cuda:N
    std::vector<std::string> devices; ///< a replica each; empty is the one device
    std::string precision = "auto";   ///< auto, fp32, bf16
    bool deterministic = true;
    std::int64_t threads = 0; ///< compute threads; 0 is cores less the loader's
    bool recompute = false;   ///< blocks are computed again in the backward pass instead of kept
    std::int64_t checkpointEvery = 500;
    double checkpointEverySeconds = 0.0; ///< 0 is off
    std::int64_t evaluateEvery = 500;    ///< 0 never
    std::int64_t summariseEvery = 10;    ///< parameter statistics; 0 never
    std::int64_t keepLast = 3;
    double keepEveryHours = 0.0;      ///< 0 is off
    std::string bestMetric;           ///< empty is the task's own
    std::string onNonFinite = "stop"; ///< stop, skip
    bool eventFiles = false;          ///< for TensorBoard, in the run's folder `events`
    bool jsonStats = false;           ///< Detectron's json_stats lines, in `json_stats.log`
    bool graphFiles = true;           ///< graph.txt and init.txt
    std::int64_t profileAt = 0;       ///< iteration to trace; 0 never
    bool operator==(const TrainConfig&) const = default;
};

/// The task that a model of this type serves; nothing when there is no such type.
struct ModelType {
    std::string name;
    TaskKind task;
    std::string summary; ///< one line
};
const std::vector<ModelType>& modelTypes();
TaskKind taskOf(const ModelConfig& model); ///< of a validated configuration; Detection for an unknown type

/// A run, whole: what its YAML file says after defaults, preset and overrides. A plain value; any thread may copy it.
/// Every field is declared once, with key, unit, range and help, in ModelFields.cpp, AsterFields.cpp, RcnnFields.cpp,
/// DataFields.cpp, SolveFields.cpp, TrainFields.cpp, EvaluateFields.cpp.
struct RunConfig {
    std::uint64_t seed = 1;
    ModelConfig model;
    DataConfig data;
    SolveConfig solve;
    TrainConfig train;
    EvaluateConfig evaluate;
    bool operator==(const RunConfig&) const = default;
};

} // namespace trainyard
