#include "core/evaluate/CocoAccumulation.h"

#include <algorithm>
#include <limits>

namespace trainyard {
namespace {

/// Recall and precision after each finding that counts, at one threshold.
struct Course {
    std::vector<double> recall, precision, score;
};

Course courseOf(const std::vector<JudgedFinding>& findings, std::int64_t objects, CocoArea area, int mostFindings,
                std::size_t threshold) {
    const auto bit = std::uint16_t(1u << threshold);
    Course course;
    std::int64_t right = 0, wrong = 0;
    for (const auto& finding : findings) {
        if (finding.rank >= mostFindings)
            continue;
        if ((finding.ignored[area] & bit) == 0)
            ((finding.matched[area] & bit) != 0 ? right : wrong) += 1;
        course.recall.push_back(double(right) / double(objects));
        course.precision.push_back(double(right) / (double(right + wrong) + std::numeric_limits<double>::epsilon()));
        course.score.push_back(finding.score);
    }
    for (std::size_t i = course.precision.size(); i-- > 1;) // never rises with recall
        course.precision[i - 1] = std::max(course.precision[i - 1], course.precision[i]);
    return course;
}

} // namespace

double cocoRecall(std::size_t index) {
    return index + 1 == CocoAccumulated::kRecalls ? 1.0 : double(index) * 0.01;
}

CocoAccumulated accumulate(const std::vector<JudgedFinding>& findings, std::int64_t objects, CocoArea area,
                           int mostFindings) {
    CocoAccumulated result;
    for (std::size_t t = 0; t < kCocoThresholds; ++t) {
        const auto course = courseOf(findings, objects, area, mostFindings, t);
        result.recall[t] = course.recall.empty() ? 0 : course.recall.back();
        for (std::size_t r = 0; r < CocoAccumulated::kRecalls; ++r) {
            const auto first = std::lower_bound(course.recall.begin(), course.recall.end(), cocoRecall(r));
            if (first == course.recall.end())
                break;
            const auto place = std::size_t(first - course.recall.begin());
            result.precision[t][r] = course.precision[place];
            result.score[t][r] = course.score[place];
        }
    }
    return result;
}

} // namespace trainyard
