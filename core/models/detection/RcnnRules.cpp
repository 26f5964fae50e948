#include "core/models/detection/RcnnRules.h"

#include "core/config/DetectorInput.h"

#include <c10/util/Exception.h>

#include <algorithm>
#include <map>

namespace trainyard {
namespace {

constexpr double kLeastProposalSide = 1e-3; // of a proposal, in torchvision's convention

std::array<double, 4> weightsOf(const BoxHeadConfig& box) {
    TORCH_CHECK(box.boxWeights.size() == 4, "There are four box weights, not ", box.boxWeights.size(), ".");
    return {box.boxWeights[0], box.boxWeights[1], box.boxWeights[2], box.boxWeights[3]};
}

BoxVotingRules::Scoring scoringOf(const std::string& name) {
    using Scoring = BoxVotingRules::Scoring;
    static const std::map<std::string, Scoring> scorings = {
        {"own", Scoring::Unchanged},       {"mean", Scoring::Mean},
        {"overlap", Scoring::OverlapMean}, {"generalised", Scoring::GeneralisedMean},
        {"quasi_sum", Scoring::QuasiSum},  {"tempered", Scoring::TemperedMean}};
    return scorings.at(name);
}

} // namespace

RcnnParts partsOf(const ModelConfig& model) {
    const DetectorInput input = detectorInput(model);
    RcnnParts parts;
    parts.proposes = !input.takesProposals;
    parts.hasBoxes = model.type != "rpn";
    parts.votes = model.type == "rfcn";
    parts.hasMasks = input.hasMasks;
    parts.hasKeypoints = input.keypoints > 0;
    return parts;
}

BoxConvention conventionOf(const std::string& name) {
    return name == "detectron" ? BoxConvention::Detectron : BoxConvention::Torchvision;
}

AnchorRules anchorRulesOf(const RcnnConfig& config, const std::vector<std::int64_t>& strides) {
    AnchorRules rules;
    if (config.pyramid)
        for (const double size : config.rpn.anchorSizes)
            rules.sizes.push_back({size});
    else
        rules.sizes = {config.rpn.anchorSizes};
    rules.ratios = config.rpn.aspectRatios;
    rules.convention = conventionOf(config.convention);
    rules.strides = strides;
    return rules;
}

RpnRules rpnRulesOf(const RcnnConfig& config) {
    RpnRules rules;
    rules.convention = conventionOf(config.convention);
    rules.foregroundIou = config.rpn.foregroundIou;
    rules.backgroundIou = config.rpn.backgroundIou;
    rules.anchorsAnImage = config.rpn.anchorsPerImage;
    rules.foregroundShare = config.rpn.foregroundShare;
    rules.straddle = config.rpn.straddle;
    return rules;
}

ProposalRules proposalRulesOf(const RcnnConfig& config, bool isTraining) {
    ProposalRules rules;
    rules.convention = conventionOf(config.convention);
    rules.candidatesALevel = isTraining ? config.rpn.trainCandidates : config.rpn.testCandidates;
    rules.mostKept = isTraining ? config.rpn.trainProposals : config.rpn.testProposals;
    rules.nmsIou = config.rpn.nmsIou;
    rules.leastSize = std::max(config.rpn.leastSize, kLeastProposalSide);
    rules.isSharedByBatch = rules.convention == BoxConvention::Detectron && isTraining && config.pyramid;
    return rules;
}

RoiSamplingRules samplingRulesOf(const RcnnConfig& config) {
    RoiSamplingRules rules;
    rules.convention = conventionOf(config.convention);
    rules.regionsAnImage = config.box.regionsPerImage;
    rules.foregroundShare = config.box.foregroundShare;
    rules.foregroundIou = config.box.foregroundIou;
    rules.backgroundIou = config.box.backgroundIou;
    rules.leastBackgroundIou = config.box.leastBackgroundIou;
    rules.boxWeights = weightsOf(config.box);
    return rules;
}

BoxDetectionRules detectionRulesOf(const RcnnConfig& config) {
    const BoxHeadConfig& box = config.box;
    BoxDetectionRules rules;
    rules.convention = conventionOf(config.convention);
    rules.scoreThreshold = box.scoreThreshold;
    rules.nmsIou = box.nmsIou;
    rules.mostDetections = box.maxDetections;
    rules.boxWeights = weightsOf(box);
    if (box.suppression != "hard") {
        SoftNmsRules soft;
        soft.method = box.suppression == "linear" ? SoftNmsRules::Method::Linear : SoftNmsRules::Method::Gaussian;
        soft.maxOverlap = box.nmsIou;
        soft.sigma = box.suppressionSigma;
        soft.convention = rules.convention;
        rules.softening = soft;
    }
    if (box.votingIou > 0)
        rules.voting = BoxVotingRules{box.votingIou, scoringOf(box.votingScore), box.votingBeta, rules.convention};
    return rules;
}

} // namespace trainyard
