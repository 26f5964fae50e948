#include "app/workbench/runs/RunValues.h"

#include "core/config/Schema.h"
#include "widgets/theme/Numbers.h"

namespace trainyard {
namespace {

std::optional<FieldValue> fieldOf(const std::shared_ptr<const RunConfig>& config, const QString& name) {
    const Field* field = config ? Schema::instance().find(name.toStdString()) : nullptr;
    return field ? std::optional(field->read(*config)) : std::nullopt;
}

} // namespace

bool RunValues::isConfigurationKey(const QString& name) {
    return Schema::instance().find(name.toStdString()) != nullptr;
}

void RunValues::setEvaluations(const std::vector<EvaluationRecord>& newest) {
    m_evaluated.clear();
    m_metrics.clear();
    std::set<std::string> known;
    for (const EvaluationRecord& each : newest)
        for (const auto& [name, value] : each.report.metrics) {
            m_evaluated[each.run][name] = value;
            if (known.insert(name).second)
                m_metrics << QString::fromStdString(name);
        }
}

std::shared_ptr<const RunConfig> RunValues::configuration(std::int64_t run) const {
    const auto found = m_configurations.find(run);
    return found == m_configurations.end() ? nullptr : found->second;
}

std::optional<double> RunValues::number(std::int64_t run, const QString& name) const {
    if (const auto evaluated = m_evaluated.find(run); evaluated != m_evaluated.end())
        if (const auto found = evaluated->second.find(name.toStdString()); found != evaluated->second.end())
            return found->second;
    const auto value = fieldOf(configuration(run), name);
    if (!value)
        return std::nullopt;
    if (const auto* whole = std::get_if<std::int64_t>(&*value))
        return double(*whole);
    if (const auto* real = std::get_if<double>(&*value))
        return *real;
    return std::nullopt;
}

QString RunValues::text(std::int64_t run, const QString& name) const {
    if (m_metrics.contains(name)) {
        const auto value = number(run, name);
        return value ? theme::valueText(*value) : QString();
    }
    return exactText(run, name);
}

QString RunValues::exactText(std::int64_t run, const QString& name) const {
    if (const auto value = fieldOf(configuration(run), name))
        return QString::fromStdString(toText(*value));
    const auto value = number(run, name);
    return value ? theme::exactText(*value) : QString();
}

} // namespace trainyard
