#pragma once

#include "core/config/RunConfig.h"
#include "core/project/Project.h"

#include <QString>
#include <QStringList>

#include <map>
#include <memory>
#include <optional>
#include <set>

namespace trainyard {

/// What can be said of runs beyond their rows, by name: the metrics of their newest evaluation ("bbox/AP50") and the
/// keys of their configuration ("solve.base_lr"). A value; configurations come when they have been read.
class RunValues {
public:
    using Configurations = std::map<std::int64_t, std::shared_ptr<const RunConfig>>;

    void setEvaluations(const std::vector<EvaluationRecord>& newest);
    void setConfigurations(Configurations configurations) { m_configurations = std::move(configurations); }

    /// Every metric that any run has, in the order in which evaluations give them.
    const QStringList& metrics() const { return m_metrics; }
    static bool isConfigurationKey(const QString& name);
    bool knows(const QString& name) const { return m_metrics.contains(name) || isConfigurationKey(name); }

    /// For people; empty where the run has no such value, or it was not read yet.
    QString text(std::int64_t run, const QString& name) const;
    /// Every digit.
    QString exactText(std::int64_t run, const QString& name) const;
    /// Nothing where there is no such value or it is no number.
    std::optional<double> number(std::int64_t run, const QString& name) const;
    std::shared_ptr<const RunConfig> configuration(std::int64_t run) const;

private:
    std::map<std::int64_t, std::map<std::string, double>> m_evaluated;
    QStringList m_metrics;
    Configurations m_configurations;
};

} // namespace trainyard
