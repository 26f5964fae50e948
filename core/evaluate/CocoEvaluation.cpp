#include "core/evaluate/CocoEvaluation.h"

#include "core/evaluate/CocoAccumulation.h"
#include "core/evaluate/CocoConversion.h"

#include <algorithm>
#include <numeric>
#include <optional>
#include <set>
#include <tuple>

namespace trainyard {
namespace {

constexpr std::size_t kAt50 = 0, kAt75 = 5;

std::vector<JudgedFinding> ranked(std::vector<JudgedFinding> findings) {
    std::sort(findings.begin(), findings.end(), [](const JudgedFinding& a, const JudgedFinding& b) {
        return std::tuple(-a.score, a.imageId, a.rank) < std::tuple(-b.score, b.imageId, b.rank);
    });
    return findings;
}

/// The mean over classes and thresholds, taken value by value as COCO does.
struct Mean {
    double sum = 0;
    std::int64_t count = 0;
    void add(double value) {
        sum += value;
        ++count;
    }
    double value() const { return count == 0 ? -1 : sum / double(count); }
};

/// All classes of one area range and one limit.
class Summary {
public:
    void add(CocoAccumulated accumulated) { m_classes.push_back(std::move(accumulated)); }

    double precision(std::optional<std::size_t> threshold = {}) const {
        Mean mean;
        for (const auto& one : m_classes)
            for (std::size_t t = 0; t < kCocoThresholds; ++t)
                if (!threshold || *threshold == t)
                    for (const double value : one.precision[t])
                        mean.add(value);
        return mean.value();
    }

