#include "core/nn/SoftNms.h"

#include <ATen/ATen.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <vector>

namespace trainyard {
namespace {

/// The boxes of one class that are still in play, a column an array.
class Candidates {
public:
    void add(const float* box, float score, std::int64_t row) {
        m_x1.push_back(box[0]);
        m_y1.push_back(box[1]);
        m_x2.push_back(box[2]);
        m_y2.push_back(box[3]);
        m_scores.push_back(score);
        m_rows.push_back(row);
    }

    /// Takes one box after the other, and calls `keep(row, score)` for each.
    template <class Keep>
    void suppress(const SoftNmsRules& rules, const Keep& keep) {
        dropBelow(float(rules.leastScore));
        while (!m_rows.empty()) {
            const std::size_t best = std::size_t(std::max_element(m_scores.begin(), m_scores.end()) - m_scores.begin());
            keep(m_rows[best], m_scores[best]);
            m_scores[best] = -1; // goes with the next cleaning
            payFor(best, rules);
            dropBelow(float(rules.leastScore));
        }
    }

private:
    void payFor(std::size_t best, const SoftNmsRules& rules) {
        const float left = m_x1[best], top = m_y1[best], right = m_x2[best], bottom = m_y2[best];
        const float area = (right - left) * (bottom - top);
        for (std::size_t i = 0; i < m_rows.size(); ++i) {
            const float width = std::max(0.F, std::min(right, m_x2[i]) - std::max(left, m_x1[i]));
            const float height = std::max(0.F, std::min(bottom, m_y2[i]) - std::max(top, m_y1[i]));
            const float shared = width * height;
            if (shared <= 0)
                continue;
            const float own = (m_x2[i] - m_x1[i]) * (m_y2[i] - m_y1[i]);
            m_scores[i] *= factor(shared / (area + own - shared), rules);
        }
    }
    static float factor(float overlap, const SoftNmsRules& rules) {
        if (rules.method == SoftNmsRules::Method::Gaussian)
            return std::exp(-overlap * overlap / float(rules.sigma));
        if (overlap <= float(rules.maxOverlap))
            return 1;
        return rules.method == SoftNmsRules::Method::Linear ? 1 - overlap : 0;
    }
    /// Keeps the order of the others, as equal scores are taken in it. A hard zero goes whatever the floor.
    void dropBelow(float least) {
        std::size_t kept = 0;
        for (std::size_t i = 0; i < m_rows.size(); ++i) {
            if (m_scores[i] < least || m_scores[i] <= 0)
                continue;
            for (auto* column : {&m_x1, &m_y1, &m_x2, &m_y2, &m_scores})
                (*column)[kept] = (*column)[i];
            m_rows[kept++] = m_rows[i];
        }
        for (auto* column : {&m_x1, &m_y1, &m_x2, &m_y2, &m_scores})
            column->resize(kept);
        m_rows.resize(kept);
    }

    std::vector<float> m_x1, m_y1, m_x2, m_y2, m_scores;
    std::vector<std::int64_t> m_rows;
};

} // namespace

Rescored softNms(const at::Tensor& boxes, const at::Tensor& scores, const at::Tensor& labels,
                 const SoftNmsRules& rules) {
    TORCH_CHECK(boxes.dim() == 2 && boxes.size(1) == 4, "softNms: boxes must be [N, 4], not ", boxes.sizes());
    TORCH_CHECK(scores.dim() == 1 && scores.size(0) == boxes.size(0) && labels.sizes() == scores.sizes(),
                "softNms: scores and labels must be [N], not ", scores.sizes(), " and ", labels.sizes());
    const at::Tensor box = toEdges(boxes.detach().to(at::kCPU, at::kFloat), rules.convention).contiguous();
    const at::Tensor score = scores.detach().to(at::kCPU, at::kFloat).contiguous();
    const at::Tensor label = labels.detach().to(at::kCPU, at::kLong).contiguous();
    std::map<std::int64_t, Candidates> classes;
    for (std::int64_t i = 0; i < box.size(0); ++i)
        classes[label.data_ptr<std::int64_t>()[i]].add(box.data_ptr<float>() + 4 * i, score.data_ptr<float>()[i], i);

    std::vector<std::pair<float, std::int64_t>> kept;
    for (auto& [number, candidates] : classes)
        candidates.suppress(rules, [&](std::int64_t row, float newScore) { kept.emplace_back(newScore, row); });
    std::sort(kept.begin(), kept.end(), [](const auto& a, const auto& b) {
        return a.first != b.first ? a.first > b.first : a.second < b.second;
    });
    std::vector<std::int64_t> rows;
    std::vector<float> newScores;
    for (const auto& [newScore, row] : kept) {
        newScores.push_back(newScore);
        rows.push_back(row);
    }
    return {at::tensor(rows, at::kLong).to(boxes.device()), at::tensor(newScores, at::kFloat).to(boxes.device())};
}

} // namespace trainyard
