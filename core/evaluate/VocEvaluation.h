#pragma once

#include "core/evaluate/CocoEvaluation.h" // ClassScore

#include <map>
#include <string>
#include <vector>

namespace trainyard {

/// How Pascal VOC turns a precision curve into a number.
enum class VocRule {
    AllPoints,    ///< area under the falling envelope; VOC 2010 and later
    ElevenPoints, ///< mean of the best precision at recalls 0, 0.1, …, 1; VOC 2007
};

/// Pascal VOC's average precision: a detection is right when it overlaps the object it overlaps most by at least
/// `minimumIou` and is the first to do so; difficult objects neither count nor harm. Boxes are edges in pixels (a box
/// from 0 to 10 is 10 wide), which is VOC's own overlap once its inclusive corners are read that way. One thread.
/// Source: Everingham et al. 2010, "The PASCAL Visual Object Classes Challenge", section 4.2.
class VocEvaluation {
public:
    explicit VocEvaluation(std::vector<std::string> classes, VocRule rule = VocRule::AllPoints,
                           double minimumIou = 0.5);

    void add(const SampleInfo& truth, const std::vector<Detection>& found);

    /// "voc/AP50" (or the IoU in per cent that was asked for): the mean over the classes that have an object, -1 where
    /// none has.
    Metrics metrics() const;
    /// Both numbers of a ClassScore are the AP at the one overlap there is.
    std::vector<ClassScore> classScores() const;
    /// One point a detection.
    PrecisionCurve curve(int label) const;
    std::vector<NamedCurve> curves() const; ///< of every class

private:
    enum class Verdict { Right, Wrong, Ignored };
    struct Judged {
        double score = 0;
        std::int64_t imageId = 0;
        int rank = 0;
        Verdict verdict = Verdict::Wrong;
    };
    struct ClassResults {
        std::vector<Judged> detections;
        std::int64_t objects = 0;
    };
    void judge(int label, const SampleInfo& truth, const std::vector<const Detection*>& found);

    std::vector<std::string> m_classes;
    VocRule m_rule;
    double m_minimumIou;
    std::map<int, ClassResults> m_results;
};

} // namespace trainyard
