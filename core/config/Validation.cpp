#include "core/config/Validation.h"

#include "core/base/Expression.h"
#include "core/base/Letters.h"
#include "core/base/Text.h"
#include "core/config/DataSteps.h"
#include "core/config/Expectation.h"
#include "core/config/ValueText.h"
#include "core/config/WordInput.h"

#include <algorithm>
#include <fmt/format.h>
#include <regex>
#include <set>

namespace trainyard {
namespace {

using Problems = std::vector<CrossProblem>;

void checkExpression(const std::string& key, const std::string& text, Problems& problems) {
    if (const auto expression = compileExpression(text, key); !expression)
        problems.push_back({{key}, key + ": " + expression.error().what});
}

bool isDevice(const std::string& name) {
    static const std::regex pattern("cpu|cuda(:[0-9]{1,3})?");
    return name.size() < 20 && std::regex_match(name, pattern);
}

/// `section` is "model.crnn." or "model.aster.".
void checkAlphabet(const std::string& section, const std::string& alphabet, bool isCaseSensitive, Problems& problems) {
    std::set<std::string> seen, twice;
    const std::string key = section + "alphabet";
    if (alphabet.empty())
        problems.push_back({{key}, key + " must name at least one character."});
    for (const char32_t c : text::repaired(text::composed(alphabet))) {
        const auto character = text::encode(c);
        if (!seen.insert(character).second && twice.insert(character).second) // said once, however often
            problems.push_back({{key}, key + " has " + yamlQuoted(character) + " twice."});
        if (!isCaseSensitive && text::lower(c) != c)
            problems.push_back({{key, section + "case_sensitive"},
                                key + " has " + yamlQuoted(character) + " though " + section +
                                    "case_sensitive is false; write small letters only."});
    }
}

void checkChannels(const std::string& section, std::int64_t channels, Problems& problems) {
    if (channels == 2)
        problems.push_back({{section + "channels"}, section + "channels must be 1 (grey) or 3 (colour), not 2."});
}

void checkCrnn(const CrnnConfig& crnn, Problems& problems) {
    if (crnn.height % 16 != 0)
        problems.push_back(
            {{"model.crnn.height"}, fmt::format("model.crnn.height must be a multiple of 16, not {}.", crnn.height)});
    checkChannels("model.crnn.", crnn.channels, problems);
    checkAlphabet("model.crnn.", crnn.alphabet, crnn.caseSensitive, problems);
}

void checkAster(const AsterConfig& aster, Problems& problems) {
    const std::string section = "model.aster.";
    checkChannels(section, aster.channels, problems);
    checkAlphabet(section, aster.alphabet, aster.caseSensitive, problems);
    if (aster.controlPoints % 2 != 0)
        problems.push_back(
            {{section + "control_points"},
             fmt::format("{}control_points must be even, half on each edge, not {}.", section, aster.controlPoints)});
    if (aster.residualUnits.size() != 5)
        problems.push_back({{section + "residual_units"},
                            fmt::format("{}residual_units must give 5 numbers, one for each block, not {}.", section,
                                        aster.residualUnits.size())});
    const std::string heightKey = section + (aster.rectifier ? "rectified_height" : "height");
    if (const auto height = aster.rectifier ? aster.rectifiedHeight : aster.height; height != 32)
        problems.push_back({{heightKey, section + "rectifier"},
                            fmt::format("{} must be 32, the height that is read, not {}.", heightKey, height)});
}

void checkRetinaNet(const RetinaNetConfig& net, Problems& problems) {
    const std::string prefix = "model.retinanet.";
    static const std::set<std::int64_t> depths = {18, 34, 50, 101, 152};
    if (depths.count(net.depth) == 0)
        problems.push_back(
            {{prefix + "depth"}, fmt::format("{}depth must be 18, 34, 50, 101 or 152, not {}.", prefix, net.depth)});
    if (net.inputSize % 32 != 0)
        problems.push_back({{prefix + "input_size"},
                            fmt::format("{}input_size must be a multiple of 32, not {}.", prefix, net.inputSize)});
    if (net.anchorSizes.size() != 5)
        problems.push_back({{prefix + "anchor_sizes"},
                            fmt::format("{}anchor_sizes must give 5 sizes, one for each of P3 to P7, not {}.", prefix,
                                        net.anchorSizes.size())});
    if (net.anchorScales.empty())
        problems.push_back({{prefix + "anchor_scales"}, prefix + "anchor_scales must give at least one scale."});
    if (net.aspectRatios.empty())
        problems.push_back({{prefix + "aspect_ratios"}, prefix + "aspect_ratios must give at least one ratio."});
    if (net.backgroundIou > net.foregroundIou)
        problems.push_back({{prefix + "background_iou", prefix + "foreground_iou"},
                            prefix + "background_iou must not be above foreground_iou."});
}

void checkRegionBody(const RcnnConfig& net, Problems& problems) {
    const std::string prefix = "model.rcnn.";
    static const std::set<std::int64_t> depths = {18, 34, 50, 101, 152};
    if (depths.count(net.depth) == 0)
        problems.push_back(
            {{prefix + "depth"}, fmt::format("{}depth must be 18, 34, 50, 101 or 152, not {}.", prefix, net.depth)});
    if (net.depth < 50 && (net.groups != 1 || net.groupWidth != 64 || net.lastDilation != 1))
        problems.push_back({{prefix + "groups", prefix + "group_width", prefix + "last_dilation", prefix + "depth"},
                            fmt::format("A ResNet-{} has neither groups nor dilation: {}depth must be 50 or more for "
                                        "them.",
                                        net.depth, prefix)});
    if (net.pyramid && net.body != "resnet")
        problems.push_back({{prefix + "pyramid", prefix + "body"},
                            fmt::format("A {} has no pyramid: set {}pyramid to false.", net.body, prefix)});
    if (net.inputSize % 32 != 0)
        problems.push_back({{prefix + "input_size"},
                            fmt::format("{}input_size must be a multiple of 32, not {}.", prefix, net.inputSize)});
}

void checkRegions(const RcnnConfig& net, Problems& problems) {
    const std::string prefix = "model.rcnn.";
    if (net.rpn.anchorSizes.empty() || (net.pyramid && net.rpn.anchorSizes.size() != 5))
        problems.push_back({{prefix + "rpn.anchor_sizes"},
                            fmt::format("{}rpn.anchor_sizes must give {}, not {}.", prefix,
                                        net.pyramid ? "5 sizes, one for each of P2 to P6" : "at least one size",
                                        net.rpn.anchorSizes.size())});
    if (net.rpn.aspectRatios.empty())
        problems.push_back(
            {{prefix + "rpn.aspect_ratios"}, prefix + "rpn.aspect_ratios must give at least one ratio."});
    if (net.box.boxWeights.size() != 4)
        problems.push_back(
            {{prefix + "box.box_weights"},
             fmt::format("{}box.box_weights must give 4 numbers, not {}.", prefix, net.box.boxWeights.size())});
    if (net.rpn.backgroundIou > net.rpn.foregroundIou)
        problems.push_back({{prefix + "rpn.background_iou", prefix + "rpn.foreground_iou"},
                            prefix + "rpn.background_iou must not be above rpn.foreground_iou."});
    if (net.box.backgroundIou > net.box.foregroundIou)
        problems.push_back({{prefix + "box.background_iou", prefix + "box.foreground_iou"},
                            prefix + "box.background_iou must not be above box.foreground_iou."});
    if (net.mask.head == "shared_stage" && net.box.head != "stage")
        problems.push_back({{prefix + "mask.head", prefix + "box.head"},
                            prefix + "mask.head is shared_stage, but " + prefix + "box.head has no stage to share."});
    if (net.pyramid && (net.box.head == "stage" || net.mask.head == "stage"))
        problems.push_back({{prefix + "box.head", prefix + "mask.head", prefix + "pyramid"},
                            prefix + "pyramid uses up the body's last stage, so that no head can be it; choose mlp or "
                                     "convolutions."});
}

void checkBatches(const DataConfig& data, Problems& problems) {
    std::int64_t taken = 0;
    bool someShare = false;
    for (const auto& entry : data.train) {
        taken += entry.batchSize;
        someShare |= entry.batchSize == 0;
    }
    const std::vector<std::string> keys = {"data.train", "data.batch_size"};
    if (taken > data.batchSize)
        problems.push_back(
            {keys, fmt::format("The sets of data.train take {} samples of each batch, but data.batch_size "
                               "is {}.",
                               taken, data.batchSize)});
    else if (someShare && !data.train.empty() && taken == data.batchSize)
        problems.push_back({keys, fmt::format("The sets of data.train with a batch_size take all {} samples of a batch "
                                              "and leave none for the others.",
                                              taken)});
}

void checkEntries(const RunConfig& config, const std::string& key, const std::vector<DatasetConfig>& entries,
                  Problems& problems) {
    for (std::size_t i = 0; i < entries.size(); ++i) {
        const auto name = fmt::format("{}.{}", key, i);
        const auto& entry = entries[i];
        if (entry.path.empty() && entry.format != "rendered-words")
            problems.push_back(
                {{name + ".path", name, key}, name + " needs a path: the folder or file that holds the data."});
        checkExpression(name + ".matching", entry.matching, problems);
        if (entry.format == "rendered-words" && taskOf(config.model) == TaskKind::Detection)
            problems.push_back({{name + ".format", "model.type"},
                                name + " renders words, but a " + config.model.type + " finds objects; use a crnn."});
    }
}

void checkNormalise(const NormaliseConfig& normalise, Problems& problems) {
    for (const auto& [key, values] : {std::pair{"data.normalise.mean", &normalise.mean},
                                      std::pair{"data.normalise.deviation", &normalise.deviation}})
        if (values->size() != 3)
            problems.push_back(
                {{key}, fmt::format("{} must give 3 numbers, one a channel, not {}.", key, values->size())});
}

void checkKeypointPairs(const std::vector<std::int64_t>& pairs, Problems& problems) {
    const std::set<std::int64_t> once(pairs.begin(), pairs.end());
    if (pairs.size() % 2 != 0 || once.size() != pairs.size())
        problems.push_back(
            {{"data.keypoint_pairs"}, "data.keypoint_pairs must name keypoints two by two, none of them twice."});
}

void checkTiles(const TilesConfig& tiles, Problems& problems) {
    if (tiles.size > 0 && tiles.overlap * 2 > tiles.size)
        problems.push_back({{"data.tiles.overlap", "data.tiles.size"},
                            fmt::format("data.tiles.overlap must not be above half of data.tiles.size ({}), not {}.",
                                        tiles.size, tiles.overlap)});
}

void checkResize(const ResizeConfig& resize, Problems& problems) {
    const auto widest = resize.scales.empty() ? 0 : *std::max_element(resize.scales.begin(), resize.scales.end());
    if (widest > resize.maxSize)
        problems.push_back({{"data.resize.scales", "data.resize.max_size"},
                            fmt::format("data.resize.max_size must be at least the largest of data.resize.scales ({}), "
                                        "not {}.",
                                        widest, resize.maxSize)});
}

/// Preprocessing is for words; a mean for each of the channels that there are by then.
void checkSteps(const RunConfig& config, const std::string& key, const std::vector<std::string>& texts,
                Problems& problems) {
    if (texts.empty())
        return;
    if (taskOf(config.model) == TaskKind::Detection)
        return problems.push_back(
            {{key, "model.type"},
             key + " is for words, but a " + config.model.type + " finds objects; use data.brightness and its like."});
    std::size_t channels = wordInput(config.model).channels == 1 ? 1 : 3;
    for (const std::string& text : texts) {
        const auto step = parseDataStep(text);
        if (!step)
            return problems.push_back({{key}, key + ": " + step.error().sentence()});
        if (step->name == "rgb_to_gray" && !step->isSet("three_channels"))
            channels = 1;
        if (step->name != "subtract_channel_mean")
            continue;
        if (const auto means = step->numbers("means").size(); means != channels)
            problems.push_back({{key},
                                fmt::format("{}: subtract_channel_mean needs a mean for each channel: {}, not "
                                            "{}.",
                                            key, channels, means)});
    }
}

void checkUnknownCharacters(const RunConfig& config, Problems& problems) {
    const auto& data = config.data;
    if (data.onUnknownCharacter != "replace" || taskOf(config.model) == TaskKind::Detection)
        return;
    const WordInput input = wordInput(config.model);
    const auto known = text::repaired(text::composed(input.alphabet)),
               other = text::repaired(text::composed(data.unknownCharacter));
    if (other.size() != 1 || known.find(other) == std::u32string::npos)
        problems.push_back({{"data.unknown_character", "data.on_unknown_character"},
                            fmt::format("data.unknown_character must be one character of {}.alphabet, not {}.",
                                        input.section, yamlQuoted(data.unknownCharacter))});
}

void checkData(const RunConfig& config, Problems& problems) {
    const auto& data = config.data;
    checkEntries(config, "data.train", data.train, problems);
    checkEntries(config, "data.validation", data.validation, problems);
    checkBatches(data, problems);
    if (data.scaleMin > data.scaleMax)
        problems.push_back({{"data.scale_min", "data.scale_max"}, "data.scale_min must not be above data.scale_max."});
    if (data.rendered.minLength > data.rendered.maxLength)
        problems.push_back({{"data.rendered.min_length", "data.rendered.max_length"},
                            "data.rendered.min_length must not be above data.rendered.max_length."});
    checkNormalise(data.normalise, problems);
    checkKeypointPairs(data.keypointPairs, problems);
    checkTiles(data.tiles, problems);
    checkResize(data.resize, problems);
    checkExpression("data.split.group", data.split.group, problems);
    checkSteps(config, "data.steps", data.steps, problems);
    checkSteps(config, "evaluate.steps", config.evaluate.steps, problems);
    checkUnknownCharacters(config, problems);
}

void checkSolve(const SolveConfig& solve, Problems& problems) {
    const auto& steps = solve.steps;
    if (std::adjacent_find(steps.begin(), steps.end(), std::greater_equal<>()) != steps.end())
        problems.push_back({{"solve.steps"}, "solve.steps must rise: each step lies after the one before it."});
    if (solve.policy == "steps" && steps.empty())
        problems.push_back({{"solve.steps", "solve.policy"},
                            "solve.steps must give at least one iteration where solve.policy is steps."});
    if (solve.policy == "manual" && (steps.empty() || solve.rates.size() != steps.size()))
        problems.push_back({{"solve.rates", "solve.steps", "solve.policy"},
                            fmt::format("solve.rates must give one rate for each of solve.steps where solve.policy is "
                                        "manual, and at least one; there are {} rates and {} steps.",
                                        solve.rates.size(), steps.size())});
    if (solve.rateInMomentum && solve.nesterov)
        problems.push_back({{"solve.rate_in_momentum", "solve.nesterov"},
                            "solve.rate_in_momentum and solve.nesterov exclude each other."});
    if (solve.nesterov && solve.momentum == 0)
        problems.push_back({{"solve.nesterov", "solve.momentum"}, "solve.nesterov needs a solve.momentum above 0."});
    for (const auto& expression : solve.freeze)
        checkExpression("solve.freeze", expression, problems);
    checkExpression("solve.bias_pattern", solve.biasPattern, problems);
}

void checkDevices(const RunConfig& config, Problems& problems) {
    const auto& train = config.train;
    const auto allowed = std::string(" must be cpu, cuda or cuda:N, not ");
    if (train.device != "auto" && !isDevice(train.device))
        problems.push_back({{"train.device"},
                            "train.device must be auto, cpu, cuda or cuda:N, not " + yamlQuoted(train.device) + "."});
    std::set<std::string> gpus;
    for (const auto& device : train.devices) {
        if (!isDevice(device))
            problems.push_back({{"train.devices"}, "Each of train.devices" + allowed + yamlQuoted(device) + "."});
        else if (device != "cpu" && !gpus.insert(device == "cuda" ? "cuda:0" : device).second)
            problems.push_back({{"train.devices"}, "train.devices has " + device + " twice; a GPU takes one replica."});
    }
    const auto cpus = std::count(train.devices.begin(), train.devices.end(), "cpu");
    if (cpus > 0 && !gpus.empty())
        problems.push_back({{"train.devices"}, "train.devices must be all CPU or all GPU."});
    const auto count = static_cast<std::int64_t>(train.devices.size());
    if (count > 0 && config.data.batchSize % count != 0)
        problems.push_back({{"data.batch_size", "train.devices"},
                            fmt::format("data.batch_size must be a multiple of the {} train.devices, not {}.", count,
                                        config.data.batchSize)});
}

void checkEvaluate(const EvaluateConfig& evaluate, Problems& problems) {
    for (const auto& [metric, text] : evaluate.expected)
        if (!readExpectation(text))
            problems.push_back({{"evaluate.expected"},
                                fmt::format("evaluate.expected must give {} a number, or one with its deviation "
                                            "(0.364 ± 0.002), not {}.",
                                            yamlQuoted(metric), yamlQuoted(text))});
}

} // namespace

std::vector<CrossProblem> crossProblems(const RunConfig& config) {
    Problems problems;
    checkCrnn(config.model.crnn, problems);
    checkAster(config.model.aster, problems);
    checkRetinaNet(config.model.retinanet, problems);
    checkRegionBody(config.model.rcnn, problems);
    checkRegions(config.model.rcnn, problems);
    checkData(config, problems);
    checkSolve(config.solve, problems);
    if (config.evaluate.weights == "averaged" && config.solve.averageDecay == 0)
        problems.push_back({{"evaluate.weights", "solve.average_decay"},
                            "evaluate.weights can only be averaged where solve.average_decay is above 0."});
    checkDevices(config, problems);
    checkEvaluate(config.evaluate, problems);
    return problems;
}

} // namespace trainyard
