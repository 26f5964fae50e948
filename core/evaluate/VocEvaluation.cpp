#include "core/evaluate/VocEvaluation.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <tuple>

namespace trainyard {
namespace {

double overlap(const Box& a, const Box& b) {
    const double width = double(std::min(a.x2, b.x2)) - double(std::max(a.x1, b.x1));
    const double height = double(std::min(a.y2, b.y2)) - double(std::max(a.y1, b.y1));
    if (width <= 0 || height <= 0)
        return 0;
    return width * height / (a.area() + b.area() - width * height);
}

double areaUnder(const PrecisionCurve& curve) {
    double area = 0, envelope = 0;
    for (std::size_t i = curve.recall.size(); i-- > 0;) {
        envelope = std::max(envelope, curve.precision[i]);
        area += (curve.recall[i] - (i == 0 ? 0.0 : curve.recall[i - 1])) * envelope;
    }
    return area;
}

double meanOfElevenPoints(const PrecisionCurve& curve) {
    double sum = 0;
    for (int tenth = 0; tenth <= 10; ++tenth) {
        double best = 0;
        for (std::size_t i = 0; i < curve.recall.size(); ++i)
            if (curve.recall[i] >= tenth * 0.1)
                best = std::max(best, curve.precision[i]);
        sum += best;
    }
    return sum / 11;
}

} // namespace

VocEvaluation::VocEvaluation(std::vector<std::string> classes, VocRule rule, double minimumIou)
    : m_classes(std::move(classes)), m_rule(rule), m_minimumIou(minimumIou) {}

void VocEvaluation::add(const SampleInfo& truth, const std::vector<Detection>& found) {
    std::set<int> labels;
    for (const auto& object : truth.objects)
        labels.insert(object.label);
    for (const auto& detection : found)
        labels.insert(detection.label);
    for (const int label : labels) {
        std::vector<const Detection*> ofLabel;
        for (const auto& detection : found)
            if (detection.label == label)
                ofLabel.push_back(&detection);
        std::stable_sort(ofLabel.begin(), ofLabel.end(),
                         [](const auto* a, const auto* b) { return a->score > b->score; });
        judge(label, truth, ofLabel);
    }
}

void VocEvaluation::judge(int label, const SampleInfo& truth, const std::vector<const Detection*>& found) {
    auto& results = m_results[label];
    std::vector<const ObjectAnnotation*> objects;
    for (const auto& object : truth.objects)
        if (object.label == label)
            objects.push_back(&object);
    const auto isIgnored = [](const ObjectAnnotation* object) { return object->isDifficult || object->isCrowd; };
    results.objects +=
        std::count_if(objects.begin(), objects.end(), [&](const auto* object) { return !isIgnored(object); });
    std::set<const ObjectAnnotation*> taken;
    for (std::size_t rank = 0; rank < found.size(); ++rank) {
        const ObjectAnnotation* best = nullptr;
        for (const auto* object : objects)
            if (!best || overlap(found[rank]->box, object->box) > overlap(found[rank]->box, best->box))
                best = object;
        auto verdict = Verdict::Wrong;
        if (best && overlap(found[rank]->box, best->box) >= m_minimumIou)
            verdict = isIgnored(best) ? Verdict::Ignored : taken.insert(best).second ? Verdict::Right : Verdict::Wrong;
        results.detections.push_back({found[rank]->score, truth.imageId, int(rank), verdict});
    }
}

PrecisionCurve VocEvaluation::curve(int label) const {
    PrecisionCurve curve;
    const auto found = m_results.find(label);
    if (found == m_results.end() || found->second.objects == 0)
        return curve;
    auto detections = found->second.detections;
    std::sort(detections.begin(), detections.end(), [](const Judged& a, const Judged& b) {
        return std::tuple(-a.score, a.imageId, a.rank) < std::tuple(-b.score, b.imageId, b.rank);
    });
    std::int64_t right = 0, wrong = 0;
    for (const auto& detection : detections) {
        if (detection.verdict == Verdict::Ignored)
            continue;
        (detection.verdict == Verdict::Right ? right : wrong) += 1;
        curve.recall.push_back(double(right) / double(found->second.objects));
        curve.precision.push_back(double(right) / double(right + wrong));
        curve.score.push_back(detection.score);
    }
    curve.averagePrecision = m_rule == VocRule::AllPoints ? areaUnder(curve) : meanOfElevenPoints(curve);
    return curve;
}

std::vector<ClassScore> VocEvaluation::classScores() const {
    std::vector<ClassScore> scores;
    for (std::size_t label = 0; label < m_classes.size(); ++label) {
        const auto found = m_results.find(int(label));
        const double ap = curve(int(label)).averagePrecision;
        scores.push_back({m_classes[label], found == m_results.end() ? 0 : found->second.objects, ap, ap, "voc"});
    }
    return scores;
}

std::vector<NamedCurve> VocEvaluation::curves() const {
    std::vector<NamedCurve> curves;
    for (std::size_t label = 0; label < m_classes.size(); ++label) {
        const auto found = m_results.find(int(label));
        curves.push_back({"voc", m_classes[label], m_minimumIou, found == m_results.end() ? 0 : found->second.objects,
                          curve(int(label))});
    }
    return curves;
}

Metrics VocEvaluation::metrics() const {
    double sum = 0;
    std::int64_t count = 0;
    for (const auto& [label, results] : m_results) {
        if (results.objects == 0)
            continue;
        sum += curve(label).averagePrecision;
        ++count;
    }
    const auto name = "voc/AP" + std::to_string(std::lround(m_minimumIou * 100));
    return {{name, count == 0 ? -1 : sum / double(count)}};
}

} // namespace trainyard