    double recall(std::optional<std::size_t> threshold = {}) const {
        Mean mean;
        for (const auto& one : m_classes)
            for (std::size_t t = 0; t < kCocoThresholds; ++t)
                if (!threshold || *threshold == t)
                    mean.add(one.recall[t]);
        return mean.value();
    }

private:
    std::vector<CocoAccumulated> m_classes;
};

double meanOf(const std::array<double, CocoAccumulated::kRecalls>& values) {
    return std::accumulate(values.begin(), values.end(), 0.0) / double(values.size());
}

PrecisionCurve curveOf(const CocoAccumulated& accumulated, std::size_t threshold) {
    PrecisionCurve curve;
    for (std::size_t r = 0; r < CocoAccumulated::kRecalls; ++r) {
        curve.recall.push_back(cocoRecall(r));
        curve.precision.push_back(accumulated.precision[threshold][r]);
        curve.score.push_back(accumulated.score[threshold][r]);
    }
    curve.averagePrecision = meanOf(accumulated.precision[threshold]);
    return curve;
}

std::size_t mostFindings(CocoType type) {
    return type == CocoType::Keypoints ? 20 : 100;
}

} // namespace

CocoEvaluation::CocoEvaluation(CocoType type, std::vector<std::string> classes)
    : m_type(type), m_classes(std::move(classes)) {}

void CocoEvaluation::add(const SampleInfo& truth, const std::vector<Detection>& found) {
    add(toCocoImage(m_type, truth, found));
}

void CocoEvaluation::add(const CocoImage& image) {
    ++m_images;
    std::set<int> labels;
    for (const auto& truth : image.truths)
        labels.insert(truth.label);
    for (const auto& finding : image.findings)
        labels.insert(finding.label);
    for (const int label : labels) {
        std::vector<const CocoTruth*> truths;
        std::vector<const CocoFinding*> findings;
        for (const auto& truth : image.truths)
            if (truth.label == label)
                truths.push_back(&truth);
        for (const auto& finding : image.findings)
            if (finding.label == label)
                findings.push_back(&finding);
        const auto judged = judge(m_type, image.id, std::move(findings), truths, mostFindings(m_type));
        auto& results = m_results[label];
        results.findings.insert(results.findings.end(), judged.findings.begin(), judged.findings.end());
        for (std::size_t area = 0; area < kCocoAreas; ++area)
            results.objects[area] += judged.objects[area];
    }
}

Metrics CocoEvaluation::metrics() const {
    const auto most = int(mostFindings(m_type));
    std::array<Summary, kCocoAreas> byArea;
    Summary one, ten;
    for (const auto& [label, results] : m_results) {
        const auto findings = ranked(results.findings);
        for (const auto area : {kAllAreas, kSmall, kMedium, kLarge})
            if (results.objects[area] > 0)
                byArea[area].add(accumulate(findings, results.objects[area], area, most));
        if (results.objects[kAllAreas] > 0) {
            one.add(accumulate(findings, results.objects[kAllAreas], kAllAreas, 1));
            ten.add(accumulate(findings, results.objects[kAllAreas], kAllAreas, 10));
        }
    }
    const std::string prefix = std::string(prefixOf(m_type)) + "/";
    const auto& all = byArea[kAllAreas];
    Metrics metrics = {{prefix + "AP", all.precision()},
                       {prefix + "AP50", all.precision(kAt50)},
                       {prefix + "AP75", all.precision(kAt75)}};
    if (m_type != CocoType::Keypoints)
        metrics.emplace_back(prefix + "APs", byArea[kSmall].precision());
    metrics.emplace_back(prefix + "APm", byArea[kMedium].precision());
    metrics.emplace_back(prefix + "APl", byArea[kLarge].precision());
    if (m_type == CocoType::Keypoints) {
        metrics.emplace_back(prefix + "AR", all.recall());
        metrics.emplace_back(prefix + "AR50", all.recall(kAt50));
        metrics.emplace_back(prefix + "AR75", all.recall(kAt75));
    } else {
        metrics.emplace_back(prefix + "AR1", one.recall());
        metrics.emplace_back(prefix + "AR10", ten.recall());
        metrics.emplace_back(prefix + "AR100", all.recall());
        metrics.emplace_back(prefix + "ARs", byArea[kSmall].recall());
    }
    metrics.emplace_back(prefix + "ARm", byArea[kMedium].recall());
    metrics.emplace_back(prefix + "ARl", byArea[kLarge].recall());
    return metrics;
}

std::vector<ClassScore> CocoEvaluation::classScores() const {
    std::vector<ClassScore> scores;
    for (std::size_t label = 0; label < m_classes.size(); ++label) {
        ClassScore score{m_classes[label], 0, -1, -1, prefixOf(m_type)};
        const auto found = m_results.find(int(label));
        if (found != m_results.end() && found->second.objects[kAllAreas] > 0) {
            score.objects = found->second.objects[kAllAreas];
            Summary summary;
            summary.add(
                accumulate(ranked(found->second.findings), score.objects, kAllAreas, int(mostFindings(m_type))));
            score.ap = summary.precision();
            score.ap50 = summary.precision(kAt50);
        }
        scores.push_back(std::move(score));
    }
    return scores;
}

PrecisionCurve CocoEvaluation::curve(int label, std::size_t threshold) const {
    const auto found = m_results.find(label);
    if (found == m_results.end() || found->second.objects[kAllAreas] == 0)
        return {};
    return curveOf(accumulate(ranked(found->second.findings), found->second.objects[kAllAreas], kAllAreas,
                              int(mostFindings(m_type))),
                   threshold);
}

std::vector<NamedCurve> CocoEvaluation::curves() const {
    std::vector<NamedCurve> curves;
    for (std::size_t label = 0; label < m_classes.size(); ++label) {
        const auto found = m_results.find(int(label));
        const auto objects = found == m_results.end() ? 0 : found->second.objects[kAllAreas];
        CocoAccumulated accumulated;
        if (objects > 0)
            accumulated = accumulate(ranked(found->second.findings), objects, kAllAreas, int(mostFindings(m_type)));
        for (std::size_t t = 0; t < kCocoThresholds; ++t)
            curves.push_back({prefixOf(m_type), m_classes[label], cocoThreshold(t), objects,
                              objects > 0 ? curveOf(accumulated, t) : PrecisionCurve()});
    }
    return curves;
}

} // namespace trainyard
