#pragma once

#include "app/workbench/runs/RunValues.h"

#include <QDateTime>
#include <QString>

#include <vector>

namespace trainyard {

/// What the filter line of Runs asks for. Words stand anywhere in name, state, model, tags, group or notes; a term
/// names what it asks about: `tag:baseline`, `group:"first tries"`, `state:lost`, `loss<0.5`, `bbox/AP50>=0.3`,
/// `solve.optimizer:sgd`, `made>=2025-11-01`, `made:7d`, `time>2h`. A "-" before it asks for the others; all terms must
/// hold. A plain value.
class RunQuery {
public:
    RunQuery() = default;
    /// `values` says which metrics there are; "7d" and "today" count from `now`.
    static RunQuery parse(const QString& text, const RunValues& values, const QDateTime& now);

    bool matches(const RunRecord& run, const RunValues& values) const;
    /// A sentence about the first term that says nothing; such terms are left out. Empty when all is well.
    const QString& problem() const { return m_problem; }
    /// Whether configurations must have been read to answer.
    bool needsConfigurations() const;

    /// `tag:baseline`, `group:"first tries"`: a term as `parse` reads it.
    static QString term(const QString& name, const QString& comparison, const QString& value);

private:
    enum class About { Words, Name, State, Model, Tag, Group, Note, Made, Number, Value };
    struct Term {
        About about = About::Words;
        QString name, comparison, text;
        double number = 0;
        std::int64_t from = 0, to = 0; ///< microseconds: from `from` on and before `to`
        bool isNegated = false;
    };
    QString read(Term& term, const RunValues& values, const QDateTime& now) const;
    static bool holds(const Term& term, const RunRecord& run, const RunValues& values);

    std::vector<Term> m_terms;
    QString m_problem;
};

} // namespace trainyard
