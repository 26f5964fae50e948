#include "core/config/imports/DetectronMapping.h"

#include "core/config/ValueText.h"

#include <fmt/format.h>

#include <map>

namespace trainyard::detectron {
namespace {

const std::string* choiceOf(const std::map<std::string, std::string>& choices, const std::string& theirs) {
    const auto found = choices.find(theirs);
    return found == choices.end() ? nullptr : &found->second;
}

void mapSuppression(Mapping& mapping) {
    static const std::map<std::string, std::string> methods = {
        {"hard", "nms"}, {"linear", "soft_linear"}, {"gaussian", "soft_gaussian"}};
    const std::string source = "TEST.SOFT_NMS.METHOD";
    const std::string* method = choiceOf(methods, mapping.from.text(source));
    if (!method)
        return mapping.problem(source, fmt::format("There is no suppression \"{}\"; choose hard, linear or gaussian.",
                                                   mapping.from.text(source)));
    if (!mapping.from.flag("TEST.SOFT_NMS.ENABLED"))
        return mapping.use({"TEST.SOFT_NMS.ENABLED", source, "TEST.SOFT_NMS.SIGMA"});
    mapping.put({"TEST.SOFT_NMS.ENABLED", source}, "evaluate.suppression", *method);
    mapping.map("TEST.SOFT_NMS.SIGMA", "evaluate.soft_sigma");
}

void mapVoting(Mapping& mapping) {
    static const std::map<std::string, std::string> scores = {
        {"ID", "unchanged"},         {"AVG", "mean"},
        {"IOU_AVG", "overlap_mean"}, {"GENERALIZED_AVG", "generalised_mean"},
        {"QUASI_SUM", "quasi_sum"},  {"TEMP_AVG", "tempered_mean"}};
    const std::string source = "TEST.BBOX_VOTE.SCORING_METHOD", beta = "TEST.BBOX_VOTE.SCORING_METHOD_BETA";
    const std::string* score = choiceOf(scores, mapping.from.text(source));
    if (!score)
        return mapping.problem(source, fmt::format("There is no such score: \"{}\".", mapping.from.text(source)));
    if (!mapping.from.flag("TEST.BBOX_VOTE.ENABLED"))
        return mapping.use({"TEST.BBOX_VOTE.ENABLED", source, beta, "TEST.BBOX_VOTE.VOTE_TH"});
    mapping.put({"TEST.BBOX_VOTE.ENABLED", source}, "evaluate.vote", *score);
    mapping.map("TEST.BBOX_VOTE.VOTE_TH", "evaluate.vote_iou");
    mapping.map(beta, "evaluate.vote_beta");
}

void mapViews(Mapping& mapping, const std::string& theirs, const std::string& ours) {
    if (!mapping.from.flag(theirs + ".ENABLED")) {
        for (const auto& [key, value] : defaults())
            if (key.starts_with(theirs + "."))
                mapping.use({key});
        return;
    }
    const bool isThere = mapping.map(theirs + ".H_FLIP", ours + ".flip");
    mapping.map(theirs + ".SCALES", ours + ".scales");
    mapping.map(theirs + ".MAX_SIZE", ours + ".max_size");
    mapping.map(theirs + ".SCALE_H_FLIP", ours + ".scale_flip");
    mapping.map(theirs + ".ASPECT_RATIOS", ours + ".aspect_ratios");
    mapping.map(theirs + ".ASPECT_RATIO_H_FLIP", ours + ".aspect_ratio_flip");
    if (isThere)
        mapping.use({theirs + ".ENABLED"});
}

void mapAugmentation(Mapping& mapping) {
    mapViews(mapping, "TEST.BBOX_AUG", "evaluate.augment.boxes");
    mapViews(mapping, "TEST.MASK_AUG", "evaluate.augment.masks");
    mapViews(mapping, "TEST.KPS_AUG", "evaluate.augment.keypoints");
    static const std::map<std::string, std::string> masks = {
        {"SOFT_AVG", "mean"}, {"SOFT_MAX", "max"}, {"LOGIT_AVG", "logit_mean"}};
    static const std::map<std::string, std::string> keypoints = {{"HM_AVG", "mean"}, {"HM_MAX", "max"}};
    if (const std::string* how = choiceOf(masks, mapping.from.text("TEST.MASK_AUG.HEUR")))
        mapping.put({"TEST.MASK_AUG.HEUR"}, "evaluate.augment.mask_average", *how);
    if (const std::string* how = choiceOf(keypoints, mapping.from.text("TEST.KPS_AUG.HEUR")))
        mapping.put({"TEST.KPS_AUG.HEUR"}, "evaluate.augment.keypoint_average", *how);
    if (mapping.map("TEST.KPS_AUG.SCALE_SIZE_DEP", "evaluate.augment.keypoints_by_size"))
        mapping.put({"TEST.KPS_AUG.AREA_TH"}, "evaluate.augment.small_area", mapping.from.real("TEST.KPS_AUG.AREA_TH"));
    if (mapping.from.text("TEST.BBOX_AUG.SCORE_HEUR") == "UNION" &&
        mapping.from.text("TEST.BBOX_AUG.COORD_HEUR") == "UNION")
        mapping.use({"TEST.BBOX_AUG.SCORE_HEUR", "TEST.BBOX_AUG.COORD_HEUR"});
}

/// "bbox/AP" for what Detectron calls task "box", metric "AP".
std::string metricName(const std::string& task, const std::string& metric) {
    const std::string ours = task == "box" ? "bbox" : task == "mask" ? "segm" : task == "keypoint" ? "keypoints" : task;
    return ours + "/" + metric;
}

/// [dataset, task, metric, value or [mean, deviation]] becomes metric: "value" or "mean ± deviation".
void mapExpectations(Mapping& mapping) {
    std::map<std::string, std::string> expected;
    const std::string source = "EXPECTED_RESULTS";
    for (const PythonValue& entry : *mapping.from.at(source).items()) {
        const auto* parts = entry.items();
        const bool isNamed =
            parts && parts->size() == 4 && (*parts)[1].is<std::string>() && (*parts)[2].is<std::string>();
        const auto* pair = isNamed ? (*parts)[3].items() : nullptr;
        const auto value = isNamed ? (*parts)[3].number() : std::nullopt;
        const bool isPair = pair && pair->size() == 2 && (*pair)[0].number() && (*pair)[1].number();
        if (!value && !isPair)
            return mapping.problem(source, "Each of EXPECTED_RESULTS must be [dataset, task, metric, value].");
        expected[metricName(std::get<std::string>((*parts)[1].content), std::get<std::string>((*parts)[2].content))] =
            isPair ? shortest(*(*pair)[0].number()) + " ± " + shortest(*(*pair)[1].number()) : shortest(*value);
    }
    mapping.put({source}, "evaluate.expected", expected);
    mapping.map("EXPECTED_RESULTS_RTOL", "evaluate.expected_rtol");
    mapping.map("EXPECTED_RESULTS_ATOL", "evaluate.expected_atol");
    mapping.put({"EXPECTED_RESULTS_SIGMA_TOL"}, "evaluate.expected_sigmas",
                mapping.from.real("EXPECTED_RESULTS_SIGMA_TOL"));
}

} // namespace

/// Detectron tests when training is done.
void mapEvaluation(Mapping& mapping) {
    mapping.to.set("train.evaluate_every", std::max<std::int64_t>(mapping.from.integer("SOLVER.MAX_ITER"), 1));
    mapping.to.set("evaluate.batch_size", std::int64_t(1));
    mapSuppression(mapping);
    mapVoting(mapping);
    mapAugmentation(mapping);
    mapExpectations(mapping);
    mapping.use({"TEST.COMPETITION_MODE", "TEST.PRECOMPUTED_PROPOSALS"});
    mapping.adapt("TEST.WEIGHTS", "the run's own checkpoints are evaluated.");
    mapping.adapt("TEST.FORCE_JSON_DATASET_EVAL", "evaluation follows the kind of data.");
}

} // namespace trainyard::detectron
