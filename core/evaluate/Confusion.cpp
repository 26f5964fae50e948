#include "core/evaluate/Confusion.h"

#include "core/evaluate/CsvField.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

namespace trainyard {
namespace {

constexpr const char* kBackground = "background";

struct Pair {
    double overlap;
    std::size_t finding, truth;
};

/// All pairs that overlap enough, those that overlap most first.
std::vector<Pair> pairsOf(const std::vector<std::vector<double>>& rows, const std::vector<const CocoTruth*>& truths,
                          double least) {
    std::vector<Pair> pairs;
    for (std::size_t i = 0; i < rows.size(); ++i)
        for (std::size_t j = 0; j < truths.size(); ++j)
            if (!truths[j]->isCrowd && rows[i][j] >= least)
                pairs.push_back({rows[i][j], i, j});
    std::stable_sort(pairs.begin(), pairs.end(), [](const Pair& a, const Pair& b) { return a.overlap > b.overlap; });
    return pairs;
}

bool isInCrowd(const std::vector<double>& row, const std::vector<const CocoTruth*>& truths, double least) {
    for (std::size_t j = 0; j < truths.size(); ++j)
        if (truths[j]->isCrowd && row[j] >= least)
            return true;
    return false;
}

} // namespace

ConfusionCounter::ConfusionCounter(std::vector<std::string> classes, double iou, double leastScore) {
    const std::size_t places = classes.size() + 1;
    m_matrix = {std::move(classes), iou, leastScore,
                std::vector<std::vector<std::int64_t>>(places, std::vector<std::int64_t>(places))};
}

/// A label beyond the classes, which only a model of other classes has, counts as background.
std::size_t ConfusionCounter::place(int label) const {
    const std::size_t background = m_matrix.classes.size();
    return label < 0 ? background : std::min(std::size_t(label), background);
}

void ConfusionCounter::add(const CocoImage& image) {
    std::vector<const CocoFinding*> findings;
    for (const CocoFinding& finding : image.findings)
        if (finding.score >= m_matrix.leastScore)
            findings.push_back(&finding);
    std::vector<const CocoTruth*> truths;
    for (const CocoTruth& truth : image.truths)
        truths.push_back(&truth);
    const auto rows = overlaps(CocoType::Boxes, findings, truths);
    const std::size_t background = m_matrix.classes.size();
    std::vector<bool> isFound(truths.size()), isRight(findings.size());
    for (const Pair& pair : pairsOf(rows, truths, m_matrix.iou)) {
        if (isFound[pair.truth] || isRight[pair.finding])
            continue;
        isFound[pair.truth] = isRight[pair.finding] = true;
        ++m_matrix.counts[place(truths[pair.truth]->label)][place(findings[pair.finding]->label)];
    }
    for (std::size_t j = 0; j < truths.size(); ++j)
        if (!isFound[j] && !truths[j]->isCrowd)
            ++m_matrix.counts[place(truths[j]->label)][background];
    for (std::size_t i = 0; i < findings.size(); ++i)
        if (!isRight[i] && !isInCrowd(rows[i], truths, m_matrix.iou))
            ++m_matrix.counts[background][place(findings[i]->label)];
}

std::string confusionAsJson(const ConfusionMatrix& matrix) {
    using Json = nlohmann::ordered_json;
    std::vector<std::string> names = matrix.classes;
    names.emplace_back(kBackground);
    return Json({{"classes", names}, {"iou", matrix.iou}, {"score", matrix.leastScore}, {"counts", matrix.counts}})
               .dump(-1, ' ', false, Json::error_handler_t::replace) +
           "\n";
}

std::string confusionAsCsv(const ConfusionMatrix& matrix) {
    std::vector<std::string> names = matrix.classes;
    names.emplace_back(kBackground);
    std::string text = "truth";
    for (const std::string& name : names)
        text += fmt::format(",{}", csvField(name));
    text += "\n";
    for (std::size_t row = 0; row < names.size(); ++row) {
        text += csvField(names[row]);
        for (const std::int64_t count : matrix.counts[row])
            text += fmt::format(",{}", count);
        text += "\n";
    }
    return text;
}

} // namespace trainyard
