#include "core/interop/WeightNames.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <optional>
#include <string_view>

namespace trainyard {
namespace {

/// Ours, with {} for numbers and a first * for anything, and theirs, where {N} is the number N of these: {N+} is one
/// more, {Na} is a letter, {Nr} a stage of the body by its pyramid level, {Nh} half of it and one more, {Nv} a
/// convolution of VGG-16.
struct Rule {
    std::string_view ours, theirs;
};

// Convolutions and linear layers: .weight is _w, .bias is _b. Source: the models of facebookresearch/Detectron.
constexpr Rule kLayers[] = {
    {"backbone.body.conv1", "conv1"},
    {"backbone.body.layer{}.{}.conv{}", "res{0+}_{1}_branch2{2a}"},
    {"backbone.body.layer{}.{}.downsample.0", "res{0+}_{1}_branch1"},
    {"roi_heads.box_head.layer4.{}.conv{}", "res5_{0}_branch2{1a}"},
    {"roi_heads.box_head.layer4.{}.downsample.0", "res5_{0}_branch1"},
    {"roi_heads.mask_head.layer4.{}.conv{}", "_[mask]_res5_{0}_branch2{1a}"},
    {"roi_heads.mask_head.layer4.{}.downsample.0", "_[mask]_res5_{0}_branch1"},
    {"roi_heads.keypoint_head.layer4.{}.conv{}", "_[pose]_res5_{0}_branch2{1a}"},
    {"roi_heads.keypoint_head.layer4.{}.downsample.0", "_[pose]_res5_{0}_branch1"},
    {"*features.{}", "{0v}"},
    {"backbone.fpn.inner_blocks.{}.0", "fpn_inner_res{0r}_#_sum_lateral"},
    {"backbone.fpn.inner_blocks.{}.0", "fpn_inner_res{0r}_#_sum"}, // the coarsest
    {"backbone.fpn.layer_blocks.{}.0", "fpn_res{0r}_#_sum"},
    {"backbone.fpn.extra_blocks.p{}", "fpn_{0}"},
    {"head.classification_head.conv.{}.0", "retnet_cls_conv_n{0}_fpn#"},
    {"head.classification_head.cls_logits", "retnet_cls_pred_fpn#"},
    {"head.regression_head.conv.{}.0", "retnet_bbox_conv_n{0}_fpn#"},
    {"head.regression_head.bbox_reg", "retnet_bbox_pred_fpn#"},
    {"rpn.head.conv.0.0", "conv_rpn_fpn#"},
    {"rpn.head.conv.0.0", "conv_rpn"},
    {"rpn.head.cls_logits", "rpn_cls_logits_fpn#"},
    {"rpn.head.cls_logits", "rpn_cls_logits"},
    {"rpn.head.bbox_pred", "rpn_bbox_pred_fpn#"},
    {"rpn.head.bbox_pred", "rpn_bbox_pred"},
    {"roi_heads.box_head.fc{}", "fc{0}"},
    {"roi_heads.box_head.{}.0", "head_conv{0+}"},
    {"roi_heads.box_head.{}", "fc6"}, // behind convolutions
    {"roi_heads.box_predictor.cls_score", "cls_score"},
    {"roi_heads.box_predictor.bbox_pred", "bbox_pred"},
    {"roi_heads.mask_head.{}.0", "_[mask]_fcn{0+}"},
    {"roi_heads.mask_predictor.conv5_mask", "conv5_mask"},
    {"roi_heads.mask_predictor.mask_fcn_logits", "mask_fcn_logits"},
    {"roi_heads.keypoint_head.{}", "conv_fcn{0h}"},
    {"roi_heads.keypoint_predictor.kps_score_lowres", "kps_score_lowres"},
    {"*conv_new", "conv_dim_reduce"},
    {"*cls_maps", "conv_cls"},
    {"*bbox_maps", "conv_bbox_pred"},
};

// Normalisations: .weight is _s, .bias is _b, behind "_bn" (a fixed scale and offset) or "_gn" (groups).
constexpr Rule kNorms[] = {
    {"backbone.body.bn1", "res_conv1_bn"},
    {"backbone.body.bn1", "conv1_gn"},
    {"backbone.body.layer{}.{}.bn{}", "res{0+}_{1}_branch2{2a}_bn"},
    {"backbone.body.layer{}.{}.bn{}", "res{0+}_{1}_branch2{2a}_gn"},
    {"backbone.body.layer{}.{}.downsample.1", "res{0+}_{1}_branch1_bn"},
    {"backbone.body.layer{}.{}.downsample.1", "res{0+}_{1}_branch1_gn"},
    {"roi_heads.box_head.layer4.{}.bn{}", "res5_{0}_branch2{1a}_bn"},
    {"roi_heads.box_head.layer4.{}.downsample.1", "res5_{0}_branch1_bn"},
    {"roi_heads.mask_head.layer4.{}.bn{}", "_[mask]_res5_{0}_branch2{1a}_bn"},
    {"roi_heads.mask_head.layer4.{}.downsample.1", "_[mask]_res5_{0}_branch1_bn"},
    {"roi_heads.keypoint_head.layer4.{}.bn{}", "_[pose]_res5_{0}_branch2{1a}_bn"},
    {"roi_heads.keypoint_head.layer4.{}.downsample.1", "_[pose]_res5_{0}_branch1_bn"},
    {"backbone.fpn.inner_blocks.{}.1", "fpn_inner_res{0r}_#_sum_lateral_gn"},
    {"backbone.fpn.inner_blocks.{}.1", "fpn_inner_res{0r}_#_sum_gn"},
    {"backbone.fpn.layer_blocks.{}.1", "fpn_res{0r}_#_sum_gn"},
    {"roi_heads.box_head.{}.1", "head_conv{0+}_gn"},
    {"roi_heads.mask_head.{}.1", "_[mask]_fcn{0+}_gn"},
};

// Older names of torchvision, and those of its networks for classification.
constexpr Rule kTorchRules[] = {
    {"backbone.fpn.inner_blocks.{}.0", "backbone.fpn.inner_blocks.{0}"},
    {"backbone.fpn.layer_blocks.{}.0", "backbone.fpn.layer_blocks.{0}"},
    {"head.classification_head.conv.{}.0", "head.classification_head.conv.{0x2}"},
    {"head.regression_head.conv.{}.0", "head.regression_head.conv.{0x2}"},
    {"rpn.head.conv.0.0", "rpn.head.conv"},
    {"roi_heads.mask_head.{}.0", "roi_heads.mask_head.mask_fcn{0+}"},
};

using Numbers = std::vector<int>;

std::optional<Numbers> matched(std::string_view pattern, std::string_view name) {
    if (pattern.starts_with('*')) {
        pattern.remove_prefix(1);
        const std::size_t fixed = std::min(pattern.find('{'), pattern.size());
        const std::size_t start = name.find(pattern.substr(0, fixed));
        if (start == std::string_view::npos || (start > 0 && name[start - 1] != '.'))
            return std::nullopt;
        name.remove_prefix(start);
    }
    Numbers numbers;
    while (!pattern.empty()) {
        if (pattern.starts_with("{}")) {
            std::size_t digits = 0;
            int number = 0;
            while (digits < name.size() && digits < 4 && std::isdigit(static_cast<unsigned char>(name[digits])))
                number = number * 10 + (name[digits++] - '0');
            if (digits == 0)
                return std::nullopt;
            numbers.push_back(number);
            pattern.remove_prefix(2);
            name.remove_prefix(digits);
        } else {
            if (name.empty() || name[0] != pattern[0])
                return std::nullopt;
            pattern.remove_prefix(1);
            name.remove_prefix(1);
        }
    }
    return name.empty() ? std::optional(numbers) : std::nullopt;
}

/// The convolution of VGG-16 that stands at `place` of torchvision's list; empty where none does.
std::string vggName(int place) {
    static const std::map<int, std::string> names = {{0, "conv1_1"},  {2, "conv1_2"},  {5, "conv2_1"},  {7, "conv2_2"},
                                                     {10, "conv3_1"}, {12, "conv3_2"}, {14, "conv3_3"}, {17, "conv4_1"},
                                                     {19, "conv4_2"}, {21, "conv4_3"}, {24, "conv5_1"}, {26, "conv5_2"},
                                                     {28, "conv5_3"}};
    const auto found = names.find(place);
    return found == names.end() ? std::string() : found->second;
}

std::string filled(std::string_view theirs, const Numbers& numbers, int pyramidLevels) {
    std::string name;
    while (!theirs.empty()) {
        if (theirs[0] != '{') {
            name += theirs[0];
            theirs.remove_prefix(1);
            continue;
        }
        const std::string_view how = theirs.substr(2, theirs.find('}') - 2);
        const int number = numbers.at(std::size_t(theirs[1] - '0'));
        theirs.remove_prefix(how.size() + 3);
        if (how == "a")
            name += char('a' + number - 1);
        else if (how == "v")
            name += vggName(number);
        else
            name += std::to_string(how == "+"    ? number + 1
                                   : how == "r"  ? 6 - pyramidLevels + number
                                   : how == "h"  ? number / 2 + 1
                                   : how == "x2" ? number * 2
                                                 : number);
    }
    return name;
}

/// "a.b.weight" as "a.b" and "weight".
std::pair<std::string, std::string> parted(const std::string& name) {
    const std::size_t dot = name.rfind('.');
    return dot == std::string::npos ? std::pair(name, std::string())
                                    : std::pair(name.substr(0, dot), name.substr(dot + 1));
}

template <std::size_t Count>
void addNames(const Rule (&rules)[Count], const std::string& layer, const std::string& suffix, int pyramidLevels,
              std::vector<std::string>& names) {
    for (const Rule& rule : rules)
        if (const auto numbers = matched(rule.ours, layer))
            if (const std::string base = filled(rule.theirs, *numbers, pyramidLevels); !base.empty())
                names.push_back(base + suffix);
}

} // namespace

std::vector<std::string> torchNames(const std::string& name) {
    std::vector<std::string> names = {name};
    const auto [layer, part] = parted(name);
    addNames(kTorchRules, layer, "." + part, 0, names);
    for (const std::string_view inside : {"backbone.body.", "backbone.", "roi_heads.box_head."})
        if (name.starts_with(inside))
            names.push_back(name.substr(inside.size()));
    if (const std::size_t stage = name.find("_head.layer4."); stage != std::string::npos)
        names.push_back(name.substr(stage + 6));
    for (const auto& [ours, theirs] : {std::pair("box_head.fc6", "classifier.0"), {"box_head.fc7", "classifier.3"}})
        if (layer.ends_with(ours))
            names.push_back(std::string(theirs) + "." + part); // VGG's
    return names;
}

std::vector<std::string> detectronNames(const std::string& name, int pyramidLevels) {
    std::vector<std::string> names;
    const auto [layer, part] = parted(name);
    if (part != "weight" && part != "bias")
        return names;
    addNames(kLayers, layer, part == "weight" ? "_w" : "_b", pyramidLevels, names);
    addNames(kNorms, layer, part == "weight" ? "_s" : "_b", pyramidLevels, names);
    for (std::size_t i = 0; i < names.size(); ++i)
        if (const std::size_t prefix = names[i].find("]_"); prefix != std::string::npos)
            names.push_back(names[i].substr(prefix + 2));
    return names;
}

int pyramidLevelsOf(const std::vector<std::string>& names) {
    int levels = 0;
    for (const std::string& name : names)
        if (const auto numbers = matched("backbone.fpn.inner_blocks.{}.0", parted(name).first))
            levels = std::max(levels, numbers->front() + 1);
    return levels;
}

bool isLike(const std::string& name, const std::string& pattern) {
    std::size_t n = 0;
    for (const char wanted : pattern) {
        if (wanted == '#') {
            const std::size_t start = n;
            while (n < name.size() && std::isdigit(static_cast<unsigned char>(name[n])))
                ++n;
            if (n == start)
                return false;
        } else if (n >= name.size() || name[n++] != wanted) {
            return false;
        }
    }
    return n == name.size();
}

} // namespace trainyard
