// DataSource: what is wrong with the data, and where.
#include "app/workbench/data/DataSource.h"

#include <algorithm>

namespace trainyard {

bool DataSource::wantsAttention() const {
    return state() == State::Failed || std::any_of(m_problems.begin(), m_problems.end(), [](const ProblemPlace& each) {
               return each.problem.severity == DataProblem::Severity::Error;
           });
}

const QSet<QString>& DataSource::troubled(std::size_t set) const {
    static const QSet<QString> none;
    return set < m_troubled.size() ? m_troubled[set] : none;
}

void DataSource::place(ProblemPlace& found, std::size_t knownSet) const {
    const QString id = QString::fromStdString(found.problem.sample);
    const auto tryIn = [&](std::size_t set) {
        const std::int64_t sample = m_looks[set] && !id.isEmpty() ? m_looks[set]->index.find(id) : -1;
        if (sample < 0)
            return false;
        found.set = int(set);
        found.sample = sample;
        return true;
    };
    if (tryIn(knownSet))
        return;
    for (std::size_t set = 0; set < m_looks.size(); ++set) // what was split off lies in another set
        if (m_data->sets()[set].path == m_data->sets()[knownSet].path && tryIn(set))
            return;
}

void DataSource::collectProblems() {
    m_problems.clear();
    m_troubled.assign(m_looks.size(), {});
    QSet<QString> seen; // sets that were split share their problems
    const auto add = [&](std::size_t set, const DataProblem& problem) {
        const QString key = QString::fromStdString(m_data->sets()[set].path + '\n' + problem.sample + '\n' +
                                                   problem.annotation + '\n' + problem.message);
        if (seen.contains(key))
            return;
        seen.insert(key);
        ProblemPlace found{problem, -1, -1};
        place(found, set);
        if (found.set >= 0)
            m_troubled[std::size_t(found.set)].insert(QString::fromStdString(problem.sample));
        m_problems.push_back(std::move(found));
    };
    for (std::size_t set = 0; set < m_looks.size(); ++set)
        for (const DataProblem& problem :
             m_looks[set] ? m_looks[set]->inspection.problems : m_data->sets()[set].problems)
            add(set, problem);
    for (const auto& [set, problem] : m_damage)
        add(set, problem);
    std::stable_sort(m_problems.begin(), m_problems.end(), [](const ProblemPlace& a, const ProblemPlace& b) {
        return a.problem.severity > b.problem.severity;
    });
    Q_EMIT problemsChanged();
}

void DataSource::addDamage(std::size_t set, std::int64_t sample, const QString& sentence) {
    const auto known = look(set);
    const std::string id =
        known && sample < known->index.size() ? known->index.at(sample).id.toStdString() : m_data->info(set, sample).id;
    const bool isKnown = std::any_of(m_problems.begin(), m_problems.end(), [&](const ProblemPlace& each) {
        return each.problem.sample == id && each.problem.severity == DataProblem::Severity::Error;
    });
    if (isKnown)
        return;
    m_damage.emplace_back(set, DataProblem{DataProblem::Severity::Error, id, sentence.toStdString()});
    collectProblems();
}

} // namespace trainyard
