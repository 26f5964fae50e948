#pragma once

#include "core/config/Schema.h"
#include "core/config/Translation.h" // IWYU pragma: export

#include <type_traits>
#include <utility>

namespace trainyard::declare {

inline constexpr auto kOnResume = Change::OnResume;

template <class T>
constexpr FieldType typeOf() {
    if constexpr (std::is_same_v<T, bool>)
        return FieldType::Boolean;
    else if constexpr (std::is_integral_v<T>)
        return FieldType::Integer;
    else if constexpr (std::is_same_v<T, double>)
        return FieldType::Real;
    else if constexpr (std::is_same_v<T, std::string>)
        return FieldType::Text;
    else if constexpr (std::is_same_v<T, std::vector<std::int64_t>>)
        return FieldType::IntegerList;
    else if constexpr (std::is_same_v<T, std::vector<double>>)
        return FieldType::RealList;
    else if constexpr (std::is_same_v<T, std::vector<std::string>>)
        return FieldType::TextList;
    else if constexpr (std::is_same_v<T, std::map<std::string, std::string>>)
        return FieldType::TextMap;
    else {
        static_assert(std::is_same_v<T, std::vector<DatasetConfig>>, "no FieldType for this member");
        return FieldType::Datasets;
    }
}

template <class T>
FieldValue toValue(const T& member) {
    if constexpr (typeOf<T>() == FieldType::Integer)
        return static_cast<std::int64_t>(member);
    else
        return member;
}

template <class T>
void assign(T& member, const FieldValue& value) {
    if constexpr (typeOf<T>() == FieldType::Integer) {
        member = static_cast<T>(std::get<std::int64_t>(value));
    } else if constexpr (std::is_same_v<T, double>) {
        const auto* whole = std::get_if<std::int64_t>(&value);
        member = whole ? static_cast<double>(*whole) : std::get<double>(value);
    } else {
        member = std::get<T>(value);
    }
}

/// What is said of a field after its name. Lives for one statement.
class FieldBuilder {
public:
    explicit FieldBuilder(FieldRule& rule) : m_rule(rule) {}

    FieldBuilder& unit(std::string unit) {
        m_rule.unit = std::move(unit);
        return *this;
    }
    FieldBuilder& atLeast(double minimum) {
        m_rule.minimum = minimum;
        return *this;
    }
    FieldBuilder& atMost(double maximum) {
        m_rule.maximum = maximum;
        return *this;
    }
    FieldBuilder& above(double minimum) {
        m_rule.minimumExcluded = true;
        return atLeast(minimum);
    }
    FieldBuilder& below(double maximum) {
        m_rule.maximumExcluded = true;
        return atMost(maximum);
    }
    FieldBuilder& between(double minimum, double maximum) { return atLeast(minimum).atMost(maximum); }
    FieldBuilder& oneOf(std::vector<std::string> choices) {
        m_rule.choices = std::move(choices);
        return *this;
    }
    FieldBuilder& changeable(Change change) {
        m_rule.change = change;
        return *this;
    }
    FieldBuilder& help(std::string help) {
        m_rule.help = std::move(help);
        return *this;
    }

private:
    FieldRule& m_rule;
};

/// A struct inside Root whose members are declared one by one under a common prefix, into `fields`.
template <class AnyField, class Root, class Owner>
class Section {
public:
    using Find = std::function<Owner&(Root&)>;
    Section(std::vector<AnyField>& fields, std::string prefix, Find find)
        : m_fields(fields), m_prefix(std::move(prefix)), m_find(std::move(find)) {}

    template <class T>
    FieldBuilder field(const std::string& name, T Owner::*member) {
        AnyField& field = m_fields.emplace_back();
        field.key = m_prefix.empty() ? name : m_prefix + "." + name;
        field.type = typeOf<T>();
        // The finder only walks to a member; it changes nothing.
        field.read = [find = m_find, member](const Root& root) {
            return toValue(find(const_cast<Root&>(root)).*member);
        };
        field.write = [find = m_find, member](Root& root, const FieldValue& value) {
            assign(find(root).*member, value);
        };
        field.defaultValue = field.read(Root{});
        return FieldBuilder(field);
    }

    template <class Inner>
    Section<AnyField, Root, Inner> section(const std::string& name, Inner Owner::*member) {
        return {m_fields, m_prefix.empty() ? name : m_prefix + "." + name,
                [find = m_find, member](Root& root) -> Inner& { return find(root).*member; }};
    }

private:
    std::vector<AnyField>& m_fields;
    std::string m_prefix;
    Find m_find;
};

using RunSection = Section<Field, RunConfig, RunConfig>;
using AsterSection = Section<Field, RunConfig, AsterConfig>;
using RcnnSection = Section<Field, RunConfig, RcnnConfig>;
using RpnSection = Section<Field, RunConfig, RpnConfig>;
using BoxHeadSection = Section<Field, RunConfig, BoxHeadConfig>;
using MaskHeadSection = Section<Field, RunConfig, MaskHeadConfig>;
using KeypointHeadSection = Section<Field, RunConfig, KeypointHeadConfig>;
using RfcnSection = Section<Field, RunConfig, RfcnConfig>;
using DataSection = Section<Field, RunConfig, DataConfig>;
using DatasetSection = Section<DatasetField, DatasetConfig, DatasetConfig>;

// One function a group, each in its own file.
void modelFields(RunSection& run);
void asterFields(AsterSection aster);
void rcnnFields(RcnnSection rcnn);
void rpnFields(RpnSection rpn);
void boxHeadFields(BoxHeadSection box);
void maskHeadFields(MaskHeadSection mask);
void keypointHeadFields(KeypointHeadSection keypoint);
void rfcnFields(RfcnSection rfcn);
void dataFields(RunSection& run);
void detectionDataFields(DataSection& data);
void datasetEntryFields(DatasetSection& entry);
void solveFields(RunSection& run);
void trainFields(RunSection& run);
void evaluateFields(RunSection& run);

} // namespace trainyard::declare
